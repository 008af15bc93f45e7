"""A choice among the memories of the index that something outside of it has made."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from molt.index.db import Db

# A row of this length is not part of another line by chance.
_LONG = 200
CONDITION = "c.id IN (SELECT id FROM temp.chosen)"
"""What rows `c` of chunks must be, once `mark_chunks` was called; an error where it was not."""


class Chosen(Value):
    """Memories by their ids, by the paths of files that are one memory, and, if they have no id, by
    the lines that they hold, for each path.
    """

    ids: frozenset[str]
    paths: frozenset[str]
    lines: Mapping[str, frozenset[str]]


def mark_chunks(db: Db, chosen: Chosen) -> None:
    """Tell this connection which chunks are chosen. Extra files and transcripts never are."""
    db.con.execute("DROP TABLE IF EXISTS temp.chosen")
    db.con.execute("CREATE TEMP TABLE chosen(id INTEGER PRIMARY KEY)")
    db.con.executemany(
        "INSERT INTO temp.chosen VALUES(?)", ((one,) for one in _chosen_chunks(db, chosen))
    )


def _chosen_chunks(db: Db, chosen: Chosen) -> Iterator[int]:
    rows = db.rows("SELECT id, path, memory_id FROM chunks WHERE store NOT IN ('extra', 'session')")
    for number, path, memory in rows:
        whole = memory in chosen.ids or path in chosen.paths
        if whole or (not memory and _holds_line(db, number, chosen.lines.get(path))):
            yield number


def _holds_line(db: Db, number: int, lines: frozenset[str] | None) -> bool:
    """Whether a chunk holds one of some lines, or a piece of a long line that was cut."""
    if not lines:
        return False
    ((text,),) = db.rows("SELECT text FROM chunks WHERE id=?", (number,))
    rows = [row.strip() for row in text.split("\n")]
    ends = [row for row in (rows[0], rows[-1]) if len(row) > _LONG]
    return not lines.isdisjoint(rows) or any(row in line for row in ends for line in lines)
