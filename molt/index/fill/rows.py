"""What the index holds of one file: chunks, their words and places, and the units they are in."""

from __future__ import annotations

from itertools import takewhile

from molt.index import db as dbs
from molt.index.content import sources, speakers, words
from molt.index.fill import entities
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.index.content.chunks import Chunk
    from molt.index.db import Db


class _Row(Value):
    """One indexed chunk: its number, what it is made of, and its place."""

    id: int
    content: tuple[object, ...]
    speaker: str
    memory: int
    unit: int
    words: int


def put_file(db: Db, path: str, oid: str, data: bytes, *, vectors: bool) -> None:
    """Index the bytes of a file instead of what the index holds of it; `vectors` as wanted later.

    Chunks at the start that stay as they are keep their rows, and so their vectors: most files
    only grow.
    """
    text = data.decode("utf-8", "replace")
    pieces = sources.chunk_source(path, text)
    entities.put_entity(db, path, text)
    contents = [_chunk_content(path, piece) for piece in pieces]
    there = _read_rows(db, path)
    kept = _kept_rows(db, there, pieces, contents)
    _delete_chunks(db, [row.id for row in there[len(kept) :]])
    texts = [words.index_text(_indexed_text(piece)) for piece in pieces[len(kept) :]]
    sizes = [*(row.words for row in kept), *(len(text.split()) for text in texts)]
    units = _number_units(db, path, pieces, sizes, kept)
    # A memory's number is that of its neighbours and one; no memory of another file is one.
    start = min((piece.place for piece in pieces), default=0)
    first = kept[0].memory - pieces[0].place if kept else _last_memory(db) + 2 - start
    for number in range(len(kept), len(pieces)):
        piece = pieces[number]
        db.con.execute(
            "INSERT INTO chunks VALUES(NULL,?,?,?,?,?,?,?,?,?,?)",
            (*contents[number][:8], piece.text, contents[number][8]),
        )
        row = db.con.last_insert_rowid()
        db.con.execute("INSERT INTO fts(rowid, text) VALUES(?,?)", (row, texts[number - len(kept)]))
        db.con.execute(
            "INSERT INTO places VALUES(?,?,?,?,?,?)",
            (
                *(row, first + piece.place, units.get(piece.unit, 0), sizes[number]),
                *(
                    _number_speaker(db, piece.speaker),
                    speakers.turn_flags(piece.speaker, piece.text),
                ),
            ),
        )
        if vectors:
            db.con.execute("INSERT INTO pending VALUES(?)", (row,))
    db.con.execute("INSERT OR REPLACE INTO files VALUES(?,?)", (path, oid))


def drop_file(db: Db, path: str) -> None:
    """Forget a file."""
    _delete_chunks(
        db, [number for (number,) in db.rows("SELECT id FROM chunks WHERE path=?", (path,))]
    )
    entities.drop_entity(db, path)
    db.con.execute("DELETE FROM units WHERE path=?", (path,))
    # Last: a file whose drop was interrupted is still known, and dropped again.
    db.con.execute("DELETE FROM files WHERE path=?", (path,))


def _delete_chunks(db: Db, numbers: Sequence[int]) -> None:
    bits = ("bits",) if db.vec and db.meta("vec") else ()
    for number in numbers:
        for table in ("fts", *bits):
            db.con.execute(f"DELETE FROM {table} WHERE rowid=?", (number,))  # noqa: S608
        for table in ("vectors", "pending", "places", "chunks"):
            db.con.execute(f"DELETE FROM {table} WHERE id=?", (number,))  # noqa: S608
    if numbers:
        db.set_meta("deleted", "1")


def _chunk_content(path: str, piece: Chunk) -> tuple[object, ...]:
    """What a row of `chunks` says, but for its number and its text."""
    return (
        *(path, piece.start, piece.end, piece.memory_id, piece.store, piece.type),
        *(
            "\x1f".join(piece.tags),
            piece.date,
            dbs.hash_bytes(piece.text.encode("utf-8", "replace")),
        ),
    )


def _read_rows(db: Db, path: str) -> list[_Row]:
    sql = (
        "SELECT c.id, c.path, first, last, memory_id, store, type, tags, date, hash,"
        " coalesce(s.name, ''), memory, unit, words FROM chunks c JOIN places p ON p.id = c.id"
        " LEFT JOIN speakers s ON s.id = p.speaker WHERE c.path=? ORDER BY c.id"
    )
    return [_Row(row[0], tuple(row[1:10]), *row[10:]) for row in db.rows(sql, (path,))]


def _kept_rows(
    db: Db, there: Sequence[_Row], pieces: Sequence[Chunk], contents: Sequence[tuple[object, ...]]
) -> Sequence[_Row]:
    """The rows that stay: those at the start that say what the new pieces say, in their places.

    None stay where what follows could not be numbered next to them, or where units are others.
    """
    if not there or not pieces:
        return ()
    first = there[0].memory - pieces[0].place
    same = takewhile(
        lambda pair: (
            pair[0].content == pair[2]
            and pair[0].speaker == pair[1].speaker
            and pair[0].memory == first + pair[1].place
        ),
        zip(there, pieces, contents, strict=False),
    )
    pairs = [(row, piece) for row, piece, _ in same]
    names = {(piece.unit, row.unit) for row, piece in pairs}
    single = len({name for name, _ in names}) == len({unit for _, unit in names}) == len(names)
    grows = len(pairs) < len(pieces)
    if not single or (grows and there[-1].memory != _last_memory(db)):
        return ()
    return [row for row, _ in pairs]


def _last_memory(db: Db) -> int:
    return int(db.rows("SELECT max(memory) FROM places")[0][0] or 0)


def _indexed_text(piece: Chunk) -> str:
    return f"{piece.text} {' '.join(piece.tags)} " if piece.tags else piece.text


def _number_units(
    db: Db, path: str, pieces: Sequence[Chunk], sizes: Sequence[int], kept: Sequence[_Row]
) -> dict[str, int]:
    """The numbers of the conversations or days of a file, by name; kept rows keep theirs."""
    total: dict[str, int] = {}
    for piece, size in zip(pieces, sizes, strict=True):
        if piece.unit:
            total[piece.unit] = total.get(piece.unit, 0) + size
    found = {piece.unit: row.unit for row, piece in zip(kept, pieces, strict=False) if piece.unit}
    db.con.execute("DELETE FROM units WHERE path=?", (path,))
    for unit, size in total.items():
        db.con.execute("INSERT INTO units VALUES(?,?,?)", (found.get(unit), path, size))
        found[unit] = db.con.last_insert_rowid()
    return found


def _number_speaker(db: Db, name: str) -> int:
    if not name:
        return 0
    db.con.execute("INSERT OR IGNORE INTO speakers VALUES(NULL,?)", (name,))
    return int(db.rows("SELECT id FROM speakers WHERE name=?", (name,))[0][0])
