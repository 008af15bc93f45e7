"""The scripts that put no spaces between words, told by their signs.

Without regular expressions: to compile these ranges takes as long as half a start of Python, and
most texts that are not ASCII have an accent, a dash or an emoji, and none of these signs.
"""

from __future__ import annotations

from bisect import bisect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Scripts of ideograms and syllables have words of two signs; those of letters (Thai, Lao,
# Myanmar, Khmer) need a third one to tell words apart.
SIGNS = (
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0002ffff"),
)
LETTERS = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))
# Where one of these scripts begins, and where it ends, by turns.
_EDGES = sorted(edge for first, last in SIGNS + LETTERS for edge in (first, chr(ord(last) + 1)))
_FIRST = LETTERS[0][0]


def lies_in(ranges: Sequence[tuple[str, str]], char: str) -> bool:
    """Whether a character is of one of some ranges."""
    return any(first <= char <= last for first, last in ranges)


def has_unspaced(text: str) -> bool:
    """Whether a text has words of a script without spaces."""
    if text.isascii():
        return False
    return any(map(_is_unspaced, frozenset(text)))


def cut_unspaced(text: str) -> tuple[frozenset[str], str]:
    """The signs of a text that stand in words without spaces, and the text with blanks for them."""
    # A text has few different characters.
    found = frozenset(filter(_is_unspaced, frozenset(text)))
    return found, text.translate(dict.fromkeys(map(ord, found), " "))


def _is_unspaced(char: str) -> bool:
    return char >= _FIRST and bisect(_EDGES, char) % 2 == 1


def render_class(ranges: Sequence[tuple[str, str]]) -> str:
    """Ranges as they stand in a class of a regular expression."""
    return "".join(f"{first}-{last}" for first, last in ranges)
