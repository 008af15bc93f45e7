"""The vectors of the chunks that wait for one: in steps, each kept before the next begins."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from molt.index.db import Db
    from molt.index.providers.provider import Provider

_STEP = 1024
"""Chunks whose vectors are written at once: a commit for each would cost more than they do."""
# Without a known speed a step is small, so that a search is not late by a large one.
_FIRST_STEP = 32
_STEP_SECONDS = 2.0
"""How long a step of a slow model may take, which an interruption loses."""


def count_waiting(db: Db) -> int:
    """How many chunks have no vector yet."""
    return int(db.rows("SELECT count(*) FROM pending")[0][0])


def fill(
    db: Db,
    provider: Provider,
    deadline: float,
    *,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Give vectors to waiting chunks until `deadline` (of the monotonic clock).

    What is done is committed step by step: an interruption loses one step at most.
    `progress` is called with how many were done. Raises `Unavailable`.
    """
    step = _STEP if provider.name == "static" else _FIRST_STEP
    todo = _order_chunks(db, provider)
    at = 0
    while at < len(todo) and time.monotonic() < deadline:
        started = time.monotonic()
        numbers = todo[at : at + step]
        rows = _read_chunks(db, numbers)
        _store_vectors(db, rows, _make_vectors(provider, rows))
        at += len(numbers)
        if progress:
            progress(len(numbers))
        if provider.name != "static":
            seconds = max(time.monotonic() - started, 0.001)
            step = max(_FIRST_STEP, min(_STEP, 2 * step, int(step * _STEP_SECONDS / seconds)))


def _order_chunks(db: Db, provider: Provider) -> list[int]:
    """The waiting chunks; a model that pads its batches gets texts of one length together."""
    if provider.name == "static":
        return [row[0] for row in db.rows("SELECT id FROM pending ORDER BY id")]
    sql = "SELECT p.id FROM pending p JOIN chunks c ON c.id=p.id ORDER BY length(c.text), p.id"
    return [row[0] for row in db.rows(sql)]


def _read_chunks(db: Db, numbers: Sequence[int]) -> list[Any]:
    return db.within("SELECT id, text, hash FROM chunks WHERE id IN (*)", numbers)


def _make_vectors(provider: Provider, rows: Sequence[Any]) -> dict[bytes, bytes]:
    """The vectors of some chunks by the hash of their text; equal texts are made once."""
    texts = {digest: text for _, text, digest in rows}
    return dict(zip(texts, provider.embed(list(texts.values())), strict=True))


def waiting_texts(db: Db) -> list[tuple[str, str]]:
    """The texts that wait for a vector, each once, with the hash that names them."""
    sql = "SELECT c.hash, c.text FROM pending p JOIN chunks c ON c.id=p.id GROUP BY c.hash"
    return [(digest.hex(), text) for digest, text in db.rows(sql)]


def assign_vectors(db: Db, vectors: Mapping[bytes, bytes]) -> int:
    """Give vectors by the hash of their text to the chunks that wait for them; how many did."""
    done = 0
    wanted = "SELECT p.id, '', c.hash FROM pending p JOIN chunks c ON c.id=p.id"
    rows = [row for row in db.rows(wanted) if row[2] in vectors]
    for start in range(0, len(rows), _STEP):
        some = rows[start : start + _STEP]
        _store_vectors(db, some, vectors)
        done += len(some)
    return done


def _store_vectors(db: Db, rows: Sequence[Any], vectors: Mapping[bytes, bytes]) -> None:
    con = db.con
    bits = db.vec and db.meta("vec")
    with db.transaction():
        for number, _, digest in rows:
            # Another process may have done it while this one computed, or dropped the chunk
            # and given its number to another.
            con.execute(
                "DELETE FROM pending WHERE id=?1 AND"
                " EXISTS(SELECT 1 FROM chunks WHERE id=?1 AND hash=?2)",
                (number, digest),
            )
            if not con.changes() or not (vector := vectors[digest]):
                continue
            con.execute("INSERT INTO vectors VALUES(?,?)", (number, vector))
            if bits:
                con.execute(
                    "INSERT INTO bits(rowid, v) VALUES(?, vec_quantize_binary(vec_int8(?)))",
                    (number, vector),
                )
