"""What the index holds of one file: chunks, their words and places, and the units they are in."""

from __future__ import annotations

from itertools import takewhile

from molt.formats import successors
from molt.index import db as dbs
from molt.index.content import bulk, chunk_sources, sources, speakers, words
from molt.index.fill import entities
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.index.content.chunks import Chunk
    from molt.index.db import Db

    _Statement = tuple[str, tuple[object, ...]]

_DELETE = (
    "DELETE FROM fts WHERE rowid=?",
    "DELETE FROM vectors WHERE id=?",
    "DELETE FROM pending WHERE id=?",
    "DELETE FROM places WHERE id=?",
    "DELETE FROM chunks WHERE id=?",
)
_DELETE_BITS = ("DELETE FROM bits WHERE rowid=?",)
_CHUNK = "INSERT INTO chunks VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_WORDS = "INSERT INTO fts(rowid, text) VALUES(?,?)"
_PLACE = "INSERT INTO places VALUES(?,?,?,?,?,?)"
_PENDING = "INSERT INTO pending VALUES(?)"
_UNIT = "INSERT INTO units VALUES(?,?,?)"
_SUCCESSOR = "INSERT INTO successors VALUES(?,?,?)"
_FILE = "INSERT OR REPLACE INTO files VALUES(?,?)"
_NUMBERS = (
    "SELECT (SELECT coalesce(max(id), 0) FROM chunks), (SELECT coalesce(max(memory), 0)"
    " FROM places), (SELECT coalesce(max(id), 0) FROM units)"
)
# Characters that are held before they are written.
_HELD = 1 << 20


class _ChunkRow(Value):
    """One indexed chunk: its number, what it is made of, and its place."""

    id: int
    content: tuple[object, ...]
    speaker: str
    memory: int
    unit: int
    words: int


class _Numbers:
    """The highest numbers of chunks, memories and units that are given."""

    def __init__(self, db: Db) -> None:
        ((self.chunk, self.memory, self.unit),) = db.rows(_NUMBERS)


class Filling:
    """Files on their way into the index, in one transaction of the caller's. Rows are held and
    written together, the last by `flush`: of many short files, a statement for each row would
    cost more than the row. `vectors` says whether chunks are to have one later.
    """

    def __init__(self, db: Db, *, vectors: bool) -> None:
        self._db = db
        self._vectors = vectors
        self._files: list[tuple[str, list[_Statement]]] = []
        self._held = 0
        self._writing = False
        self._numbers: _Numbers | None = None
        self._speakers = {"": 0}

    def put(self, path: str, oid: str, data: bytes) -> None:
        """Index the bytes of a file instead of what the index holds of it.

        Chunks at the start that stay as they are keep their rows, and so their vectors: most
        files only grow.
        """
        text = data.decode("utf-8", "replace")
        pieces = chunk_sources.chunk_source(path, text)
        contents = [_chunk_content(path, piece) for piece in pieces]
        rows: list[_Statement] = []
        kept: Sequence[_ChunkRow] = ()
        if self._db.rows("SELECT 1 FROM files WHERE path=?", (path,)):
            # What is deleted must be before what is written, and all of it be there.
            self.flush()
            there = _read_rows(self._db, path)
            kept = _kept_rows(self._db, there, pieces, contents)
            rows += _list_deletions(self._db, path, [row.id for row in there[len(kept) :]])
        rows += entities.list_rows(path, text)
        rows += (
            (_SUCCESSOR, (one.old, one.new, path)) for one in successors.list_successors(path, text)
        )
        rows += self._list_chunks(path, pieces, contents, kept)
        rows.append((_FILE, (path, oid)))
        self._files.append((path, rows))
        self._held += len(text)
        if self._held >= _HELD:
            self.flush()

    def drop(self, path: str) -> None:
        """Forget a file."""
        self.flush()
        _drop_rows(self._db, path)

    def flush(self) -> None:
        """Write what is held."""
        grouped: dict[str, list[tuple[object, ...]]] = {}
        for _, rows in self._files:
            for sql, values in rows:
                grouped.setdefault(sql, []).append(values)
        self._writing = True
        for sql, every in grouped.items():
            self._db.con.executemany(sql, every)
        self._writing = False
        self._files, self._held = [], 0
        # What is deleted meanwhile gives numbers back.
        self._numbers = None

    def stop(self) -> None:
        """Keep the files that are whole after an interruption, and no part of another."""
        if not self._writing:
            self.flush()
            return
        for path, _ in self._files:
            _drop_rows(self._db, path)

    def _list_chunks(
        self,
        path: str,
        pieces: Sequence[Chunk],
        contents: Sequence[tuple[object, ...]],
        kept: Sequence[_ChunkRow],
    ) -> Iterator[_Statement]:
        """What adds the chunks of a file that follow those that are kept."""
        numbers = self._numbers = self._numbers or _Numbers(self._db)
        fresh = pieces[len(kept) :]
        texts = [words.index_text(_indexed_text(path, piece)) for piece in fresh]
        sizes = [*(row.words for row in kept), *(len(text.split()) for text in texts)]
        units = _measure_units(pieces, sizes)
        found = {
            piece.unit: row.unit for row, piece in zip(kept, pieces, strict=False) if piece.unit
        }
        for unit, size in units.items():
            if unit not in found:
                numbers.unit += 1
                found[unit] = numbers.unit
            yield _UNIT, (found[unit], path, size)
        # A memory's number is that of its neighbours and one; no memory of another file is one.
        start = min((piece.place for piece in pieces), default=0)
        first = kept[0].memory - pieces[0].place if kept else numbers.memory + 2 - start
        for at, (piece, body) in enumerate(zip(fresh, texts, strict=True), len(kept)):
            numbers.chunk += 1
            number, content, memory = numbers.chunk, contents[at], first + piece.place
            numbers.memory = max(numbers.memory, memory)
            place = (number, memory, found.get(piece.unit, 0), sizes[at])
            said = self._number_speaker(piece.speaker)
            yield _CHUNK, (number, *content[:8], piece.text, *content[8:])
            yield _WORDS, (number, body)
            yield _PLACE, (*place, said, _choose_flags(piece))
            if self._vectors:
                yield _PENDING, (number,)

    def _number_speaker(self, name: str) -> int:
        known = self._speakers.get(name)
        if known is None:
            self._db.con.execute("INSERT OR IGNORE INTO speakers VALUES(NULL,?)", (name,))
            rows = self._db.rows("SELECT id FROM speakers WHERE name=?", (name,))
            known = self._speakers[name] = int(rows[0][0])
        return known


