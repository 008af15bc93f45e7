"""What a commit does to the scores: entries by name, before and after."""

from __future__ import annotations

from molt.formats import bullets, episodes, ids, paths
from molt.formats.meta import score_changes, scores
from molt.trees import read_text
from molt.values import keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from molt.policy.engine import Judged
    from molt.trees import Tree

    Entry = Mapping[str, Any]
    Changed = Mapping[str, tuple[Entry | None, Entry | None]]

_SCORES = paths.SCORES
LEAST_BASE = 0.5
"""The least base relevance that a memory begins with: what was inferred has it."""


def read_entries(content: str) -> Mapping[str, Entry] | str:
    """The entries of a text, or why there are none to read."""
    try:
        entries: Mapping[str, Entry] = scores.parse_scores(content)["entries"]
    except ValueError as error:
        return str(error)
    return entries


@keep_last
def is_plain(content: str) -> bool:
    """Whether a text has its entries one below the other, as molt writes them, each name once."""
    if not content.startswith('{\n  "entries": {\n    "'):
        return False
    names = [piece.partition('"')[0] for piece in content.split('\n    "')[1:]]
    once = len(frozenset(names)) == len(names) and content.count('"entries"') == 1
    return once and "\\" not in content


class ScoreBlob:
    """The scores of a tree, told from others by the id that git gives them."""

    def __init__(self, oid: str, tree: Tree) -> None:
        self.oid = oid
        self._tree = tree

    @property
    def text(self) -> str:
        """What it says."""
        return read_text(self._tree, _SCORES)

    def __hash__(self) -> int:
        return hash(self.oid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreBlob) and other.oid == self.oid


def compare_ordered(judged: Judged, base: Tree) -> Changed | None:
    """The entries that are not the same as in a tree before, each as it was and as it is; None
    where that is not known to have them in order, or they are in none now.
    """
    before, after = base.entry(_SCORES), judged.new.entry(_SCORES)
    ordered = judged.context.ordered
    if ordered is None or before is None or after is None or not ordered(before.oid):
        return None
    return compare_blobs(ScoreBlob(before.oid, base), ScoreBlob(after.oid, judged.new))


@keep_last
def compare_blobs(before: ScoreBlob, after: ScoreBlob) -> Changed | None:
    """The entries that differ, where the first are in order, and the second are as well."""
    return score_changes.compare_entries(before.text, after.text, ordered=True)


def _compare_with(judged: Judged, base: Tree) -> Changed:
    found = compare_ordered(judged, base)
    if found is None:
        return compare_texts(read_text(base, _SCORES), read_text(judged.new, _SCORES))
    return found


def list_changed(judged: Judged) -> dict[str, tuple[list[Entry], Entry | None]]:
    """The entries that are as none of the sides has them that have them at all, with what they
    were and what they are now; what a side has done was judged there.
    """
    found: dict[str, tuple[list[Entry], Entry | None]] = {}
    kept: set[str] = set()
    for tree in judged.befores:
        changed = _list_known(_compare_with(judged, tree))
        for name, (old, new) in changed.items():
            found.setdefault(name, ([], new))[0].append(old)
        if judged.merge and not isinstance(every := read_entries(read_text(tree, _SCORES)), str):
            kept.update(every.keys() - changed.keys())
    return {name: pair for name, pair in found.items() if name not in kept}


def find_fresh(judged: Judged) -> Iterator[tuple[str, Entry]]:
    """The entries that no side had."""
    first, *others = judged.befores
    for name, (old, made) in _compare_with(judged, first).items():
        fresh = old is None and made is not None
        if fresh and not any(name in _list_held(tree) for tree in others):
            yield name, made or {}


def _list_held(tree: Tree) -> Mapping[str, object]:
    """The entries of a tree, by their names."""
    return _list_known(compare_texts(read_text(tree, _SCORES), ""))


def is_pinned(name: str, entry: Entry) -> bool:
    return bool(entry.get("pinned")) or name.startswith("vault:")


class HeldMemories:
    """The memories that a tree holds, each file read once: a score of one that is gone may go."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[str, frozenset[str]] = {}

    def has(self, memory: str) -> bool:
        """Whether there is a memory of an id."""
        try:
            found = ids.parse(memory)
        except ValueError:
            return False
        if found.store == "episodic":
            date = found.key.partition(":")[0]
            return any(memory in self._list(path) for path in (found.path, f"memory/{date}.md"))
        if found.anchor:
            return memory in self._list(found.path)
        return self._tree.entry(found.path) is not None

    def _list(self, path: str) -> frozenset[str]:
        if path not in self._known:
            content = read_text(self._tree, path)
            listed = _list_bullets(content) if path == paths.CORE else _list_times(path, content)
            self._known[path] = frozenset(listed)
        return self._known[path]


def _list_bullets(content: str) -> Iterator[str]:
    return (one.id for one in bullets.core_bullets(content))


def _list_times(path: str, content: str) -> Iterator[str]:
    date = paths.date_of(path) or ""
    return (one.id for one in episodes.parse(content, date))


def _list_known(changed: Changed) -> dict[str, tuple[Entry, Entry | None]]:
    """The entries that were there before."""
    return {name: (old, new) for name, (old, new) in changed.items() if old is not None}


@keep_last
def compare_texts(before: str, after: str) -> Changed:
    """The entries that are not the same, each as it was and as it is."""
    if is_plain(before) and is_plain(after):
        found = score_changes.compare_entries(before, after)
        if found is not None:
            return found
    read = map(read_entries, (before, after))
    old, new = ({} if isinstance(entries, str) else entries for entries in read)
    names = dict.fromkeys((*old, *new))
    return {
        name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    }
