"""Memories that were used or read, noted."""

from __future__ import annotations

import contextlib

from molt import errors
from molt.formats.prose import citations
from molt.memory import inventory, refs
from molt.memory.decay import accesses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.memory.workspace import Workspace


def touch_memories(ws: Workspace, memories: Iterable[str], now: float) -> tuple[str, ...]:
    """Note that memories were used, each by its id, citation or label; gives their ids. Raises
    NotFound for what is none, then none is noted; Failed where the note cannot be written.
    """
    wanted = tuple(dict.fromkeys(one for ref in memories for one in refs.find_memories(ws, ref)))
    tree = ws.files()
    for memory in wanted:
        if not inventory.has_memory(tree, memory):
            raise errors.NotFound(f"no memory {memory!r}", "`molt search` gives ids")
    accesses.record(ws.repo, wanted, now)
    return wanted


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
