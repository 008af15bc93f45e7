"""Runs of the scripts that put no spaces between words, for texts that have some.

Apart, for compiling their ranges takes as long as starting Python, and most texts need none of it.
"""

from __future__ import annotations

import re

from molt.index.content import signs

_SIGNS, _LETTERS = map(signs.render_class, (signs.SIGNS, signs.LETTERS))
RUN = re.compile(f"[{_SIGNS}]+|[{_LETTERS}]+")
# A sign of them, one digit, a run of letters, a run of marks.
PART = re.compile(rf"[{_SIGNS}{_LETTERS}]|\d|[^\W\d_{_SIGNS}{_LETTERS}]+|[^\w\s]+|_+")


def word_size(run: str) -> int:
    """How many signs of a run tell its words apart."""
    return min(3 if signs.lies_in(signs.LETTERS, run[0]) else 2, len(run))


def split_run(run: str, length: int) -> list[str]:
    """All parts of a run that are so long."""
    return [run[at : at + length] for at in range(len(run) - length + 1)]


def spread_run(run: re.Match[str]) -> str:
    """A run as all its parts up to the size of its words."""
    text = run[0]
    every = (part for length in range(1, word_size(text) + 1) for part in split_run(text, length))
    return f" {' '.join(every)} "
