"""How relevant a memory is now: decay since its last access, and what that means for a search."""

from __future__ import annotations

import contextlib

from molt import errors, trees
from molt.formats import ids, paths, times
from molt.formats import scores as score_file
from molt.memory import accesses, names
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from molt.memory.accesses import Batch, Used
    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.repo.write.transaction import MakeEdits, MakeMessage
    from molt.trees import Edits, Tree

STATES = ("active", "fading", "dormant", "archived")
WEIGHTS = {"core": 1.5, "episodic": 0.8, "semantic": 1.2, "procedural": 1.0, "vault": 1.0}
BASE = 0.7
_FLOORS = (0.5, 0.2, 0.05)
_DAY = 86_400.0


class Standing(Value):
    """The score of a memory now, from 0 to 1, and its status."""

    score: float
    status: str


class Weighed(Value):
    """What the score of a memory is computed from: `strength` is its base relevance times the
    weight of its store, `last` the second of its last access.
    """

    strength: float
    count: int
    last: float
    pinned: bool = False


UNWEIGHED = Standing(BASE, "active")
"""A memory that decay-scores.json does not know: imported, adopted or written by a person.

Its own date may be years back, but it became a memory of this agent only when it was brought in,
so it counts as active until its first access gives it an entry.
"""


def relevance(base: float, days: float, count: int, weight: float, *, rate: float = 0.03) -> float:
    """The relevance of what is not pinned, from 0 to 1.

    `days` have passed since the last of `count` accesses; `rate` is the loss per day.
    """
    from math import exp, log2

    score = base * exp(-rate * max(0.0, days)) * log2(count + 1) * weight
    return min(1.0, max(0.0, score))


def status_of(score: float) -> str:
    """What a score means: `active`, `fading`, `dormant` or `archived`."""
    return STATES[sum(score < floor for floor in _FLOORS)]


def standing(weighed: Weighed | None, used: Used | None, now: float, *, rate: float) -> Standing:
    """How a memory stands at the second `now`, with accesses that no commit holds yet."""
    if weighed is None:
        if used is None:
            return UNWEIGHED
        weighed = Weighed(BASE, 0, used.last)
    if weighed.pinned:
        return Standing(1.0, STATES[0])
    count, last = weighed.count, weighed.last
    if used is not None:
        count, last = count + used.count, max(last, used.last)
    # Being written is the first access: with none at all the formula would archive it at once.
    score = relevance(weighed.strength, (now - last) / _DAY, max(1, count), 1.0, rate=rate)
    return Standing(score, status_of(score))


def weigh(memory: str, entry: Mapping[str, Any]) -> Weighed:
    """An entry of decay-scores.json, read leniently.

    One that is archived with a score of exactly 0 was forgotten on purpose: it stays so however
    often it is read, until it is restored.
    """
    store = ids.PREFIXES.get(memory.partition(":")[0], "")
    if entry.get("pinned") is True or store == "vault":
        return Weighed(1.0, 1, 0.0, True)
    weight = _number(entry.get("type_weight"), WEIGHTS.get(store, 1.0))
    strength = _number(entry.get("base_relevance"), BASE) * weight
    if entry.get("status") == "archived" and entry.get("current_score") == 0:
        strength = 0.0
    stamps = (times.parse_time(entry.get(key)) for key in ("last_accessed", "created"))
    # Without a time nothing is known to have passed.
    last = next((second for second in stamps if second is not None), float("inf"))
    return Weighed(strength, int(_number(entry.get("access_count"), 1)), last)


def _number(value: object, default: float) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if plain and 0 <= value < 1e12 else default  # type: ignore[operator, arg-type]


class Scores:
    """How the memories of one tree stand at the second `now`, accesses of this clone included."""

    def __init__(self, table: bytes, used: Mapping[str, Used], now: float, rate: float) -> None:
        self._table = table
        self._used = used
        self._now = now
        self._rate = rate

    def of(self, memory: str) -> Standing:
        """How one memory stands."""
        weighed = _look_up(self._table, memory)
        found = standing(weighed, self._used.get(memory), self._now, rate=self._rate)
        pinned = weighed is None and memory.startswith(("core:", "vault:"))
        return Standing(1.0, STATES[0]) if pinned else found


