"""Chunks read without a ranking: those of some files, of a folder, of some days."""

from __future__ import annotations

from molt.formats import paths as layout
from molt.formats.origin import Origin
from molt.index.search import candidates
from molt.index.search.filters import build_condition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.index.search.dates import Span
    from molt.index.search.filters import Filters

# Sorts after everything that a name may go on with.
_LAST = "\U0010ffff"
ANY = ("0", "9")
"""All days, as the first and the last one that a name may begin with."""


def read_files(db: Db, paths: Sequence[str], filters: Filters) -> list[Candidate]:
    """The chunks of some files that pass the filters, in the order of the files."""
    condition, values = build_condition(filters)
    marks = ",".join("?" * len(paths))
    sql = f"SELECT {candidates.FIELDS} FROM chunks c WHERE c.path IN ({marks})"  # noqa: S608 our own
    sql += f" AND {condition}" if condition else ""
    found = list(map(candidates.make_candidate, db.rows(sql, (*paths, *values))))
    place = {path: at for at, path in enumerate(paths)}
    return sorted(found, key=lambda one: (place[one.path], one.start, one.chunk_id))


def read_origins(db: Db) -> dict[str, Origin]:
    """What notes say of themselves, by their ids. Entries and bullets are left out, as listing them
    means reading their files anyway.
    """
    stores = "('semantic', 'procedural', 'vault')"
    sql = f"SELECT memory_id, written, base, pinned, until FROM chunks WHERE store IN {stores}"  # noqa: S608
    rows = db.rows(sql)
    return {name: Origin(at, base, bool(pin), until) for name, at, base, pin, until in rows}


def read_folder(db: Db, folder: str, filters: Filters, most: int) -> list[Candidate]:
    """The chunks of the first `most` files in a folder that pass the filters."""
    return read_files(db, _paths_between(db, folder, folder + _LAST, most), filters)


def read_days(db: Db, first: str, last: str, filters: Filters, most: int) -> list[Candidate]:
    """The chunks of the logs of the newest `most` days between two days (or prefixes of days), the
    newest day first, each day in order.
    """
    paths = [
        path
        for folder in (layout.EPISODES, "memory/")
        for path in _paths_between(db, folder + first, folder + last + _LAST, most, newest=True)
        if layout.find_named_day(path)
    ]
    paths.sort(key=layout.find_named_day, reverse=True)
    return read_files(db, paths[:most], filters)


def range_of(span: Span) -> tuple[str, str] | None:
    """The first and the last day that a span means, or the prefix of them; None for any year."""
    if span.since:
        return span.since, span.until
    if not span.year:
        return None
    parts = (f"{span.year:04}", f"{span.month:02}", f"{span.day:02}")
    known = parts[: 1 + bool(span.month) + bool(span.month and span.day)]
    return "-".join(known), "-".join(known)


def _paths_between(db: Db, first: str, last: str, most: int, *, newest: bool = False) -> list[str]:
    order = "DESC" if newest else "ASC"
    sql = f"SELECT path FROM files WHERE path >= ? AND path < ? ORDER BY path {order} LIMIT ?"  # noqa: S608
    return [path for (path,) in db.rows(sql, (first, last, most))]
