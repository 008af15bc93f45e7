"""The scores of one tree, as a table that is searched without parsing it."""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.origin import UNKNOWN
from molt.memory.decay import accesses
from molt.memory.decay.begun import read_begun
from molt.memory.decay.formula import (
    STATES,
    Fading,
    Standing,
    Weighed,
    compute_standing,
    end_states,
    weigh,
    weigh_origin,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from molt.formats.origin import Origin
    from molt.memory.decay.accesses import Used
    from molt.repo.repository import Repo
    from molt.trees import Tree


class Scores:
    """How the memories of one tree stand at the second `now`, accesses of this clone included.

    `table` is what its scores say, `begun` gives the second at which the workspace began.
    """

    def __init__(
        self,
        table: bytes,
        used: Mapping[str, Used],
        now: float,
        fading: Fading,
        *,
        begun: Callable[[], float] = float,
    ) -> None:
        self.table = table
        self._used = used
        self._now = now
        self._fading = fading
        self.begun = begun
        self._last: tuple[str, Weighed | None] = "", None

    def of(self, memory: str, origin: Origin = UNKNOWN) -> Standing:
        """How one memory stands, of whose text `origin` tells."""
        if origin.until is not None and self._now >= origin.until:
            return Standing(0.0, STATES[-1])
        weighed = self._weigh(memory, origin)
        return compute_standing(weighed, self._used.get(memory), self._now, self._fading)

    def ends(self, memory: str, origin: Origin = UNKNOWN) -> tuple[float, ...]:
        """The seconds at which it leaves each state but the last, by what commits hold."""
        ends = end_states(self._weigh(memory, origin), self._fading)
        return ends if origin.until is None else tuple(min(end, origin.until) for end in ends)

    def is_pinned(self, memory: str) -> bool:
        """Whether decay-scores.json says that a memory is pinned."""
        weighed = self._look_up(memory)
        return weighed is not None and weighed.pinned

    def count_uses(self, memory: str) -> int:
        """Return how often a memory was used since it was written, accesses of this clone
        included; 0 if nothing counts it, as for a pinned one.
        """
        weighed, used = self._look_up(memory), self._used.get(memory)
        # To be written counts as the first access.
        return max(0, weighed.count - 1 if weighed else 0) + (used.count if used else 0)

    def is_forgotten(self, memory: str) -> bool:
        """Whether it says that a memory was forgotten on purpose."""
        weighed = self._look_up(memory)
        return weighed is not None and not weighed.strength and not weighed.pinned

    def is_scored_active(self, memory: str) -> bool:
        """Whether a memory has a score, and is active without the uses that no commit holds."""
        if self._look_up(memory) is None:
            return False
        return end_states(self._weigh(memory, UNKNOWN), self._fading)[0] >= self._now

    @property
    def used(self) -> Mapping[str, Used]:
        """The uses that no commit holds yet."""
        return self._used

    def _look_up(self, memory: str) -> Weighed | None:
        """What the table says of a memory; whoever asks one thing of it asks another."""
        if self._last[0] != memory:
            self._last = memory, _look_up(self.table, memory)
        return self._last[1]

    def _weigh(self, memory: str, origin: Origin) -> Weighed:
        weighed = self._look_up(memory)
        if weighed is None:
            weighed = weigh_origin(memory, origin)
            if weighed.last < self._now and not weighed.pinned:
                # Only what has had time to fade is worth a look into the history.
                weighed = weigh_origin(memory, origin, self.begun())
        elif origin.pinned:
            weighed = weigh_origin(memory, origin)
        ratio = self._fading.ratio_of(memory)
        return weighed if ratio == 1.0 else weighed.replace(strength=weighed.strength * ratio)


def load_scores(repo: Repo, tree: Tree, now: float, fading: Fading) -> Scores:
    """The scores in a tree; a file of them that cannot be read weighs nothing."""
    table = _load_table(repo, tree)
    used = accesses.read_pending(repo)
    return Scores(table, used, now, fading, begun=lambda: read_begun(repo))


def load_past_scores(repo: Repo, tree: Tree, now: float, fading: Fading) -> Scores:
    """The scores of a tree of the past, as they were at the second `now`.

    Accesses that no commit holds came later. The table is kept beside that of HEAD, which would
    be made anew each time otherwise.
    """
    table = _load_table(repo, tree, "scores-at")
    return Scores(table, {}, now, fading, begun=lambda: read_begun(repo))


_RECORD = 24  # bytes: a key of 8, a time, a strength and a count
_MANY = 500
_FORM = b"scores 2 "


def _load_table(repo: Repo, tree: Tree, name: str = "scores") -> bytes:
    """The entries as a table that is searched without parsing it: ten thousand entries of JSON
    would take a search as long as all else that it does.
    """
    entry = tree.entry(paths.SCORES)
    if entry is None:
        return b""
    head = _FORM + entry.oid.encode()
    kept = repo.cache.get(name) or b""
    before, rows = kept[: len(head)], kept[len(head) :]
    whole = kept.startswith(_FORM) and not len(rows) % _RECORD
    if whole and before == head:
        return rows
    text = trees.read_text(tree, paths.SCORES)
    table = _update_table(repo, before, rows, text) if whole else None
    if table is None:
        table = _build_table(text)
    repo.cache[name] = head + table
    return table


def _update_table(repo: Repo, before: bytes, rows: bytes, text: str) -> bytes | None:
    """The table with what changed since another version of the scores; None where that is gone,
    or cannot be compared.
    """
    from molt.formats.meta import score_changes

    oid = before[len(_FORM) :].decode("ascii", "replace")
    old = repo.reader.blobs([oid]).get(oid)
    changed = score_changes.changed_entries((old or b"").decode("utf-8", "replace"), text)
    if changed is None or len(changed) > _MANY:
        return None
    table = bytearray(rows)
    for memory, entry in changed.items():
        key = _make_key(memory)
        at = _find_place(table, key)
        there = bytes(table[at : at + 8]) == key
        table[at : at + _RECORD * there] = b"" if entry is None else _pack_record(memory, entry)
    return bytes(table)


def _make_key(memory: str) -> bytes:
    return trees.sha1(memory.encode("utf-8", "surrogateescape")).digest()[:8]


def _build_table(text: str) -> bytes:
    """Sorted records of 24 bytes: key, second of the last access, strength, count (-1: pinned)."""
    from molt.formats.meta import scores as score_file

    try:
        entries = score_file.parse_scores(text)["entries"]
    except ValueError:
        return b""
    return make_table(entries)


def make_table(entries: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The table of some entries, by the ids of their memories."""
    return b"".join(sorted(_pack_record(memory, entry) for memory, entry in entries.items()))


def _pack_record(memory: str, entry: Mapping[str, Any]) -> bytes:
    from struct import pack

    one = weigh(memory, entry)
    count = -1 if one.pinned else min(one.count, 0x7FFFFFFF)
    return pack("<8sdfi", _make_key(memory), one.last, one.strength, count)


def _find_place(table: bytes | bytearray, key: bytes) -> int:
    """Where the record of a key begins, or would."""
    from bisect import bisect_left

    rows = range(len(table) // _RECORD)
    found = bisect_left(rows, key, key=lambda row: bytes(table[row * _RECORD : row * _RECORD + 8]))
    return found * _RECORD


def _look_up(table: bytes, memory: str) -> Weighed | None:
    from struct import unpack_from

    key = _make_key(memory)
    at = _find_place(table, key)
    if table[at : at + 8] != key:
        return None
    _, last, strength, count = unpack_from("<8sdfi", table, at)
    return Weighed(strength, max(0, count), last, count < 0)