def scores(ws: Workspace, tree: Tree, now: float) -> Scores:
    """The scores in a tree; a file of them that cannot be read weighs nothing."""
    table = _compact(ws, tree)
    return Scores(table, accesses.pending(ws.repo), now, ws.config.decay_lambda)


def scores_then(ws: Workspace, tree: Tree, now: float) -> Scores:
    """The scores of a tree of the past, as they were at the second `now`.

    Accesses that no commit holds came later. The table is kept beside that of HEAD, which would
    be made anew each time otherwise.
    """
    return Scores(_compact(ws, tree, "scores-at"), {}, now, ws.config.decay_lambda)


_RECORD = 24
_MANY = 500
_FORM = b"scores 1 "


def _compact(ws: Workspace, tree: Tree, name: str = "scores") -> bytes:
    """The entries as a table that is searched without parsing it: ten thousand entries of JSON
    would take a search as long as all else that it does.
    """
    entry = tree.entry(paths.SCORES)
    if entry is None:
        return b""
    head = _FORM + entry.oid.encode()
    kept = ws.repo.cache.get(name) or b""
    before, rows = kept[: len(head)], kept[len(head) :]
    whole = kept.startswith(_FORM) and not len(rows) % _RECORD
    if whole and before == head:
        return rows
    text = (tree.read(paths.SCORES) or b"").decode("utf-8", "replace")
    table = _followed(ws.repo, before, rows, text) if whole else None
    if table is None:
        table = _table(text)
    ws.repo.cache[name] = head + table
    return table


def _followed(repo: Repo, before: bytes, rows: bytes, text: str) -> bytes | None:
    """The table with what changed since another version of the scores; None where that is gone,
    or cannot be compared.
    """
    oid = before[len(_FORM) :].decode("ascii", "replace")
    old = repo.reader.blobs([oid]).get(oid)
    changed = score_file.changed_entries((old or b"").decode("utf-8", "replace"), text)
    if changed is None or len(changed) > _MANY:
        return None
    table = bytearray(rows)
    for memory, entry in changed.items():
        key = _key(memory)
        at = _place(table, key)
        there = bytes(table[at : at + 8]) == key
        table[at : at + _RECORD * there] = b"" if entry is None else _record(memory, entry)
    return bytes(table)


def _key(memory: str) -> bytes:
    return trees.sha1(memory.encode("utf-8", "surrogateescape")).digest()[:8]


def _table(text: str) -> bytes:
    """Sorted records of 24 bytes: key, second of the last access, strength, count (-1: pinned)."""
    try:
        entries = score_file.parse_scores(text)["entries"]
    except ValueError:
        return b""
    return b"".join(sorted(_record(memory, entry) for memory, entry in entries.items()))


def _record(memory: str, entry: Mapping[str, Any]) -> bytes:
    from struct import pack

    one = weigh(memory, entry)
    count = -1 if one.pinned else min(one.count, 0x7FFFFFFF)
    return pack("<8sdfi", _key(memory), one.last, one.strength, count)


