"""Bring the index up to a tree: only files whose blobs changed are read."""

from __future__ import annotations

import time

from molt.index import chunks, sources, talk, vectors, words
from molt.index import db as dbs
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from molt.index.db import Db
    from molt.index.embed import Provider
    from molt.index.sources import Beyond
    from molt.trees import Entry, Tree


class Freshness(Value):
    """Chunks that have no vector yet, and files that were read or dropped."""

    stale: int
    updated: int


class Base(Value):
    """What the files on disk are built on: the id of a git tree and the paths that differ from it.

    `differing` gives what an earlier git tree has otherwise, path to the entry of this one; None
    where that cannot be told.
    """

    id: str
    dirty: frozenset[str]
    differing: Callable[[str], Mapping[str, Entry | None] | None]


def freshen(
    db: Db,
    tree: Tree,
    *,
    budget_ms: int,
    provider: Provider | None,
    base: Base | None = None,
) -> Freshness:
    """Index what changed. Keywords are always brought up; vectors as far as the budget goes.

    With a `base` only what differs from the last one is looked at; without, every file is.
    A damaged index is rebuilt.
    """
    try:
        return _freshen(db, tree, budget_ms, provider, base)
    except dbs.DAMAGED:
        db.rebuild()
        return _freshen(db, tree, budget_ms, provider, base)
    except dbs.UNWRITABLE as error:
        raise dbs.unwritable(db.path, error) from error


def _freshen(
    db: Db, tree: Tree, budget_ms: int, provider: Provider | None, base: Base | None
) -> Freshness:
    deadline = time.monotonic() + budget_ms / 1000
    updated = _keywords(db, tree, provider is not None, base)
    if provider is not None and provider.name != "static":
        # Vectors that take long are added to an index that serves already.
        db.publish()
    waiting = vectors.waiting(db)
    if waiting and provider is not None:
        vectors.fill(db, provider, deadline)
        waiting = vectors.waiting(db)
    db.publish()
    return Freshness(waiting, updated)


def follow(db: Db, tree: Tree, paths: Iterable[str], before: str, after: str) -> bool:
    """Index the files that one commit changed, from git tree `before` to `after`, keywords only.

    False, and nothing done, where the index is of another tree; the next `freshen` finds out.
    """
    db.con.execute("BEGIN IMMEDIATE")
    try:
        old, overlay = _place(db)
        loose = set(overlay.split("\0"))
        done = old == before
        for path in paths if done else ():
            # What is on disk otherwise is indexed as it is there.
            if path not in loose and chunks.is_memory(path):
                _drop(db, path)
                if oid := _oid(path, tree.entry(path)):
                    _add(db, path, oid, tree.read(path) or b"", db.dims > 0)
        if done:
            db.set_meta("base", after)
    except BaseException:
        if not db.con.get_autocommit():
            db.con.execute("ROLLBACK")
        raise
    db.con.execute("COMMIT")
    return done


def follow_sources(db: Db, beyond: Beyond, *, vectors: bool) -> int:
    """Index what other sources have that the index has not, and drop what they no longer have.

    Each file is committed by itself. Gives how many were read or dropped.
    """
    known: dict[str, str] = {}
    for prefix in sources.PREFIXES:
        # `;` follows `:`, so this is what begins with the prefix, found by the key.
        after = prefix[:-1] + ";"
        sql = "SELECT path, oid FROM files WHERE path >= ? AND path < ?"
        known.update(db.rows(sql, (prefix, after)))
    wanted = beyond.versions
    changed = {path: oid for path, oid in wanted.items() if known.get(path) != oid}
    changed.update((path, "") for path in known if path not in wanted)
    for path, oid in changed.items():
        data = beyond.read(path) if oid else b""
        db.con.execute("BEGIN IMMEDIATE")
        try:
            _drop(db, path)
            if oid:
                _add(db, path, oid, data, vectors)
        except BaseException:
            if not db.con.get_autocommit():
                db.con.execute("ROLLBACK")
            raise
        db.con.execute("COMMIT")
    return len(changed)


def outdated(db: Db, tree: Tree) -> int:
    """How many files of a tree the index has not, has otherwise, or should not have."""
    return len(_changed(db, tree, None, ("", "")))


def _place(db: Db) -> tuple[str, str]:
    """The base that is indexed, and the paths that were on disk otherwise, NUL-separated."""
    return db.meta("base"), db.meta("overlay")


def _changed(db: Db, tree: Tree, base: Base | None, place: tuple[str, str]) -> dict[str, str]:
    """The paths whose indexed blob is not that of the tree, with the one it has; "" for none."""
    found = None if base is None else _nearby(tree, base, place)
    if found is None:
        every = tree.entries()
        rows = db.rows("SELECT path, oid FROM files")
        known = {path: oid for path, oid in rows if not path.startswith(sources.PREFIXES)}
        wanted = {path: _oid(path, entry) for path, entry in every.items()}
        wanted = {**dict.fromkeys(known, ""), **wanted}
        return {path: oid for path, oid in wanted.items() if known.get(path, "") != oid}
    wanted = {path: _oid(path, entry) for path, entry in found.items()}
    return {path: oid for path, oid in wanted.items() if _indexed(db, path) != oid}


