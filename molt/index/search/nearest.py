"""Vectors: the chunks whose meaning is nearest to that of a query."""

from __future__ import annotations

import array
import heapq
import math
from operator import mul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from molt.index.db import Db

_NEAR = "1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?))"
# Up to so many vectors all are compared, which is exact and takes no longer than bits do.
_FEW = 2_000
# Ranking by bits alone errs; so many times what is wanted is compared exactly. More costs: the
# scan takes the square of what it is to give.
_OVERSAMPLE = 2
# What sqlite-vec gives at most (`k` in its manual).
_MOST_BITS = 4096
# How many the first of two scans looks for, and how much further than these promise the second one
# goes: of 1.0 and 1.3 with 24, 32 and 64 these took least, among 10,000 vectors a third of what one
# scan takes.
_FIRST, _FURTHER = 32, 1.3
_SCAN = "SELECT rowid, distance FROM bits WHERE v MATCH vec_quantize_binary(vec_int8(?)) AND k = ?"


def find(db: Db, vector: bytes, wide: int, where: str, values: list[Any]) -> dict[int, float]:
    """The cosines of the `wide` nearest chunks that pass a filter on `c`, by number."""
    if not vector:
        return {}
    if not db.vec:
        return _find_without_vec(db, vector, wide, where, values)
    (count,) = db.rows("SELECT chunks FROM totals")[0]
    if where or not db.meta("vec") or count <= _FEW:
        sql = f"SELECT v.id, {_NEAR} AS s FROM vectors v"  # noqa: S608
        sql += f" JOIN chunks c ON c.id=v.id WHERE {where}" if where else ""
        return dict(db.rows(f"{sql} ORDER BY s DESC LIMIT ?", (vector, *values, wide)))
    most = min(_MOST_BITS, wide * _OVERSAMPLE)
    scan = _scan_twice if most > _FIRST else _scan_bits
    rough = [number for number, _ in scan(db, vector, most)]
    found = cosines(db, vector, rough)
    return dict(sorted(found.items(), key=lambda one: -one[1])[:wide])


def _scan_bits(db: Db, vector: bytes, most: int) -> list[tuple[int, float]]:
    """The chunks whose signs differ least from those of a vector, nearest first, with the number of
    differences.
    """
    return db.rows(_SCAN, (vector, most))


def _scan_twice(db: Db, vector: bytes, most: int) -> list[tuple[int, float]]:
    """The same chunks in less time. One scan picks as many vectors as it is to return from each
    thousand, one by one, and then the best of all of these. So a first scan finds out how far the
    nearest can be, and a second one is told that bound.

    The number within a distance grows exponentially. If the bound leaves too few, the next scan
    goes further, up to all of them.
    """
    first = _scan_bits(db, vector, _FIRST)
    if len(first) < _FIRST:
        return first
    few = [distance for _, distance in first]
    growth = (few[-1] - few[_FIRST // 4 - 1]) / math.log(4)
    step = max(2.0, growth * math.log(most / _FIRST) * _FURTHER)
    reach = few[-1] + step
    while True:
        found = db.rows(f"{_SCAN} AND distance <= ?", (vector, most, reach))
        if len(found) >= most or reach >= len(vector):
            return found
        reach, step = reach + max(3.0, step / 2), 2 * step


def cosines(db: Db, vector: bytes, numbers: Collection[int]) -> dict[int, float]:
    """The exact cosines of some chunks; those without a vector so far are left out."""
    if not vector or not numbers:
        return {}
    marks = ",".join("?" * len(numbers))
    if not db.vec:
        sql = f"SELECT v.id, v.vector FROM vectors v WHERE v.id IN ({marks})"  # noqa: S608
        return _cosines_without_vec(db, vector, sql, numbers)
    sql = f"SELECT v.id, {_NEAR} FROM vectors v WHERE v.id IN ({marks})"  # noqa: S608
    return dict(db.rows(sql, (vector, *numbers)))


def _find_without_vec(
    db: Db, vector: bytes, wide: int, where: str, values: list[Any]
) -> dict[int, float]:
    """The nearest without sqlite-vec: by the signs of all vectors first, then those few exactly."""
    sql = "SELECT v.id, v.vector FROM vectors v"
    sql += f" JOIN chunks c ON c.id=v.id WHERE {where}" if where else ""
    signs = int.from_bytes(b"\x80" * len(vector), "big")
    wanted = int.from_bytes(vector, "big")
    read = int.from_bytes
    differing = (
        (((read(other, "big") ^ wanted) & signs).bit_count(), number)
        for number, other in db.con.execute(sql, values)
    )
    rough = heapq.nsmallest(min(_MOST_BITS, wide * _OVERSAMPLE), differing)
    found = cosines(db, vector, [number for _, number in rough])
    return dict(sorted(found.items(), key=lambda one: -one[1])[:wide])


def _cosines_without_vec(
    db: Db, vector: bytes, sql: str, numbers: Collection[int]
) -> dict[int, float]:
    """The cosines without sqlite-vec."""
    wanted = array.array("b", vector).tolist()
    length = math.hypot(*wanted)
    found: dict[int, float] = {}
    for number, data in db.rows(sql, tuple(numbers)):
        other = array.array("b", data)
        found[number] = sum(map(mul, wanted, other)) / (length * math.hypot(*other))
    return found
