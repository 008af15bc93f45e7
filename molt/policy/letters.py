"""What a line says by its letters and digits alone, however these are written or dressed up."""

from __future__ import annotations

from itertools import pairwise

from molt.normal import normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

IGNORABLE = frozenset(
    chr(code)
    for code in (
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810)),
        *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164),
        *(*range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xE0000, 0xE0080)),
        *range(0xE0100, 0xE01F0),
    )
)
"""Unicode's default-ignorable characters, which no reader sees."""
ALIKE = (
    # Cyrillic, Armenian and Greek letters that look like those of ASCII (Unicode's confusables).
    ("\u0430\u0441\u0435\u04bb\u0456\u0458\u043e\u0440\u0455\u0501\u0443", "acehijopsdy"),
    ("\u051b\u0445\u051d\u04af\u0578\u0585", "qxwyno"),
    ("\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9", "aeiknoptuxw"),
    ("\u03f2", "c"),
    ("\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420", "ABCEHIJKMOP"),
    ("\u0405\u0422\u0425\u0423", "STXY"),
    ("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1", "ABEZHIKMNOP"),
    ("\u03a4\u03a5\u03a7", "TYX"),
    ("\u0261\u0131\u0251", "gia"),
    # Small capitals, which stand for no letter in Unicode's compatibility forms.
    ("\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b", "abcdefghijk"),
    ("\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731", "lmnoprs"),
    ("\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22", "tuvwyz"),
)
"""Letters beside those of ASCII that they look like."""
_RARE = (
    # Cherokee and Lisu, and Latin letters with a stroke, which no form takes apart.
    ("\u13a0\u13a1\u13a2\u13a5\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13c0\u13c3", "drtiajewmhgz"),
    ("\u13cf\u13d2\u13d9\u13da\u13de\u13df\u13e2\u13e6\u13e7\u13f4", "brvslcpkdb"),
    ("\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0", "bpdtgkjczfmn"),
    (
        "\ua4e1\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3\ua4f4",
        "lsrvhwxyaeiou",
    ),
    ("\u00f8\u0142\u0111\u0127\u0167\u0180\u0268\u0275\u0289", "oldhtbiou"),
    # What looks like another letter in some types only, and phonetic ones.
    ("\u04cf\u0433\u0442\u043f\u0454\u04bd\u0475", "lrtneev"),
    ("\u0570\u057d\u05e1\u101d\u2c9f\u2c89", "huoooe"),
    ("\u025b\u0257\u014b\u01dd\u0282", "ednes"),
    ("\u0259\u20ac\u00a3\u00a5\u00a2", "eelyc"),
    # White on black, in squares and circles, and the letters of flags.
    *(
        ("".join(map(chr, range(first, first + 26))), "abcdefghijklmnopqrstuvwxyz")
        for first in (0x1F150, 0x1F170, 0x1F1E6)
    ),
)
_PLAIN = str.maketrans(
    {other: plain for row in (*ALIKE, *_RARE) for other, plain in zip(*row, strict=True)}
)
_DIGITS = str.maketrans("013457@$l", "oieastasi")
"""Signs that stand for letters; `1` for two of them, which so are one."""
_NOT_SAID = str.maketrans("", "", "".join(map(chr, (*range(48), *range(58, 97), *range(123, 128)))))
_BEFORE = " \t-*+>#"
"""What begins a line of a list, a quotation or a heading."""
_ASIDES = (
    *("(origin:", "(source:", "(since:", "(until:", "(confidence:", "(contradicts:"),
    "(supersedes:",
)


def strip_words(row: str) -> str:
    """What a line says: without the mark of a list before it, and brackets that say where it is
    from and when it holds. Letters that look alike are one: those of other scripts, wide ones,
    those with marks, and digits that stand for them.
    """
    return _strip_signs(_drop_asides(row))


def _drop_asides(row: str) -> str:
    # A capital may look like another letter than its small form does.
    plain = row if row.isascii() else row.translate(_PLAIN)
    said = plain.lstrip(_BEFORE).casefold()
    behind = said.lstrip("0123456789")
    said = behind if behind[:1] in (".", ")") else said
    for aside in _ASIDES if "(" in said else ():
        before, *rest = said.split(aside)
        # What stands behind such a bracket is read as the rest is.
        said = "".join((before, *(one.partition(")")[2] for one in rest))) if rest else before
    return said


class PlainLetters(dict[int, str]):
    """What `str.translate` puts for a character: the letters and digits that it looks like."""

    def __missing__(self, code: int) -> str:
        # What is a form of another letter may look like a third.
        apart = normalize("NFKD", chr(code)).casefold()
        self[code] = "".join(filter(str.isalnum, apart.translate(_PLAIN).translate(_DIGITS)))
        return self[code]


_LETTERS = PlainLetters()


def _strip_signs(said: str) -> str:
    if said.isascii():
        return said.translate(_DIGITS).translate(_NOT_SAID)
    # Each sign by itself: to bring a row of marks into their order takes the square of its length.
    return said.translate(_LETTERS)


