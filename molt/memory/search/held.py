"""What a search finds of what is held back: shown behind all else, each with its mark.

The index has none of it. The lines are few, and are indexed in memory for each question.
"""

from __future__ import annotations

from molt.index import copies
from molt.index.content import sources
from molt.index.fill import sync
from molt.index.search import candidates
from molt.memory.held import quarantine, withheld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.search.candidates import Candidate
    from molt.index.search.filters import Filters
    from molt.memory.held.withheld import Held
    from molt.memory.workspace import Workspace


def find_held(
    ws: Workspace, held: Held, text: str, filters: Filters, limit: int
) -> tuple[tuple[Candidate, str], ...]:
    """The held pieces that have words of a text, best first, each with its mark."""
    open_ = {one.commit: one for one in quarantine.list_quarantined(held)}
    tree = withheld.show_held(ws.files(), held)
    # A path that is none: nothing is copied.
    db = copies.open_copy("", "none")
    try:
        source = sync.Source(tree, documents=sources.DOCUMENTS in ws.config.search_sources)
        sync.freshen(db, source, budget_ms=0, provider=None)
        ranking = candidates.Ranking(None, ws.config.search_fusion)
        found = candidates.find_candidates(db, text, limit=limit, filters=filters, ranking=ranking)
    finally:
        db.close()
    marked = ((one, _find_mark(one, held)) for one in found if one.bm25 > 0)
    return tuple(
        (one, f"{oid[:10]} {','.join(open_[oid].codes)}") for one, oid in marked if oid in open_
    )


def _find_mark(one: Candidate, held: Held) -> str:
    """The commit that has brought the first held line of a piece."""
    rows = held.lines.get(one.path, {})
    texts = map(withheld.fold_line, one.text.split("\n"))
    return next((rows[text] for text in texts if text in rows), next(iter(rows.values()), ""))
