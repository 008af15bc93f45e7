"""The index brought up whenever files change, as long as somebody lets it."""

from __future__ import annotations

from molt.memory.search import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.memory.search.index import Outcome
    from molt.memory.workspace import Workspace


def watch_files(
    ws: Workspace,
    pause: Callable[[float], bool],
    *,
    seconds: float = 2.0,
    told: Callable[[Outcome], None] | None = None,
) -> None:
    """Bring the index up whenever files change, until `pause` (which waits so long) is true."""
    seen: object = None
    while True:
        now = _make_signature(ws)
        if now != seen:
            outcome = index.build_index(ws)
            # A failed provider is asked again at the next turn.
            seen = None if outcome.failure else now
            if told and (outcome.updated or outcome.failure):
                told(outcome)
        if pause(seconds):
            return


def _make_signature(ws: Workspace) -> object:
    """What differs after any change of the files that are searched."""
    source = index.find_source(ws)
    tree, base = source.tree, source.base
    others: object = None
    if ws.config.search_extra_paths or "sessions" in ws.config.search_sources:
        from molt.memory.search import sessions

        others = frozenset(sessions.find_sources(ws, everything=False).versions.items())
    if base is None:
        return others, frozenset((path, entry.oid) for path, entry in tree.entries().items())
    return others, base.id, frozenset((path, tree.entry(path)) for path in base.dirty)
