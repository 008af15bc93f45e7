"""Memories that were used or read, noted."""

from __future__ import annotations

import contextlib

from molt import errors
from molt.memory import inventory
from molt.memory.decay import accesses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.memory.workspace import Workspace


def touch_memories(ws: Workspace, memories: Iterable[str], now: float) -> None:
    """Note that memories were used. Raises NotFound for what is none, then none is noted; Failed
    where the note cannot be written.
    """
    wanted = tuple(dict.fromkeys(memories))
    tree = ws.files()
    for memory in wanted:
        if not inventory.has_memory(tree, memory):
            raise errors.NotFound(f"no memory {memory!r}", "`molt search` gives ids")
    accesses.record(ws.repo, wanted, now)


def note_read(ws: Workspace, ref: str, now: float) -> None:
    """Note that the memory of an id or path was read; reading never fails for that."""
    memory = inventory.find_id(ref) if ref.endswith(".md") else ref
    if memory:
        with contextlib.suppress(errors.Failed):
            accesses.record(ws.repo, (memory,), now)
