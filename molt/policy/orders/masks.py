"""What stands for another text: letters of other scripts, digits for letters, spaced-out words,
texts that are written backwards or rotated, what is encoded, and characters that nobody sees.
"""

from __future__ import annotations

from molt.normal import normalize
from molt.policy import letters
from molt.policy.orders import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LETTERS = str.maketrans(
    {other: plain for row in letters.ALIKE for other, plain in zip(*row, strict=True)}
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
_FEW = 4
"""Words of the shortest order that is looked for where they do not stand as words do."""
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
    if len(pieces) >= _FEW and pieces[0][-1] in ".!" and _begins_at_end(line.split()):
        yield " ".join(reversed(line.split()))
    if not _BACKWARDS.isdisjoint(pieces):
        yield line[::-1]
        yield " ".join(piece[::-1] for piece in pieces)
    yield from codes.decode(line)


def _show_letters(line: str) -> str:
    """A text in plain letters, without what nobody sees."""
    plain = normalize("NFKC", line.translate(_UNSEEN)).translate(_LETTERS)
    apart = normalize("NFD", plain)
    bare = apart.translate(_MARKS)
    return bare if (len(apart) - len(bare)) * _MARKED > len(bare) else plain


def _begins_at_end(words: Sequence[str]) -> bool:
    """Whether the words of a sentence stand in reverse: it ends behind the first, a small one."""
    return words[0][0].islower() and words[-1][0].isupper() and words[-1][-1] not in ".!?:"


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
