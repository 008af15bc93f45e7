"""Candidates for a query: keywords and vectors, fused."""

from __future__ import annotations

import array

import apsw

from molt.index import words
from molt.index.db import TOKENIZE
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.index.db import Db
    from molt.index.embed import Provider

MOST_MATCHES = 3_000
_FIELDS = "c.id, c.path, c.first, c.last, c.memory_id, c.store, c.type, c.tags, c.date, c.text"


class Filters(Value):
    """What candidates must be; empty fields ask for nothing. `path` is a prefix or a glob."""

    stores: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    path: str = ""
    sources: tuple[str, ...] = ()


class Candidate(Value):
    """A chunk with its scores; `bm25` and `vector` are higher for better, 0 for not found."""

    chunk_id: int
    path: str
    start: int
    end: int
    memory_id: str
    store: str
    type: str
    tags: tuple[str, ...]
    date: str
    text: str
    bm25: float
    vector: float
    score: float


NO_FILTERS = Filters()


def candidates(
    db: Db,
    query: str,
    *,
    limit: int,
    filters: Filters = NO_FILTERS,
    provider: Provider | None = None,
    fusion: str = "min-max",
) -> list[Candidate]:
    """The best `limit * 4` chunks of each ranking, fused, best first."""
    wide = limit * 4
    where, values = _where(filters)
    keyword = _keyword(db, query, wide, where, values)
    vector: dict[int, float] = {}
    if provider is not None and (not provider.latin_only or words.latin(query)):
        vector = _vector(db, provider.query(query), wide, where, values, list(keyword))
    scores = _fuse(keyword, vector, fusion)
    marks = ",".join("?" * len(scores))
    sql = f"SELECT {_FIELDS} FROM chunks c WHERE c.id IN ({marks})"  # noqa: S608 only marks
    found = [
        _candidate(row, keyword.get(row[0], 0.0), vector.get(row[0], 0.0), scores[row[0]])
        for row in db.rows(sql, (*scores,))
    ]
    found.sort(key=lambda candidate: (-candidate.score, candidate.path, candidate.start))
    return found


def _candidate(row: Any, bm25: float, vector: float, score: float) -> Candidate:
    number, path, start, end, memory_id, store, kind, tags, date, text = row
    return Candidate(
        chunk_id=number,
        path=path,
        start=start,
        end=end,
        memory_id=memory_id,
        store=store,
        type=kind,
        tags=tuple(filter(None, tags.split("\x1f"))),
        date=date,
        text=text,
        bm25=bm25,
        vector=vector,
        score=score,
    )


def _where(filters: Filters) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    for column, wanted in (("store", filters.stores), ("type", filters.types)):
        if wanted:
            parts.append(f"c.{column} IN ({','.join('?' * len(wanted))})")
            values += wanted
    for tag in filters.tags:
        parts.append("instr(char(31)||c.tags||char(31), char(31)||?||char(31))")
        values.append(tag)
    if filters.since:
        parts.append("c.date >= ?")
        values.append(filters.since)
    if filters.until:
        parts.append("c.date <> '' AND c.date <= ?")
        values.append(filters.until)
    if filters.sources:
        # Sources are told apart by the store that `sources.pieces` gives them.
        stores = {"memory": "c.store NOT IN ('extra', 'session')", "extra": "c.store = 'extra'"}
        each = (stores.get(one, "c.store = 'session'") for one in filters.sources)
        parts.append(f"({' OR '.join(each)})")
    if filters.path:
        parts.append("c.path GLOB ?")
        glob = filters.path if "*" in filters.path else f"{filters.path}*"
        values.append(glob)
    return " AND ".join(parts), values


def _keyword(db: Db, query: str, wide: int, where: str, values: list[Any]) -> dict[int, float]:
    match = " OR ".join(_match(term) for term in _affordable(db, words.terms(query)))
    if not match:
        return {}
    join = f" JOIN chunks c ON c.id=fts.rowid WHERE {where} AND" if where else " WHERE"
    sql = f"SELECT fts.rowid, -rank FROM fts{join} fts MATCH ? ORDER BY rank LIMIT ?"  # noqa: S608
    return dict(db.rows(sql, (*values, match, wide)))


