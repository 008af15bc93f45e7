"""Memories that were used or read, noted."""

from __future__ import annotations

import contextlib

from molt import errors, trees
from molt.formats import lines
from molt.formats.prose import citations
from molt.index.content import sources
from molt.memory import inventory, refs
from molt.memory.decay import accesses
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.memory.workspace import Workspace
    from molt.trees import Tree


class TouchedMemories(Value):
    """The ids of the memories that were noted as used, and what was named besides that has no score
    and so does not fade: notes, and Markdown at the top of the workspace.
    """

    noted: tuple[str, ...]
    lasting: tuple[str, ...] = ()


def touch_memories(ws: Workspace, memories: Iterable[str], now: float) -> TouchedMemories:
    """Note that memories were used, each by its id, citation, path or label. Raises NotFound for
    what is none, then none is noted; Failed where the note cannot be written.
    """
    wanted = tuple(dict.fromkeys(one for ref in memories for one in refs.find_memories(ws, ref)))
    tree = ws.files()
    lasting = tuple(one for one in wanted if not inventory.has_memory(tree, one))
    for one in lasting:
        if not _is_written(tree, one):
            raise errors.NotFound(f"no memory {one!r}", "`molt search` gives ids")
    noted = tuple(one for one in wanted if one not in lasting)
    if noted:
        accesses.record(ws.repo, noted, now)
    return TouchedMemories(noted, lasting)


def _is_written(tree: Tree, ref: str) -> bool:
    """Whether a path or citation is of a file that is searched, with the lines that it names."""
    place = refs.find_place(tree, ref)
    if place is None or not sources.is_searched(place.path):
        return False
    return place.last <= len(lines.bare_lines(trees.read_text(tree, place.path)))


def note_read(ws: Workspace, ref: str, now: float) -> None:
    """Note that the memory of an id, path, citation or label was read; reading never fails for
    that. A whole file of many is none of them.
    """
    whole = citations.parse_citation(ref)
    if whole is not None and not whole.first:
        return
    found = tuple(one for one in refs.find_memories(ws, ref) if refs.is_id(one))
    if found:
        with contextlib.suppress(errors.Failed):
            accesses.record(ws.repo, found, now)
