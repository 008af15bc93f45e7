"""The memories that are near to a message, as far as it is sure that they are."""

from __future__ import annotations

from molt.index.search.filters import NO_FILTERS, Filters
from molt.memory.recall import beside
from molt.memory.search import confidence, search, visible
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.hosts.session.moment import TalkMoment
    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.memory.search.search import Result

_STANDING = 0.45
"""How sure a preference or a standing order must be to be on the topic of a message."""


class NearbyRequest(Value):
    """How many memories, how sure each must be, and which are known already, by their ids."""

    most: int
    least: float
    known: frozenset[str] = frozenset()


def find_memories(moment: TalkMoment, query: str, wanted: NearbyRequest) -> tuple[Result, ...]:
    """The memories beside core memory that are about a text: preferences and standing orders on
    its topic first, then what is nearest.
    """
    day = moment.now.strftime("%Y-%m-%d")
    view = NO_FILTERS.view
    options = search.SearchOptions(
        limit=wanted.most + len(wanted.known),
        filters=Filters(view=view.replace(hidden=(*view.hidden, "core"))),
        today=lambda: day,
        sight=visible.Sight(moment.now.timestamp()),
        min_score=wanted.least,
        settled=True,
    )
    asked = search.SearchRequest(query, options, more=_find_standing, wide=options.limit)
    answer, standing = search.run_search(moment.ws, asked)
    rating = confidence.find_calibration(answer.provider, query)
    rules = (search.make_result(query, one, 1.0, {}, rating) for one in standing)
    sure = (one for one in rules if one.confidence >= min(_STANDING, wanted.least))
    every = {one.id: one for one in (*sure, *answer.results) if one.id not in wanted.known}
    return tuple(every.values())[: wanted.most]


def _find_standing(db: Db, found: Sequence[Candidate]) -> Sequence[Candidate]:
    return beside.find_standing(db, found)
