"""What the first message of a session needs, from the index."""

from __future__ import annotations

from molt.formats import bullets, origin
from molt.index.search.filters import Filters
from molt.memory.decay import formula
from molt.memory.decay import scores as decay_scores
from molt.memory.recall import recall
from molt.memory.search import search, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.formats.scopes import View
    from molt.memory.recall.recall import Recalled
    from molt.memory.workspace import Workspace


def weigh_bullets(
    ws: Workspace, core: str, now: datetime, query: str, view: View
) -> dict[str, float]:
    """What the bullets of core memory matter: how much each was used of late, from 0 to 1, and
    above that, by a query, the score that a search for it gives.
    """
    fading = formula.read_fading(ws.config)
    scores = decay_scores.load_scores(ws.repo, ws.head(), now.timestamp(), fading)
    names = [one.id for one in bullets.core_bullets(core)]
    weights = {name: scores.of(name, origin.read_bullet(name)).score for name in names}
    if query:
        only = Filters(stores=("core",), view=view)
        options = search.SearchOptions(limit=len(names) + 1, filters=only, min_score=0.0)
        for one in search.search(ws, query, options).results:
            if one.id in weights:
                weights[one.id] += 1 + one.score
    return weights


def recall_query(ws: Workspace, query: str, now: datetime, view: View, most: int) -> Recalled:
    """What a query recalls beside core memory, in at most so many tokens."""
    today = now.strftime("%Y-%m-%d")
    options = search.SearchOptions(
        filters=Filters(view=view.replace(hidden=(*view.hidden, "core"))),
        today=lambda: today,
        sight=visible.Sight(now.timestamp()),
    )
    return recall.answer_question(ws, query, options, max_tokens=most)
