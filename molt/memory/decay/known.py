"""The scores of a tree, of which only those are read that somebody asks for.

Ten thousand entries take longer to read than a write takes for all else. So the clone keeps the id
of the last file that was found to be in order; what a write makes of that is so, too.
"""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.meta import score_changes, sorted_scores
from molt.formats.meta import scores as score_file
from molt.policy.scored import ScoreBlob, compare_blobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, MutableMapping
    from typing import Any

    from molt.trees import Tree

    Cache = MutableMapping[str, bytes]
    Entry = Mapping[str, Any]
    Entries = dict[str, dict[str, Any]]

_KEPT = "scores-ordered"


class KnownScores:
    """The entries of the scores of a tree. Raises ValueError where they cannot be read, Failed
    where they are no UTF-8.
    """

    def __init__(self, tree: Tree, cache: Cache) -> None:
        entry = tree.entry(paths.SCORES)
        self.text = trees.read_strict(tree, paths.SCORES)
        self._every: Entries = {}
        self._ordered = entry is not None and is_ordered(cache, entry.oid)
        if not self._ordered:
            self._every = score_file.parse_scores(self.text)["entries"]
            self._ordered = sorted_scores.is_ordered(self.text)
            if self._ordered and entry is not None:
                cache[_KEPT] = entry.oid.encode()

    def find(self, memories: Collection[str]) -> Entries:
        """The entries of some memories."""
        if self._ordered:
            return sorted_scores.find_entries(self.text, memories)
        return {name: self._every[name] for name in memories if name in self._every}

    def list_kind(self, kind: str) -> Entries:
        """The entries of a kind of memories, as `episode`."""
        if self._ordered:
            return sorted_scores.list_kind(self.text, kind)
        return {name: one for name, one in self._every.items() if name.startswith(f"{kind}:")}

    def edit(self, entries: Mapping[str, Entry | None]) -> str:
        """The text with some entries set, and those removed that are None."""
        if self._ordered:
            return sorted_scores.edit_entries(self.text, entries)
        return score_file.edit_entries(self.text, entries)


def is_ordered(cache: Cache, blob: str) -> bool:
    """Whether the clone knows that the scores of an id are in order."""
    return cache.get(_KEPT) == blob.encode()


def follow_commit(cache: Cache, base: Tree, new: Tree) -> Mapping[str, Entry | None] | None:
    """The entries of scores that a commit has changed, as they are now, None for one that is gone;
    None where only all of both can tell. If those before were in order, the id of the new ones is
    kept.
    """
    before, after = base.entry(paths.SCORES), new.entry(paths.SCORES)
    if before is None or after is None:
        return None
    sides = (ScoreBlob(before.oid, base), ScoreBlob(after.oid, new))
    found = compare_blobs(*sides) if is_ordered(cache, before.oid) else None
    if found is None:
        return score_changes.changed_entries(*(side.text for side in sides))
    cache[_KEPT] = after.oid.encode()
    return {name: entry for name, (_, entry) in found.items()}
