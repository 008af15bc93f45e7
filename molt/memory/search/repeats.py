"""What says the same as a better result takes no place of its own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.index.search.candidates import Candidate

    _Pair = tuple[Candidate, float]

_ALIKE = 0.9
"""Texts that share so much of their words say the same."""


def drop_repeats(pairs: Iterable[_Pair]) -> Iterator[_Pair]:
    """Candidates without those that say the same as an earlier one of the same day. What was said
    again on another day is another event; the copy of a note is none.
    """
    said: dict[str, list[frozenset[str]]] = {}
    for one, decay in pairs:
        words = frozenset(one.text.lower().split())
        event = one.memory_id or one.store == "episodic"
        before = said.setdefault(one.date[:10] if event else "", [])
        if not any(_is_alike(words, other) for other in before):
            yield one, decay
            before.append(words)


def _is_alike(words: frozenset[str], other: frozenset[str]) -> bool:
    one, two = len(words), len(other)
    # Of sets that differ much in size, one cannot hold nearly all of the other.
    if one < _ALIKE * two or two < _ALIKE * one:
        return False
    common = len(words & other)
    return common >= _ALIKE * (one + two - common)
