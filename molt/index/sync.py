"""Bring the index up to a tree: only files whose blobs changed are read."""

from __future__ import annotations

import time
from hashlib import blake2b

from molt.index import chunks, words
from molt.index import db as dbs
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from molt.index.db import Db
    from molt.index.embed import Provider
    from molt.trees import Tree

_BATCH = 1024
_FEW = 64


class Freshness(Value):
    """Chunks that have no vector yet, and files that were read or dropped."""

    stale: int
    updated: int


def freshen(
    db: Db,
    tree: Tree,
    *,
    budget_ms: int,
    provider: Provider | None,
    tree_key: str | None = None,
) -> Freshness:
    """Index what changed. Keywords are always brought up; vectors as far as the budget goes.

    Where `tree_key` is that of the last call, nothing is listed. A damaged index is rebuilt.
    """
    try:
        return _freshen(db, tree, budget_ms, provider, tree_key)
    except dbs.DAMAGED:
        db.rebuild()
        return _freshen(db, tree, budget_ms, provider, tree_key)


def _freshen(
    db: Db, tree: Tree, budget_ms: int, provider: Provider | None, tree_key: str | None
) -> Freshness:
    deadline = time.monotonic() + budget_ms / 1000
    updated = 0
    if db.fresh or tree_key is None or db.meta("tree_key") != tree_key:
        updated = _keywords(db, tree, provider is not None, tree_key)
    waiting = _waiting(db)
    if waiting and provider is not None:
        _vectors(db, provider, deadline)
        waiting = _waiting(db)
    db.publish()
    return Freshness(waiting, updated)


def _waiting(db: Db) -> int:
    return int(db.rows("SELECT count(*) FROM pending")[0][0])


def _changed(db: Db, tree: Tree) -> tuple[dict[str, str], list[str]]:
    known = dict(db.rows("SELECT path, oid FROM files"))
    wanted = {
        path: entry.oid
        for path, entry in tree.entries().items()
        if entry.mode in (0o100644, 0o100755) and chunks.is_memory(path)
    }
    new = {path: oid for path, oid in wanted.items() if known.get(path) != oid}
    return new, [path for path in known if path not in wanted]


def _keywords(db: Db, tree: Tree, vectors: bool, tree_key: str | None) -> int:
    new, gone = _changed(db, tree)
    if not new and not gone and tree_key is None:
        return 0
    db.con.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have done the same work while this one waited.
        new, gone = _changed(db, tree)
        for path in (*gone, *new):
            _drop(db, path)
        for path, oid in new.items():
            _add(db, path, oid, tree.read(path) or b"", vectors)
        db.set_meta("tree_key", tree_key or "")
    except BaseException:
        if not db.con.get_autocommit():
            db.con.execute("ROLLBACK")
        raise
    db.con.execute("COMMIT")
    return len(new) + len(gone)


def _drop(db: Db, path: str) -> None:
    db.con.execute("DELETE FROM files WHERE path=?", (path,))
    for (number,) in db.rows("SELECT id FROM chunks WHERE path=?", (path,)):
        for table in ("fts", *(("bits",) if db.vec and db.meta("vec") else ())):
            db.con.execute(f"DELETE FROM {table} WHERE rowid=?", (number,))  # noqa: S608
        for table in ("vectors", "pending", "chunks"):
            db.con.execute(f"DELETE FROM {table} WHERE id=?", (number,))  # noqa: S608


def _add(db: Db, path: str, oid: str, data: bytes, vectors: bool) -> None:
    text = data.decode("utf-8", "replace")
    con = db.con
    for piece in chunks.chunk(path, text):
        tags = f" {' '.join(piece.tags)} " if piece.tags else ""
        digest = blake2b(piece.text.encode("utf-8", "replace"), digest_size=16).digest()
        con.execute(
            "INSERT INTO chunks VALUES(NULL,?,?,?,?,?,?,?,?,?,?)",
            (
                *(path, piece.start, piece.end, piece.memory_id, piece.store, piece.type),
                *("\x1f".join(piece.tags), piece.date, piece.text, digest),
            ),
        )
        number = con.last_insert_rowid()
        con.execute(
            "INSERT INTO fts(rowid, text) VALUES(?,?)",
            (number, words.index_text(piece.text + tags)),
        )
        if vectors:
            con.execute("INSERT INTO pending VALUES(?)", (number,))
    con.execute("INSERT OR REPLACE INTO files VALUES(?,?)", (path, oid))


def _vectors(db: Db, provider: Provider, deadline: float) -> None:
    while time.monotonic() < deadline:
        batch = db.rows(
            "SELECT c.id, c.text, c.hash, k.vector FROM pending p JOIN chunks c ON c.id=p.id"
            " LEFT JOIN cache k ON k.hash=c.hash ORDER BY p.id LIMIT ?",
            (_BATCH if provider.name == "static" else _FEW,),
        )
        if not batch:
            return
        unknown = [row for row in batch if row[3] is None]
        vectors = provider.embed([row[1] for row in unknown]) if unknown else []
        made = {row[2]: vector for row, vector in zip(unknown, vectors, strict=True)}
        _store(db, batch, made)


def _store(db: Db, batch: Sequence[Any], made: dict[bytes, bytes]) -> None:
    con = db.con
    bits = db.vec and db.meta("vec")
    con.execute("BEGIN IMMEDIATE")
    try:
        con.executemany("INSERT OR IGNORE INTO cache VALUES(?,?)", made.items())
        waiting = {row[0] for row in db.rows("SELECT id FROM pending")}
        for number, _text, digest, known in batch:
            vector = known if known is not None else made[digest]
            if number not in waiting:
                continue
            con.execute("DELETE FROM pending WHERE id=?", (number,))
            if vector:
                con.execute("INSERT INTO vectors VALUES(?,?)", (number, vector))
            if vector and bits:
                con.execute(
                    "INSERT INTO bits(rowid, v) VALUES(?, vec_quantize_binary(vec_int8(?)))",
                    (number, vector),
                )
    except BaseException:
        if not con.get_autocommit():
            con.execute("ROLLBACK")
        raise
    con.execute("COMMIT")
