"""What took the place of a memory that a search finds: it stands first, whatever its own words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from molt.index.db import Db

_LONGEST = 16
"""Memories that took each other's places, one after the other, as far as they are followed."""
_BEHIND = 0.999
"""So that of equals the successor is first."""


def find_successors(db: Db, memories: Iterable[str]) -> dict[str, str]:
    """Return the successor of each memory that has one, and those of the successors, by id."""
    found: dict[str, str] = {}
    wanted = {one for one in memories if one}
    for _ in range(_LONGEST):
        if not wanted:
            break
        marks = ",".join("?" * len(wanted))
        # Of two that clones wrote apart, the later one.
        sql = f"SELECT old, new FROM successors WHERE old IN ({marks}) ORDER BY new"  # noqa: S608 only marks
        rows = db.rows(sql, [*wanted])
        fresh = {old: new for old, new in rows if old != new}
        wanted = {new for new in fresh.values() if new not in found and new not in fresh}
        found.update(fresh)
    return found


def lift_scores(successors: Mapping[int, int], scores: dict[int, float], less: float) -> None:
    """Give each successor at least the score of what it superseded, and that so much `less`."""
    # As often as a chain has links, for a successor may have been superseded itself.
    for _ in successors:
        for old, new in successors.items():
            scores[new] = max(scores[new], scores[old])
    for old in successors:
        scores[old] *= 1 - less
    for _ in successors:
        for old, new in successors.items():
            scores[old] = min(scores[old], scores[new] * _BEHIND)
