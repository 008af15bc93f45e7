"""What stands above a memory: titles with words of the query, and bullets that share one."""

from __future__ import annotations

from molt.index.content import titles, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.index.search.rank import Memory, Weights

PATH, FIRST, MEMORY, STORE, DATE, TEXT = 1, 2, 4, 5, 8, 9
"""Where some columns stand in a chunk's row, by `candidates.FIELDS`."""
_MOST_AGAIN = 4
"""Bullets of a section from which on further ones count alike."""


def lift_titles(
    query: str,
    found: list[Memory],
    rows: dict[int, Any],
    scores: dict[int, float],
    weights: Weights,
) -> dict[int, float]:
    """Add to the scores what titles and core memory count for, and lower those of text that is
    struck out. A title with the words of the query says what everything below it is about. Returns
    the share of the query's words in each title.
    """
    wanted = frozenset(map(words.cut_ending, words.split_terms(query)))
    shares: dict[int, float] = {}
    for one in found:
        row = rows[one.chunk]
        path, store, text = row[PATH], row[STORE], row[TEXT]
        if store == "core":
            scores[one.number] += weights.core
        if titles.is_struck_out(text):
            scores[one.number] *= 1 - weights.struck
        if not one.unit and wanted:
            title = titles.read_title(path, text)
            told = frozenset(map(words.cut_ending, words.split_terms(title)))
            shares[one.number] = len(wanted & told) / len(wanted)
            scores[one.number] += weights.title * shares[one.number]
    return shares


def spread_sections(
    found: list[Memory], rows: dict[int, Any], scores: dict[int, float], weights: Weights
) -> None:
    """Lower the scores of further bullets in one section of core memory, each a little more than
    the one before. They share the words of the headings above them, and would take all places.
    """
    before: dict[str, int] = {}
    for one in sorted(found, key=lambda one: (-scores[one.number], one.number)):
        section, mark, _ = rows[one.chunk][MEMORY].partition("#")
        if mark:
            times = min(before.get(section, 0), _MOST_AGAIN)
            scores[one.number] *= max(0.0, 1 - weights.again * times)
            before[section] = before.get(section, 0) + 1