def _indexed(db: Db, path: str) -> str:
    rows = db.rows("SELECT oid FROM files WHERE path=?", (path,))
    return str(rows[0][0]) if rows else ""


def _nearby(tree: Tree, base: Base, place: tuple[str, str]) -> dict[str, Entry | None] | None:
    """What may differ from the indexed tree; None where only a full comparison can tell."""
    old, overlay = place
    if not old:
        return None
    found: dict[str, Entry | None] = {}
    if old != base.id:
        differing = base.differing(old)
        if differing is None:
            return None
        found.update(differing)
    loose: Iterable[str] = base.dirty.union(filter(None, overlay.split("\0")))
    found.update((path, tree.entry(path)) for path in loose if chunks.is_memory(path))
    return found


def _oid(path: str, entry: Entry | None) -> str:
    plain = entry is not None and entry.mode in (0o100644, 0o100755)
    return entry.oid if entry is not None and plain and chunks.is_memory(path) else ""


def _keywords(db: Db, tree: Tree, vectors: bool, base: Base | None) -> int:
    place = _place(db)
    changed = _changed(db, tree, base, place)
    wanted = (base.id, "\0".join(sorted(base.dirty))) if base else ("", "")
    if not changed and wanted == place:
        return 0
    db.con.execute("BEGIN IMMEDIATE")
    try:
        if _place(db) != place:
            # Another process did the same work, or other, while this one waited.
            changed = _changed(db, tree, base, _place(db))
        for path, oid in changed.items():
            _drop(db, path)
            if oid:
                _add(db, path, oid, tree.read(path) or b"", vectors)
        db.set_meta("base", wanted[0])
        db.set_meta("overlay", wanted[1])
    except KeyboardInterrupt:
        # What is indexed is kept; without a base the next call compares every file.
        db.set_meta("base", "")
        db.con.execute("COMMIT")
        raise
    except BaseException:
        if not db.con.get_autocommit():
            db.con.execute("ROLLBACK")
        raise
    db.con.execute("COMMIT")
    return len(changed)


def _drop(db: Db, path: str) -> None:
    numbers = db.rows("SELECT id FROM chunks WHERE path=?", (path,))
    for (number,) in numbers:
        for table in ("fts", *(("bits",) if db.vec and db.meta("vec") else ())):
            db.con.execute(f"DELETE FROM {table} WHERE rowid=?", (number,))  # noqa: S608
        for table in ("vectors", "pending", "places", "chunks"):
            db.con.execute(f"DELETE FROM {table} WHERE id=?", (number,))  # noqa: S608
    db.con.execute("DELETE FROM units WHERE path=?", (path,))
    # Last: a file whose drop was interrupted is still known, and dropped again.
    db.con.execute("DELETE FROM files WHERE path=?", (path,))
    if numbers:
        db.set_meta("deleted", "1")


def _add(db: Db, path: str, oid: str, data: bytes, vectors: bool) -> None:
    con = db.con
    pieces = sources.pieces(path, data.decode("utf-8", "replace"))
    texts = [words.index_text(_indexed_text(piece)) for piece in pieces]
    sizes = [len(text.split()) for text in texts]
    units = _units(db, path, pieces, sizes)
    memory = (db.rows("SELECT max(memory) FROM places")[0][0] or 0) + 1
    for piece, text, size in zip(pieces, texts, sizes, strict=True):
        digest = dbs.digest(piece.text.encode("utf-8", "replace"))
        con.execute(
            "INSERT INTO chunks VALUES(NULL,?,?,?,?,?,?,?,?,?,?)",
            (
                *(path, piece.start, piece.end, piece.memory_id, piece.store, piece.type),
                *("\x1f".join(piece.tags), piece.date, piece.text, digest),
            ),
        )
        number = con.last_insert_rowid()
        con.execute("INSERT INTO fts(rowid, text) VALUES(?,?)", (number, text))
        flags = talk.flags(piece.speaker, piece.text)
        place = (memory + piece.place, units.get(piece.unit, 0), size, _speaker(db, piece.speaker))
        con.execute("INSERT INTO places VALUES(?,?,?,?,?,?)", (number, *place, flags))
        if vectors:
            con.execute("INSERT INTO pending VALUES(?)", (number,))
    con.execute("INSERT OR REPLACE INTO files VALUES(?,?)", (path, oid))


def _indexed_text(piece: chunks.Chunk) -> str:
    return f"{piece.text} {' '.join(piece.tags)} " if piece.tags else piece.text


def _units(
    db: Db, path: str, pieces: Sequence[chunks.Chunk], sizes: Sequence[int]
) -> dict[str, int]:
    """The numbers of the conversations or days that a file holds, by name."""
    total: dict[str, int] = {}
    for piece, size in zip(pieces, sizes, strict=True):
        if piece.unit:
            total[piece.unit] = total.get(piece.unit, 0) + size
    found: dict[str, int] = {}
    for unit, size in total.items():
        db.con.execute("INSERT INTO units VALUES(NULL,?,?)", (path, size))
        found[unit] = db.con.last_insert_rowid()
    return found


def _speaker(db: Db, name: str) -> int:
    if not name:
        return 0
    db.con.execute("INSERT OR IGNORE INTO speakers VALUES(NULL,?)", (name,))
    return int(db.rows("SELECT id FROM speakers WHERE name=?", (name,))[0][0])