def _match(term: list[str]) -> str:
    return "(" + " AND ".join(map(words.quote, term)) + ")"


def _affordable(db: Db, terms: list[list[str]]) -> list[list[str]]:
    """The rarest words, as many as match no more chunks together than can be ranked at once."""
    unique = list({tuple(term): term for term in terms}.values())
    frequent = [(_frequency(db, term), at) for at, term in enumerate(unique)]
    kept: list[list[str]] = []
    total = 0
    for count, at in sorted(frequent):
        total += count
        if kept and total > MOST_MATCHES:
            break
        if count:
            kept.append(unique[at])
    return kept


def _frequency(db: Db, term: list[str]) -> int:
    tokenizer = db.con.fts5_tokenizer(TOKENIZE[0], list(TOKENIZE[1:]))
    counts: list[int] = []
    for part in term:
        tokens = tokenizer(part.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
        for token in tokens:
            row = db.con.execute("SELECT doc FROM vocab WHERE term=?", (token[0],)).fetchone()
            counts.append(row[0] if row else 0)
    return min(counts, default=0)


def _vector(
    db: Db, vector: bytes, wide: int, where: str, values: list[Any], others: list[int]
) -> dict[int, float]:
    if not vector:
        return {}
    if not db.vec:
        return _slow(db, vector, wide, where, values)
    near = "1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?))"
    if where or not db.meta("vec"):
        sql = f"SELECT v.id, {near} AS s FROM vectors v JOIN chunks c ON c.id=v.id"  # noqa: S608
        sql += f" WHERE {where}" if where else ""
        return dict(db.rows(f"{sql} ORDER BY s DESC LIMIT ?", (vector, *values, wide)))
    scan = "SELECT rowid FROM bits WHERE v MATCH vec_quantize_binary(vec_int8(?)) AND k = ?"
    numbers = {row[0] for row in db.rows(scan, (vector, min(4096, wide * 4)))}
    marks = ",".join("?" * len(numbers | set(others)))
    sql = f"SELECT v.id, {near} AS s FROM vectors v WHERE v.id IN ({marks})"  # noqa: S608
    found = db.rows(f"{sql} ORDER BY s DESC", (vector, *numbers.union(others)))
    known = set(others)
    return {row[0]: row[1] for at, row in enumerate(found) if at < wide or row[0] in known}


def _slow(db: Db, vector: bytes, wide: int, where: str, values: list[Any]) -> dict[int, float]:
    """The same without sqlite-vec: every vector is compared here."""
    wanted = array.array("b", vector)
    length = sum(value * value for value in wanted) ** 0.5
    sql = "SELECT v.id, v.vector FROM vectors v JOIN chunks c ON c.id=v.id"
    scored: list[tuple[float, int]] = []
    for number, data in db.con.execute(f"{sql} WHERE {where}" if where else sql, values):
        other = array.array("b", data)
        dot = sum(map(int.__mul__, wanted, other))
        scored.append((dot / (length * sum(map(int.__mul__, other, other)) ** 0.5), number))
    scored.sort(reverse=True)
    return {number: score for score, number in scored[:wide]}


def _fuse(keyword: dict[int, float], vector: dict[int, float], fusion: str) -> dict[int, float]:
    if fusion == "min-max":
        first, second = _spread(keyword), _spread(vector)
        weights = (0.6, 0.4) if keyword and vector else (1.0, 1.0)
    else:
        first, second = _ranks(keyword, fusion), _ranks(vector, fusion)
        weights = (0.3, 0.7) if fusion == "weighted-rank" else (1.0, 1.0)
    every = dict.fromkeys((*keyword, *vector))
    return {
        number: weights[0] * first.get(number, 0.0) + weights[1] * second.get(number, 0.0)
        for number in every
    }


def _spread(scores: dict[int, float]) -> dict[int, float]:
    """Scores from 0 to 1; the worst found keeps a little more than one not found."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {number: max(0.01, (score - low) / (high - low)) for number, score in scores.items()}


def _ranks(scores: dict[int, float], fusion: str) -> dict[int, float]:
    base = 60 if fusion == "reciprocal-rank" else 0
    ordered = sorted(scores, key=lambda number: -scores[number])
    return {number: 1 / (base + 1 + rank) for rank, number in enumerate(ordered)}
