"""Characters of a line that nobody sees, where no writing has a use for them.

Most have one in some writing: a soft hyphen parts a German word, a joiner makes one picture of
four, an isolate keeps a Hebrew name apart from English around it. So each is judged by what stands
beside it (Unicode, annexes 9 and 31 and chapter 23).
"""

from __future__ import annotations

from molt.policy import texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_JOINERS = ("\u200c\u200c", "\u200c\u200d", "\u200d\u200c", "\u200d\u200d")
"""One joiner belongs between letters of many scripts, and in emoji; several in a row are bits."""
_TAGS = frozenset(chr(code) for code in range(0xE0000, 0xE0080))
_FLAG, _FLAG_END = "\U0001f3f4", "\U000e007f"
_REGION = 6
"""So many tags at the most spell the region of a flag, as of Scotland or Texas, behind a black one
and before an end."""
_VARIANTS = frozenset(chr(code) for code in range(0xFE00, 0xFE10))
"""Characters that choose the look of the one before: one is enough, and a letter has no other."""
_SYLLABLE = 2
"""So many letters stand before a soft hyphen at the least."""
_UNSPACED = ((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x1950, 0x1AB0))
"""Scripts that part no words by blanks: Thai, Lao, Burmese, Khmer, and those of Tai languages."""
_IDEOGRAPHS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x32400))
_MONGOLIAN = ((0x1820, 0x18AB),)
_FIRST_JAMO, _VOWEL_JAMO = ((0x1100, 0x1160),), ((0x1161, 0x11A8),)
_APART = {"\u202a": "\u202c", "\u202b": "\u202c"} | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
"""What opens a text that has a direction, and what closes it; an override is none of them."""
_LEFTWARD = frozenset("\u202b\u2067")
_ENDS = frozenset(_APART.values())
_FROM_RIGHT = frozenset(("R", "AL", "AN"))
"""Classes of what goes from right to left."""


def hides_characters(line: str) -> bool:
    """Whether a line holds characters that nobody sees and no writing needs where they stand, or
    marks that show another text than is stored.
    """
    if line.isascii():
        return False
    if any(pair in line for pair in _JOINERS):
        return True
    if not _TAGS.isdisjoint(line) and not _TAGS.isdisjoint(_take_out_flags(line)):
        return True
    odd = _BELONGS.keys() & frozenset(line)
    if odd and not all(_BELONGS[char](line, at) for at, char in enumerate(line) if char in odd):
        return True
    if not texts.BIDI.isdisjoint(line) and not is_set_apart(line):
        return True
    return not _VARIANTS.isdisjoint(line) and _varies_oddly(line)


def _take_out_flags(line: str) -> str:
    """A line without the tags that spell the region of a flag."""
    kept, *rest = line.split(_FLAG)
    found = [kept]
    for part in rest:
        region, ended, after = part.partition(_FLAG_END)
        spelled = ended and len(region) <= _REGION and _TAGS.issuperset(region)
        found.append(after if spelled else part)
    return "".join(found)


def is_set_apart(line: str) -> bool:
    """Whether all marks of direction in a line set something apart, as chats do with names and
    numbers: each opens from left to right, as its text says, or from right to left where its text
    does, and is closed again. So shown, nothing is elsewhere than it is stored. Where nothing goes
    from right to left, as in a line that was cut off, what such marks enclose does not matter.
    """
    marks = [char for char in line if char in texts.BIDI]
    if not all(char in _APART or char in _ENDS for char in marks) or _turns_round(line):
        return False
    open_: list[str] = []
    for char in marks:
        if char in _APART:
            open_.append(_APART[char])
        elif not open_ or char != open_.pop():
            return _goes_right(line)
    return not open_ or _goes_right(line)


def _turns_round(line: str) -> bool:
    """Whether a mark turns what follows it from right to left, and its first letter does not go so
    by itself.
    """
    from unicodedata import bidirectional

    leftward = False
    for char in reversed(line) if not _LEFTWARD.isdisjoint(line) else "":
        if char in _LEFTWARD and not leftward:
            return True
        if char.isalpha():
            leftward = bidirectional(char) in _FROM_RIGHT
    return False


def _goes_right(line: str) -> bool:
    """Whether no letter or number in a line goes from right to left."""
    from unicodedata import bidirectional

    return not any(bidirectional(char) in _FROM_RIGHT for char in line)


def _varies_oddly(line: str) -> bool:
    """Whether a choice of look follows another one, or a letter of ASCII: bits of a hidden text.
    Digits and signs have such looks, in keycaps.
    """
    before = " "
    for char in line:
        if char in _VARIANTS and (before in _VARIANTS or (before.isascii() and before.isalpha())):
            return True
        before = char
    return False


def _parts_syllables(line: str, at: int) -> bool:
    """Whether a soft hyphen stands in a word, behind a syllable, or at its end where a page broke
    the line.
    """
    before = line[max(0, at - _SYLLABLE) : at]
    return len(before) == _SYLLABLE and before.isalpha() and _follows(line, at, str.isalnum)


def _follows(line: str, at: int, test: Callable[[str], bool]) -> bool:
    """Whether a line ends behind a place, or goes on with a blank or with what passes a test."""
    after = line[at + 1 : at + 2]
    return not after or after.isspace() or test(after)


def _parts_words(line: str, at: int) -> bool:
    """Whether a blank without width stands between letters of scripts that have no other, or at a
    sign, a blank or an end, where pages leave one behind.
    """
    before, after = line[max(0, at - 1) : at], line[at + 1 : at + 2]
    if not (before + after).expandtabs(1).isprintable():
        return False
    letters = before.isalnum() and after.isalnum()
    return not letters or (_is_of(before, _UNSPACED) and _is_of(after, _UNSPACED))


def _joins_words(line: str, at: int) -> bool:
    """Whether a joiner of words stands where a line could else be broken: at a sign."""
    sides = line[max(0, at - 1) : at], line[at + 1 : at + 2]
    shown = all(side.isprintable() and not side.isspace() for side in sides)
    return all(sides) and shown and not all(map(str.isalpha, sides))


def _parts_marks(line: str, at: int) -> bool:
    """Whether a joiner of marks stands behind a letter and before a mark on it."""
    from unicodedata import category

    after = line[at + 1 : at + 2]
    return at > 0 and bool(after) and category(after) == "Mn"


def _is_of(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return bool(char) and any(first <= ord(char) < end for first, end in ranges)


_BELONGS: dict[str, Callable[[str, int], bool]] = {
    **dict.fromkeys("\u2061\u2062\u2063\u2064\u3164\uffa0", lambda _line, _at: False),
    **dict.fromkeys(
        (chr(code) for code in range(0xE0100, 0xE01F0)),
        lambda line, at: _is_of(line[max(0, at - 1) : at], _IDEOGRAPHS),
    ),
    "\u00ad": _parts_syllables,
    "\u034f": _parts_marks,
    "\u115f": lambda line, at: _is_of(line[at + 1 : at + 2], _VOWEL_JAMO),
    "\u1160": lambda line, at: _is_of(line[max(0, at - 1) : at], _FIRST_JAMO),
    "\u180e": lambda line, at: _is_of(line[max(0, at - 1) : at], _MONGOLIAN),
    **dict.fromkeys("\u200b\ufeff", _parts_words),
    "\u2060": _joins_words,
}
"""Characters that nobody sees, each with what tells whether one belongs where it stands."""
