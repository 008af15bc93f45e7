"""Which types of memories can be asked for: those that molt gives, and those that notes have."""

from __future__ import annotations

from molt import errors
from molt.formats import entity, episodes, paths
from molt.index.content import bulk, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.index.db import Db

# What has no type of its own has the kind of its file.
_KINDS = (*paths.STORE_OF_KIND, "persona", "prose", "other", *sources.NAMES)
_GIVEN = frozenset((*episodes.TYPES, *entity.ENTITY_TYPES, *bulk.KINDS, *_KINDS))


def check_types(db: Db, wanted: Iterable[str]) -> None:
    """Raises Usage for a type that molt does not give and nothing in the index has."""
    for one in wanted:
        if one not in _GIVEN and not db.rows("SELECT 1 FROM chunks WHERE type=? LIMIT 1", (one,)):
            rows = db.rows("SELECT DISTINCT type FROM chunks WHERE type<>'' ORDER BY type")
            there = ", ".join(row[0] for row in rows) or "none"
            raise errors.Usage(f"no memory has the type {one!r}", f"there are: {there}")
