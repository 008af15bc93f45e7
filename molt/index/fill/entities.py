"""What the files of entities say of the graph, as rows of the index."""

from __future__ import annotations

from molt.formats import entity, ids, paths
from molt.index.content import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.db import Db


def put_entity(db: Db, path: str, text: str) -> None:
    """Keep what the file of an entity says of the graph; nothing for another file."""
    stem = _entity_stem(path)
    if not stem:
        return
    _delete_rows(db, stem)
    one = entity.parse_entity(text, stem)
    aliases = "\x1f".join(one.aliases)
    db.con.execute("INSERT INTO entities VALUES(?,?,?,?)", (stem, one.type, one.label, aliases))
    for name in {ids.slug(name) for name in (stem.partition("--")[2], one.label, *one.aliases)}:
        if name not in words.STOP:
            db.con.execute("INSERT INTO names VALUES(?,?)", (name, stem))
    for edge in one.relations:
        db.con.execute(
            "INSERT INTO edges VALUES(?,?,?,?)", (stem, edge.word, edge.target, edge.note)
        )


def drop_entity(db: Db, path: str) -> None:
    """Forget what a file said of the graph."""
    if stem := _entity_stem(path):
        _delete_rows(db, stem)


def _entity_stem(path: str) -> str:
    stem = path.removeprefix(paths.ENTITIES).removesuffix(".md")
    return stem if path == f"{paths.ENTITIES}{stem}.md" and "/" not in stem else ""


def _delete_rows(db: Db, stem: str) -> None:
    for table, column in (("entities", "stem"), ("names", "stem"), ("edges", "source")):
        db.con.execute(f"DELETE FROM {table} WHERE {column}=?", (stem,))  # noqa: S608
