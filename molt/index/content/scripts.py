"""Runs of the scripts that put no spaces between words.

Apart, for compiling their ranges takes longer than a search, and most texts need none of it.
"""

from __future__ import annotations

import re

# Scripts of ideograms and syllables have words of two signs; those of letters (Thai, Lao,
# Myanmar, Khmer) need a third one to tell words apart.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff"
_LETTERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
RUN = re.compile(f"[{_SIGNS}]+|[{_LETTERS}]+")
_LETTER = re.compile(f"[{_LETTERS}]")
# A sign of them, one digit, a run of letters, a run of marks.
PART = re.compile(rf"[{_SIGNS}{_LETTERS}]|\d|[^\W\d_{_SIGNS}{_LETTERS}]+|[^\w\s]+|_+")


def word_size(run: str) -> int:
    """How many signs of a run tell its words apart."""
    return min(3 if _LETTER.match(run) else 2, len(run))


def split_run(run: str, length: int) -> list[str]:
    """All parts of a run that are so long."""
    return [run[at : at + length] for at in range(len(run) - length + 1)]


def spread_run(run: re.Match[str]) -> str:
    """A run as all its parts up to the size of its words."""
    text = run[0]
    every = (part for length in range(1, word_size(text) + 1) for part in split_run(text, length))
    return f" {' '.join(every)} "
