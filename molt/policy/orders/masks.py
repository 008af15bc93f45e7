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

LONGEST = 4096
"""Of a line as much is read at once."""
QUOTING = "> \t"
FRAMES = ("<", "](", "]:", "[inst", '"role"', "tool_call", "title=", "alt=")
"""One of these stands in what is an order by its form; most lines have none."""
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
SPACED = 6
"""So many letters that stand alone are a word in disguise; fewer are initials."""
CLOSE = 3
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
    if _begins_at_end(words := line.split()):
        yield " ".join(reversed(words))
    if not _BACKWARDS.isdisjoint(pieces):
        yield line[::-1]
        yield " ".join(piece[::-1] for piece in pieces)
    yield from codes.decode(line)


DIGITED, SINGLE, FIGURES, OF_RUN, SURE = 0, 12, 24, 36, 48
"""By how many bits the number of each thing is shifted that `weigh_piece` counts."""
COUNT = (1 << 12) - 1
LIMITS = ((DIGITED, _DIGITED), (FIGURES, codes.FEWEST), (OF_RUN, 2), (SURE, 1))
"""So many of each make it that `unmask` may give another text of a line."""
MASKED = 1 << SURE


def weigh_piece(piece: str) -> int:
    """What a piece of a line, between two blanks, does for it to be masked or framed: a number of
    bits, of which those of all pieces are to be added. It is rather too much than too little.
    """
    lower = piece.lower()
    if lower in _ROTATED or lower in _BACKWARDS or codes.may_be_coded(piece):
        return MASKED
    signs = (len(piece) == 1) << SINGLE | codes.may_be_of_run(piece) << OF_RUN
    if piece.isalpha():
        return signs
    if any(sign in lower for sign in FRAMES):
        return MASKED
    return signs | _is_digited(lower) << DIGITED | piece[0].isdecimal() << FIGURES


def is_bare(line: str) -> bool:
    """Whether a line is not quoted, and nothing masks it but what its pieces say (see
    `weigh_piece`), if it is ASCII; nor do these frame it, if it is not.
    """
    if len(line) > LONGEST or line.lstrip(QUOTING) != line.lstrip():
        return False
    if not line.isascii():
        lower = line.lower()
        return not any(sign in lower for sign in FRAMES) and next(unmask(line), None) is None
    if _begins_at_end(line.split()):
        return False
    return not any(line.count(sign) * 3 > len(line) for sign in _SEPARATORS)


def _show_letters(line: str) -> str:
    """A text in plain letters, without what nobody sees."""
    plain = normalize("NFKC", line.translate(_UNSEEN)).translate(_LETTERS)
    apart = normalize("NFD", plain)
    bare = apart.translate(_MARKS)
    return bare if (len(apart) - len(bare)) * _MARKED > len(bare) else plain


def _begins_at_end(words: Sequence[str]) -> bool:
    """Whether the words of a sentence stand in reverse: it ends behind the first, a small one."""
    if len(words) < _FEW or words[0][-1] not in ".!" or words[-1][-1] in ".!?:":
        return False
    return words[0][0].islower() and words[-1][0].isupper()


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
    if len(lower) > CLOSE * len(pieces):
        return ""
    single = sum(len(piece) == 1 for piece in pieces)
    if single < SPACED or single * 2 < len(pieces):
        return ""
    # Words are further apart, or separated by another sign.
    apart = " / " if " / " in lower else "   " if "   " in lower else "  "
    return " ".join(word.replace(" ", "") for word in lower.split(apart))
