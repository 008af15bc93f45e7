"""English sentences that ask for nothing to be kept."""

from __future__ import annotations

from molt.memory.engines.english import words as en


def is_unkept(flat: str) -> bool:
    """Whether a sentence, in lower case and without marks, asks that what is said be not kept:
    `don't write that down`, `off the record`.
    """
    if flat.startswith(en.OFF_RECORD):
        return True
    opening = max((len(cue) for cue in en.UNKEPT_OPENINGS if flat.startswith(cue)), default=0)
    if not opening:
        return False
    rest = flat[opening - 1 :]
    words = rest.split()
    while words and words[-1] in en.UNKEPT_ENDS:
        words.pop()
    return rest.startswith(en.UNKEPT) or f" {' '.join(words)} " in en.UNKEPT_ALONE
