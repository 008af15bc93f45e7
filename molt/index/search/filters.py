"""What a search is restricted to, and the SQL that says so."""

from __future__ import annotations

from molt.formats import scopes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.formats.scopes import View

# Sources are told apart by the store that `chunk_sources` gives them.
_OF_SOURCE = {
    "memory": "c.store NOT IN ('workspace', 'documents', 'extra', 'session')",
    "workspace": "c.store = 'workspace'",
    "documents": "c.store = 'documents'",
    "extra": "c.store = 'extra'",
    "sessions": "c.store = 'session'",
}


class Filters(Value):
    """What candidates must be; an empty field asks for nothing. `path` is a prefix or a glob. Which
    memories are those of an `actor` is known from history alone, so `selected.mark_chunks` must
    have been called before. `view` is what the person or agent who asks may see.
    """

    stores: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    path: str = ""
    sources: tuple[str, ...] = ()
    actor: str = ""
    view: View = scopes.ALL


NO_FILTERS = Filters()


def build_condition(filters: Filters) -> tuple[str, list[Any]]:
    """The filters as an SQL condition on the rows `c` of chunks, with its values."""
    parts: list[str] = []
    values: list[Any] = []
    for column, fits, wanted in (
        ("store", "IN", filters.stores),
        ("type", "IN", filters.types),
        ("scope", "IN", filters.view.scopes),
        ("store", "NOT IN", filters.view.hidden),
    ):
        if wanted:
            parts.append(f"c.{column} {fits} ({','.join('?' * len(wanted))})")
            values += wanted
    for tag in filters.tags:
        parts.append("instr(char(31)||c.tags||char(31), char(31)||?||char(31))")
        values.append(tag)
    if filters.since:
        parts.append("c.date >= ?")
        values.append(filters.since)
    if filters.until:
        parts.append("c.date <> '' AND c.date <= ?")
        values.append(filters.until)
    if filters.sources:
        each = (_OF_SOURCE[one] for one in filters.sources)
        parts.append(f"({' OR '.join(each)})")
    if filters.path:
        parts.append("c.path GLOB ?")
        glob = filters.path if "*" in filters.path else f"{filters.path}*"
        values.append(glob)
    if filters.actor:
        from molt.index.search import selected

        parts.append(selected.CONDITION)
    return " AND ".join(parts), values
