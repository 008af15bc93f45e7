"""The scores of entities for the page of the graph, kept apart from those of all memories.

decay-scores.json has three megabytes for ten thousand memories, and git inflates all of them to
tell of one: a tenth of a write. It changes once a day, so its entries of entities are kept as they
stand, by the id that the file has.
"""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import sorted_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, MutableMapping
    from typing import Any

    from molt.trees import Tree

    Scores = Mapping[str, Mapping[str, Any]]

_NAME = "graph-scores"
_FORM = "scores 2 "


def find_scores(tree: Tree, entities: Collection[str], cache: MutableMapping[str, bytes]) -> Scores:
    """The entries that decay-scores.json has of some entities, by their ids; none where it is
    damaged.
    """
    entry = tree.entry(paths.SCORES)
    if entry is None:
        return {}
    head = f"{_FORM}{entry.oid}\n".encode()
    kept = cache.get(_NAME) or b""
    try:
        if not kept.startswith(head):
            text = trees.read_text(tree, paths.SCORES)
            part = sorted_scores.keep_kind(text, "entity")
            if part is None:
                return score_file.find_entries(text, entities)
            cache[_NAME] = kept = head + part
        return _read_entries(kept, entities, len(head))
    except ValueError:
        return {}


def _read_entries(kept: bytes, entities: Collection[str], start: int) -> Scores:
    found: dict[str, Mapping[str, Any]] = {}
    for one in entities:
        text = sorted_scores.cut_entry(kept, one, start)
        if text != score_file.EMPTY:
            found.update(score_file.find_entries(text, [one]))
    return found