def _choose_flags(piece: Chunk) -> int:
    """What the words of a piece are, and where they come from."""
    flags = speakers.turn_flags(piece.speaker, piece.text)
    flags |= speakers.WORKSPACE * (piece.store == sources.WORKSPACE)
    flags |= speakers.DOCUMENT * (piece.store in (sources.DOCUMENTS, "extra"))
    return flags | speakers.BULK * (piece.type in bulk.KINDS and not piece.memory_id)


def put_file(db: Db, path: str, oid: str, data: bytes, *, vectors: bool) -> None:
    """Index one file, as `Filling.put` does."""
    filling = Filling(db, vectors=vectors)
    filling.put(path, oid, data)
    filling.flush()


def drop_file(db: Db, path: str) -> None:
    """Forget one file."""
    Filling(db, vectors=False).drop(path)


def _drop_rows(db: Db, path: str) -> None:
    numbers = db.rows("SELECT id FROM chunks WHERE path=?", (path,))
    for sql, values in _list_deletions(db, path, [number for (number,) in numbers]):
        db.con.execute(sql, values)
    # Last: a file whose drop was interrupted is still known, and dropped again.
    db.con.execute("DELETE FROM files WHERE path=?", (path,))


def _list_deletions(db: Db, path: str, numbers: Sequence[int]) -> Iterator[_Statement]:
    """What forgets some chunks of a file, and all else of it."""
    yield from entities.list_deletions(path)
    yield "DELETE FROM units WHERE path=?", (path,)
    yield "DELETE FROM successors WHERE path=?", (path,)
    for sql in (*_DELETE, *(_DELETE_BITS if db.vec and db.meta("vec") else ())):
        yield from ((sql, (number,)) for number in numbers)
    if numbers:
        yield "INSERT OR REPLACE INTO meta VALUES('deleted', ?)", ("1",)


def _measure_units(pieces: Sequence[Chunk], sizes: Sequence[int]) -> dict[str, int]:
    """The words of each conversation or day of a file, by its name."""
    found: dict[str, int] = {}
    for piece, size in zip(pieces, sizes, strict=True):
        if piece.unit:
            found[piece.unit] = found.get(piece.unit, 0) + size
    return found


def _chunk_content(path: str, piece: Chunk) -> tuple[object, ...]:
    """What a row of `chunks` says, but for its number and its text."""
    return (
        *(path, piece.start, piece.end, piece.memory_id, piece.store, piece.type),
        *(
            "\x1f".join(piece.tags),
            piece.date,
            dbs.hash_bytes(piece.text.encode("utf-8", "replace")),
        ),
        *(piece.origin.written, piece.origin.base, int(piece.origin.pinned), piece.scope),
        piece.origin.until,
    )


def _read_rows(db: Db, path: str) -> list[_ChunkRow]:
    sql = (
        "SELECT c.id, c.path, first, last, memory_id, store, type, tags, date, hash,"
        " written, base, pinned, scope, until,"
        " coalesce(s.name, ''), memory, unit, words FROM chunks c JOIN places p ON p.id = c.id"
        " LEFT JOIN speakers s ON s.id = p.speaker WHERE c.path=? ORDER BY c.id"
    )
    return [_ChunkRow(row[0], tuple(row[1:15]), *row[15:]) for row in db.rows(sql, (path,))]


def _kept_rows(
    db: Db,
    there: Sequence[_ChunkRow],
    pieces: Sequence[Chunk],
    contents: Sequence[tuple[object, ...]],
) -> Sequence[_ChunkRow]:
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
    if not single or (grows and there[-1].memory != _Numbers(db).memory):
        return ()
    return [row for row, _ in pairs]


def _indexed_text(path: str, piece: Chunk) -> str:
    """The words by which a piece is found: its own, its tags, and the name of its file."""
    named = " ".join(filter(None, (*piece.tags, _name_file(path, piece))))
    return f"{piece.text} {named} " if named else piece.text


def _name_file(path: str, piece: Chunk) -> str:
    """The words of the name that somebody gave a file; days and imports are numbered."""
    if piece.unit or piece.store in ("core", "session") or path.startswith("memory/imported/"):
        return ""
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")
