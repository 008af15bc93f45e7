"""The server: its tools, resources and prompts, and how it is run."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from molt import __version__
from molt.hosts.mcp import ask, decide, forget, reflect, resources, tell
from molt.hosts.mcp.desk import Desk, ServerPlace
from molt.hosts.mcp.spread import spread_input

_INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it
_ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""
_INSTRUCTIONS = (
    "Long-term memory of this agent. Call memory_search or memory_recall before answering about "
    "earlier work, people, decisions or preferences. Call memory_remember for what will matter "
    "later, with the store, type, entity, relations and tags that you know. Nothing is forgotten, "
    "and no reflection approved, without the user."
)
# Nothing here asks a network: what models call an open world.
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
# To remember the same words again changes nothing but that they count as used.
_KEEPS = _ADDS.model_copy(update={"idempotent_hint": True})
_DECIDES = _ADDS.model_copy(update={"destructive_hint": True})


def make_server(place: ServerPlace) -> MCPServer[Desk]:
    """A server for the workspace of a place, which need not be there yet: each call looks for it,
    and says what is missing.
    """

    _share_heap()
    desk = Desk(place)

    @asynccontextmanager
    async def open_desk(_server: MCPServer[Desk]) -> AsyncIterator[Desk]:
        try:
            yield desk
        finally:
            with anyio.CancelScope(shield=True):
                await desk.close()

    server = MCPServer(
        "molt",
        title="molt",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
        lifespan=open_desk,
    )
    _add_tools(server)
    resources.add_resources(server, desk)
    return server


def _share_heap() -> None:
    """Let all threads take memory from one heap. With one for each, as glibc has it, what a call
    took in one is not there for the next in another: 6 MiB after 500 calls, 9 after 3,000.
    """
    if sys.platform == "linux":
        # No other C library has it.
        limit = getattr(ctypes.CDLL(None), "mallopt", None)
        if limit is not None:
            limit(_ARENA_MAX, 1)


def _add_tools(server: MCPServer[Desk]) -> None:
    add = server.add_tool
    add(spread_input(ask.memory_search), title="Search memory", annotations=_READS)
    add(ask.memory_recall, title="Recall", annotations=_READS)
    add(ask.memory_get, title="Read a memory", annotations=_READS)
    add(ask.memory_entity, title="What is known of something", annotations=_READS)
    add(ask.memory_history, title="Who wrote what, and when", annotations=_READS)
    add(ask.memory_status, title="What is here, and what waits", annotations=_READS)
    add(ask.reflection_show, title="Show a reflection", annotations=_READS)
    add(ask.connector_search, "search", title="Search", annotations=_READS)
    add(ask.connector_fetch, "fetch", title="Fetch", annotations=_READS)
    add(spread_input(tell.memory_remember), title="Remember", annotations=_KEEPS)
    add(spread_input(tell.memory_propose), title="Propose a memory", annotations=_ADDS)
    add(forget.memory_forget, title="Forget", annotations=_DECIDES)
    add(reflect.reflection_propose, title="Propose a reflection", annotations=_ADDS)
    add(
        spread_input(decide.reflection_decide),
        title="Decide on a reflection",
        annotations=_DECIDES,
    )


def serve_stdio(place: ServerPlace) -> None:
    """Answer on standard input and output until the client closes them, or Ctrl-C."""
    # The thread that waits for input cannot be stopped otherwise; a write that is cut off is taken
    # to its end, or back, by the next one.
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    anyio.run(make_server(place).run_stdio_async)
