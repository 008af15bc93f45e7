"""The ids of the memories that a workspace holds."""

from __future__ import annotations

from molt import formats
from molt.formats import episodes, ids, notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree

_NOTES = {
    "entity": (ids.entity, formats.ENTITIES),
    "procedure": (ids.procedure, formats.PROCEDURES),
    "vault": (ids.vault, formats.VAULT),
}


def listed(tree: Tree) -> Iterator[str]:
    """Every id, by path; of core memory those of its bullets."""
    for path in sorted(tree.entries()):
        kind = formats.kind(path)
        if kind in _NOTES:
            name, folder = _NOTES[kind]
            yield name(path.removeprefix(folder).removesuffix(".md"))
        elif kind == "episode":
            date = episodes.date_of(path) or ""
            yield from (entry.id for entry in episodes.parse(_text(tree, path), date))
        elif kind == "core":
            yield from (bullet.id for bullet in notes.core_bullets(_text(tree, path)))


def _text(tree: Tree, path: str) -> str:
    return (tree.read(path) or b"").decode("utf-8", "replace")
