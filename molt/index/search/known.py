"""What the index knows of a text that is to be written: entities that it names, tags in use."""

from __future__ import annotations

import os

import apsw

from molt.index import db as dbs
from molt.index.search import entities
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from molt.index.search.entities import EntityRow

# So many passages tell which tags are in use: what was written last.
_RECENT = 400
_TAGS = (
    "SELECT DISTINCT tags FROM (SELECT tags FROM chunks ORDER BY id DESC LIMIT ?) WHERE tags<>''"
)


class KnownNames(Value):
    """The entities that a text names, in the order of their ids, and the tags used lately."""

    entities: tuple[EntityRow, ...] = ()
    tags: tuple[str, ...] = ()


class _RowReader:
    """Reads rows of an index and nothing else: opening one for a search, with its vectors, takes
    three times as long.
    """

    def __init__(self, con: apsw.Connection) -> None:
        self._con = con

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return list(self._con.execute(sql, values))


def look_up(path: str, text: str) -> KnownNames:
    """What the index at `path` knows of a text; nothing if there is no index that can be read.

    Takes a few look-ups of the text's own words, however many entities there are.
    """
    if not os.path.exists(path):
        return KnownNames()
    try:
        con = dbs.connect_reading(path)
    except (apsw.Error, OSError):
        return KnownNames()
    try:
        return _read_names(_RowReader(con), text)
    except apsw.Error:
        return KnownNames()
    finally:
        con.close()


def _read_names(db: _RowReader, text: str) -> KnownNames:
    mark = db.rows("SELECT value FROM meta WHERE key='fingerprint'")
    if not mark or str(mark[0][0]).partition("|")[0] != dbs.VERSION:
        return KnownNames()
    stems = entities.find_mentioned(db, text)
    rows = entities.load_entities(db, stems) if stems else {}
    used = [tag for (tags,) in db.rows(_TAGS, (_RECENT,)) for tag in tags.split("\x1f")]
    return KnownNames(tuple(rows.values()), tuple(dict.fromkeys(filter(None, used))))
