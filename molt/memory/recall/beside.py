"""What belongs to what was found: what stands beside the best, and what holds for its topic."""

from __future__ import annotations

from molt.index.content import speakers
from molt.index.search import candidates, rank
from molt.index.search.filters import build_condition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.index.search.filters import Filters

# So many of the best are shown with the turn after and the turn before them. On conversations that
# gives 0.7 in a hundred more of the evidence at 1,500 tokens, with ten of them 0.5 less.
_BEST = 3
_STEPS = (1, -1)
# Characters: a long answer of an assistant would take the place of three other memories.
_SHORT = 300
_RULES = 5


def find_standing(db: Db, found: Sequence[Candidate]) -> list[Candidate]:
    """The standing instructions and preferences among what was found that are on its topic."""
    near = [one for one in found if one.vector >= rank.TOPIC or one.share >= rank.TOPIC]
    marks = ",".join("?" * len(near))
    will = speakers.STANDING | speakers.PREFERS
    sql = f"SELECT id FROM places WHERE id IN ({marks}) AND flags & {will}"  # noqa: S608 our own
    told = {number for (number,) in db.rows(sql, [one.chunk_id for one in near])}
    return [one for one in near if one.chunk_id in told][:_RULES]


def read_neighbours(db: Db, found: Sequence[Candidate], filters: Filters) -> Iterator[Candidate]:
    """The short memories that stand beside the best of what was found, in its conversation or day:
    of each the one after it first, for it may be the answer.
    """
    condition, values = build_condition(filters)
    sql = f"SELECT {candidates.FIELDS} FROM places h JOIN places p ON p.memory=h.memory+?"  # noqa: S608
    sql += " AND p.unit=h.unit JOIN chunks c ON c.id=p.id WHERE h.id=? AND length(c.text)<=?"
    sql += f" AND {condition}" if condition else ""
    for one in found[:_BEST]:
        for step in _STEPS if one.unit else ():
            rows = db.rows(sql, (step, one.chunk_id, _SHORT, *values))
            yield from map(candidates.make_candidate, rows)
