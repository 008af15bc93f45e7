"""What decay does to a search: the fading come later, the dormant and archived only when asked."""

from __future__ import annotations

from molt.index.content import sources
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.index.search.candidates import Candidate
    from molt.memory.decay.scores import Scores

_ACTIVE = 0.5  # the least score of what is active: what fades is found by its share of it


class Sight(Value):
    """The second at which a search looks, and what it is to see beside the active and fading."""

    now: float
    dormant: bool = False
    archived: bool = False


def weigh_candidates(
    found: Iterable[Candidate], scores: Scores, sight: Sight
) -> list[tuple[Candidate, float]]:
    """The candidates that a search sees, by their scores times their decay factors, best first.

    The factor is 1 for the active and falls from there with the score. The dormant are also seen
    where nothing else is. Who asks for the archived sees the dormant as well.
    """
    seen = {"active", "fading"}
    if sight.dormant or sight.archived:
        seen.add("dormant")
    if sight.archived:
        seen.add("archived")
    standing = [(one, _find_standing(one, scores)) for one in found]
    if not any(state in seen for _, (state, _) in standing):
        seen.add("dormant")
    kept = [
        (_clear_mark(one, scores).replace(score=one.score * factor), factor)
        for one, (state, factor) in standing
        if state in seen
    ]
    # Equal scores stay in the order of the ranking.
    return sorted(kept, key=lambda pair: -pair[0].score)


def _clear_mark(one: Candidate, scores: Scores) -> Candidate:
    """A candidate without the name of a successor that was forgotten: it stands again."""
    gone = bool(one.corrected) and scores.is_forgotten(one.corrected)
    return one.replace(corrected="") if gone else one


def count_hidden(
    found: Iterable[Candidate], scores: Scores, shown: Iterable[Candidate]
) -> dict[str, int]:
    """How many memories that are not shown have words of what was asked, by status: they are there,
    and an answer that does not show them says so. What was forgotten is not.
    """
    seen = {one.chunk_id for one in shown}
    hidden: dict[str, set[str]] = {}
    for one in found:
        if one.bm25 > 0 and one.chunk_id not in seen:
            state = _find_standing(one, scores)[0]
            if state in ("dormant", "archived"):
                hidden.setdefault(state, set()).add(one.memory_id)
    return {state: len(hidden[state]) for state in sorted(hidden, reverse=True)}


def _find_standing(one: Candidate, scores: Scores) -> tuple[str, float]:
    """Status and factor; what is no memory of the workspace does not decay."""
    if one.memory_id and scores.is_forgotten(one.memory_id):
        return "forgotten", 0.0
    if not one.memory_id or sources.source_of(one.path) != "memory":
        return "active", 1.0
    found = scores.of(one.memory_id, one.origin)
    if found.status == "active":
        return "active", 1.0
    return found.status, found.score / _ACTIVE
