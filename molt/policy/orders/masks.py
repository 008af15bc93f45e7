"""What stands for another text: letters of other scripts, digits for letters, spaced-out words,
texts that are written backwards or rotated, what is encoded, and characters that nobody sees.
"""

from __future__ import annotations

from molt.policy.orders import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Letters that look like those of ASCII, of Cyrillic, Armenian and Greek (Unicode's confusables).
_ALIKE = (
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
_LETTERS = str.maketrans(
    {other: plain for row in _ALIKE for other, plain in zip(*row, strict=True)}
)
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
# What Chinese is written with is no mask, and by itself nothing that is to be read again.
_PUNCTUATION = str.maketrans("，：；！？（）～＋－／％", ",:;!?()~+-/%")
_UNSEEN = _TAGS | dict.fromkeys(
    (0xAD, 0x34F, *range(0x200B, 0x2010), *range(0x2060, 0x2070), 0xFEFF)
)
_MARKS = dict.fromkeys(range(0x300, 0x370))
_MARKED = 6
"""Where one letter of so many has a mark, it is a mask; in no language that many have."""
_DIGITS = str.maketrans("013457@$", "oieastas")
_DIGITED = 2
"""So many words of letters and digits are a disguise or names of things; one is a name."""
_SEPARATORS = "-._*/"
_SPACED = 6
"""So many letters that stand alone are a word in disguise; fewer are initials."""
_CLOSE = 3
"""A letter that stands alone takes so much room at the most, with the blanks behind a word."""
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM",
)
# Of ten English sentences nine have one of these words: the, and, you, your, all, this, any, from.
_BACKWARDS = frozenset(("eht", "dna", "uoy", "ruoy", "lla", "siht", "yna", "morf", "erongi"))
_ROTATED = frozenset(("gur", "naq", "lbh", "lbhe", "nyy", "guvf", "nal", "sebz", "vtaber"))


def unmask(line: str) -> Iterator[str]:
    """The other texts that a line can stand for, one for each way in which it may be disguised."""
    if not line.isascii():
        line = line.translate(_PUNCTUATION)
        plain = _show_letters(line)
        if plain != line:
            yield plain
            line = plain
    lower = line.lower()
    pieces = lower.split()
    lettered = lower.translate(_DIGITS)
    if lettered != lower and sum(map(_is_digited, pieces)) >= _DIGITED:
        yield lettered
    if joined := _join_letters(lower, pieces):
        yield joined
    if not _ROTATED.isdisjoint(pieces):
        yield line.translate(_ROT13)
    if not _BACKWARDS.isdisjoint(pieces):
        yield line[::-1]
        yield " ".join(piece[::-1] for piece in pieces)
    yield from codes.decode(line)


def _show_letters(line: str) -> str:
    """A text in plain letters, without what nobody sees."""
    from unicodedata import normalize

    plain = normalize("NFKC", line.translate(_UNSEEN)).translate(_LETTERS)
    apart = normalize("NFD", plain)
    bare = apart.translate(_MARKS)
    return bare if (len(apart) - len(bare)) * _MARKED > len(bare) else plain


def _is_digited(word: str) -> bool:
    """Whether a word is of letters and of digits that may stand for letters."""
    if word.isalpha() or word == word.upper():
        return False
    bare = word.strip(".,;:!?")
    return not bare.isalpha() and bare.translate(_DIGITS).isalpha()


def _join_letters(lower: str, pieces: Sequence[str]) -> str:
    """A text in which spaced-out letters are joined into words; empty if there are none."""
    for sign in _SEPARATORS:
        if lower.count(sign) * 3 > len(lower):
            return lower.replace(sign, "")
    if len(lower) > _CLOSE * len(pieces):
        return ""
    single = sum(len(piece) == 1 for piece in pieces)
    if single < _SPACED or single * 2 < len(pieces):
        return ""
    # Words are further apart, or separated by another sign.
    apart = " / " if " / " in lower else "   " if "   " in lower else "  "
    return " ".join(word.replace(" ", "") for word in lower.split(apart))