class _Kept(dict[int, str | None]):
    """What `str.translate` puts for a character, of which only letters are dropped: those of ASCII
    and what looks like them, or all others.
    """

    def __init__(self, *, latin: bool) -> None:
        super().__init__()
        self._latin = latin

    def __missing__(self, code: int) -> str | None:
        said = _LETTERS[code]
        self[code] = None if said.isalpha() and said.isascii() != self._latin else chr(code)
        return self[code]


_LATIN, _OTHER = _Kept(latin=True), _Kept(latin=False)
_DIGIT = str.maketrans("", "", "0123456789")
_MANY = 4
"""So many numbers, codes or signs of another script may part the words of a line."""


def list_readings(row: str) -> Iterator[str]:
    """A line as it stands; and where it has comments, tags or links, what of it is shown, and what
    is not: a text may be scattered among what belongs to another, as numbers, letters that stand
    alone, or those of another script.
    """
    yield row
    for decode in (_decode_entities, _decode_bytes):
        plain = decode(row)
        if plain != row:
            row = plain
            yield row
    yield from _list_bare(row)
    if "|" in row and " |" not in row:
        row = row.replace("|", "l")
        yield row
    shown, hidden = row, []
    for opening, closing in _HIDING:
        if opening in shown:
            shown, more = _part(shown, opening, closing)
            hidden += more
    if shown != row:
        yield shown
        # A mere address says nothing.
        yield " ".join(one for one in hidden if " " in one.strip())


def _decode_entities(row: str) -> str:
    """A line with what codes of HTML stand for in it."""
    if "&" not in row or (";" not in row and "&#" not in row):
        return row
    from html import unescape

    return unescape(row)


def _decode_bytes(row: str) -> str:
    """A line with what codes of addresses or of programs stand for in it, if there are many."""
    if row.count("%") < _MANY and row.count("\\") < _MANY:
        return row
    import re

    return re.sub(_CODE, lambda found: chr(int(found.group(1) or found.group(2), 16)), row)


_CODE = r"(?:%|\\x)([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})"


def _list_bare(row: str) -> Iterator[str]:
    """A line without what is scattered in it, of each kind if there is much."""
    if not row.isascii():
        latin, other = row.translate(_LATIN), row.translate(_OTHER)
        few = min(len(row) - len(latin), len(row) - len(other))
        if few >= _MANY and 4 * few < len(row):
            row = max(latin, other, key=len)
            yield row
    digits = len(row) - len(row.translate(_DIGIT))
    if (digits >= _MANY or not row.isascii()) and _count_numbers(row) >= _MANY:
        row = "".join(char for char in row if not char.isdigit())
        yield row
    if row.count(" ") * _SHORT > len(row):
        words = [word for word in row.split(" ") if len(word) != 1]
        if words:
            yield " ".join(words)


_SHORT = 5
"""Letters of a word with its blank, where many are of one letter."""


def _count_numbers(row: str) -> int:
    return sum(two.isdigit() and not one.isdigit() for one, two in pairwise(f" {row}"))


def split_sentences(row: str) -> list[tuple[str, bool]]:
    """The sentences of a line, by their letters (see `strip_words`); each with whether it has words
    enough to be one: a name or an address has not.
    """
    said = _drop_asides(row)
    for mark in _ENDS:
        if mark in said:
            said = said.replace(mark, f"{mark}\n")
    found = ((_strip_signs(one), one.strip()) for one in said.split("\n"))
    return _join_short([(bare, _is_sentence(one)) for bare, one in found if bare])


def _is_sentence(text: str) -> bool:
    return not text.isascii() or text.count(" ") >= _FEW or is_command(text)


def is_command(row: str) -> bool:
    """Whether a line, in small letters, has a command that fetches or runs what is elsewhere."""
    return "://" in row and any(sign in row for sign in _COMMANDS)


_COMMANDS = (
    *("|sh", "| sh", "|bash", "| bash", "|zsh", "| zsh", "|python", "| python", "$(", "<(", "&&"),
    *("curl ", "wget ", "iwr ", "irm ", "git clone ", "pip install ", "npm i ", "npm install "),
    *("npx ", "docker run ", "invoke-webrequest "),
)


def _join_short(said: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Sentences of which many that are none stand side by side, these as one: a sign behind each
    word makes no other words.
    """
    found: list[tuple[str, bool]] = []
    short: list[str] = []
    for bare, whole in (*said, ("", True)):
        if not whole:
            short.append(bare)
            continue
        joined = len(short) > _FEW
        found += [("".join(short), True)] if joined else [(one, False) for one in short]
        short = []
        found += [(bare, True)] if bare else []
    return found


_HIDING = (("<", ">"), ("](", ")"), ("][", "]"), ("[^", "]"), ("~~", "~~"))
"""What stands around what a page does not show, or shows struck out."""
_ENDS = (". ", "! ", "? ", "; ", ": ", "\u3002", "\uff01", "\uff1f", "\uff1b")
_FEW = 3
"""Blanks of a sentence."""


def _part(row: str, opening: str, closing: str) -> tuple[str, list[str]]:
    """A line without what stands between two signs, and each of these alone."""
    first, *rest = row.split(opening)
    if opening == closing:
        return "".join((first, *rest[1::2])), rest[::2]
    parted = [one.partition(closing) for one in rest]
    shown = "".join((first, *(behind if end else said for said, end, behind in parted)))
    return shown, [said for said, end, _ in parted if end]