def _place(table: bytes | bytearray, key: bytes) -> int:
    """Where the record of a key begins, or would."""
    from bisect import bisect_left

    rows = range(len(table) // _RECORD)
    found = bisect_left(rows, key, key=lambda row: bytes(table[row * _RECORD : row * _RECORD + 8]))
    return found * _RECORD


def _look_up(table: bytes, memory: str) -> Weighed | None:
    from struct import unpack_from

    key = _key(memory)
    at = _place(table, key)
    if table[at : at + 8] != key:
        return None
    _, last, strength, count = unpack_from("<8sdfi", table, at)
    return Weighed(strength, max(0, count), last, count < 0)


def touch(ws: Workspace, memories: Iterable[str], now: float) -> None:
    """Note that memories were used. Raises NotFound for what is none, then none is noted; Failed
    where the note cannot be written.
    """
    wanted = tuple(dict.fromkeys(memories))
    tree = ws.files()
    for memory in wanted:
        if not names.holds(tree, memory):
            raise errors.NotFound(f"no memory {memory!r}", "`molt search` gives ids")
    accesses.record(ws.repo, wanted, now)


def was_read(ws: Workspace, ref: str, now: float) -> None:
    """Note that the memory of an id or path was read; reading never fails for that."""
    memory = names.of_path(ref) if ref.endswith(".md") else ref
    if memory:
        with contextlib.suppress(errors.Failed):
            accesses.record(ws.repo, (memory,), now)


class Fold:
    """Adds the accesses of this clone to the scores, in a write that is made anyway.

    Its functions are called under the write's lock only.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._batches: tuple[Batch, ...] | None = None

    def edits(self, make: MakeEdits) -> MakeEdits:
        """`make`, whose edits also count the accesses, unless they change nothing."""

        def folded(tree: Tree) -> Edits:
            made = make(tree)
            if not any(tree.read(path) != data for path, data in made.items()):
                return made
            if self._batches is None:
                self._batches = accesses.take(self._repo, self._repo.tip())
            try:
                return _counted(tree, made, self._batches)
            except ValueError:
                # Scores that cannot be read are for whoever writes them to refuse.
                self._batches = ()
                return made

        return folded

    def message(self, make: MakeMessage) -> MakeMessage:
        """`make`, whose message names what was counted."""

        def named(tree: Tree, edits: Edits) -> str:
            text = make(tree, edits)
            rows = [f"{accesses.TRAILER}: {batch.token}\n" for batch in self._batches or ()]
            return "".join((text.rstrip("\n") + "\n", *rows)) if rows else text

        return named

    def done(self) -> None:
        """The commit is made: what it has counted need not be kept."""
        accesses.drop(self._batches or ())


def _counted(tree: Tree, made: Edits, batches: tuple[Batch, ...]) -> Edits:
    """The edits with the accesses of some batches in the scores. Raises ValueError where the
    scores cannot be read.
    """
    used: dict[str, Used] = {}
    for batch in batches:
        accesses.add(used, batch.text)
    if not used:
        return made
    before = made[paths.SCORES] if paths.SCORES in made else tree.read(paths.SCORES)
    text = (before or b"").decode("utf-8")
    known = score_file.parse_scores(text)["entries"]
    entries = {
        memory: accessed(memory, known.get(memory), one)
        for memory, one in used.items()
        if memory.partition(":")[0] in ids.PREFIXES
    }
    return {**made, paths.SCORES: score_file.set_entries(text, entries).encode()}


def accessed(memory: str, entry: Mapping[str, Any] | None, used: Used) -> dict[str, Any]:
    """An entry of decay-scores.json with accesses added; a new one for a memory without."""
    store = ids.PREFIXES[memory.partition(":")[0]]
    if entry is None:
        entry = new_entry(store, BASE, used.last, count=0)
    last = max(used.last, times.parse_time(entry.get("last_accessed")) or 0.0)
    count = int(_number(entry.get("access_count"), 0)) + used.count
    return {**entry, "access_count": count, "last_accessed": times.render_time(last)}


def new_entry(store: str, base: float, now: float, *, count: int = 1) -> dict[str, Any]:
    """The entry of a memory that is written at the second `now`, which is its first access."""
    pinned = store in ("core", "vault")
    weight = WEIGHTS[store]
    score = 1.0 if pinned else relevance(base, 0.0, 1, weight)
    return {
        "store": store,
        "base_relevance": base,
        "created": times.render_time(now),
        "last_accessed": times.render_time(now),
        "access_count": count,
        "type_weight": weight,
        "current_score": round(score, 4),
        "status": status_of(score),
        "pinned": pinned,
    }
