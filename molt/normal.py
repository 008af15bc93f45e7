"""Unicode's normal forms, in time that grows no faster than the text.

Python sorts the marks behind a letter by insertion, so that a row of them takes the square of its
length: 64 KB of two marks by turns take a second, a megabyte minutes. The standard's stream-safe
form puts a joiner, which nobody sees, behind every thirty (UAX #15, section 13); no writing of any
language has as many.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Literal

_MOST = 30
"""Marks in a row (UAX15-D3)."""
_JOINER = "\u034f"
_SHORT = 1_000
"""Letters that are sorted in half a millisecond at worst; what is shorter needs no look."""


def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """A text in one of Unicode's normal forms; a joiner cuts rows of more than thirty marks."""
    if text.isascii():
        return text
    import unicodedata

    if len(text) > _SHORT:
        import re

        # What has a combining class is neither a letter of a word nor space, nor ASCII; two letters
        # are marks in another form.
        mark = r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])"
        text = re.sub(rf"{mark}{{{_MOST + 1},}}", _cut_row, text)
    return unicodedata.normalize(form, text)  # noqa: TID251, with no row that is too long


def _cut_row(row: re.Match[str]) -> str:
    from unicodedata import combining

    signs = row.group()
    if not any(map(combining, signs)):
        return signs
    return _JOINER.join(signs[at : at + _MOST] for at in range(0, len(signs), _MOST))
