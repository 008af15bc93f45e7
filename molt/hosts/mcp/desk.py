"""The one place where calls of an agent meet the workspace: in turns, each as it is then.

What is behind it reads and writes files, asks git and SQLite, and waits for them; so it runs in a
thread of its own, and one call at a time does. Two searches side by side would share one
interpreter and gain nothing, and two writes wait for the same lock of the workspace anyway. What
the protocol asks meanwhile, such as whether the server is alive, is answered at once.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from molt import errors
from molt.formats import message as messages
from molt.memory import days, workspace
from molt.memory.clone.kept import Kept
from molt.memory.workspace import Workspace
from molt.values import Value

T = TypeVar("T")

MAIN = "bot:main"
ASKED = "bot:trigger-remember"
"""Who writes what a person has said yes to."""
_PERSONS = ("manual", ASKED, messages.FORGETTER)
# Questions that wait for an answer; who asks more often has the oldest forgotten.
_OPEN = 32
_TOKEN_BYTES = 12
"""96 bits: no caller guesses the question of another."""


class ServerPlace(Value):
    """Where a server works: the folder to look for the workspace from, who acts where that is
    said, and what tells the seconds since 1970.
    """

    start: str
    actor: str
    seconds: Callable[[], float]


class Desk:
    """The workspace of a server, for as long as it runs."""

    def __init__(self, place: ServerPlace) -> None:
        self.place = place
        self.kept = Kept()
        self._turn = anyio.CapacityLimiter(1)
        self._open: OrderedDict[str, Any] = OrderedDict()

    def now(self) -> float:
        """The seconds since 1970."""
        return self.place.seconds()

    def read_time(self, ws: Workspace) -> datetime:
        """The time in a workspace's zone."""
        return days.read_time(self.now(), ws.config.workspace_timezone)

    async def read(self, work: Callable[[Workspace], T]) -> T:
        """What a call gives of the workspace. Raises ToolError for all that was foreseen."""
        return await self._take_turn(lambda: self._work(work))

    async def write(self, work: Callable[[Workspace], T]) -> T:
        """The same, in the name of who acts: never a person, for a model is none."""
        return await self._take_turn(lambda: self._work(work, writes=True))

    async def show(self, work: Callable[[Workspace], T]) -> T:
        """The same for a resource. Raises ResourceError."""
        try:
            return await self._take_turn(lambda: self._work(work))
        except ToolError as error:
            missing = isinstance(error.__cause__, errors.NotFound | errors.Usage)
            kind = ResourceNotFoundError if missing else ResourceError
            raise kind(str(error)) from error

    async def close(self) -> None:
        """Close what is open."""
        await anyio.to_thread.run_sync(self.kept.close, limiter=self._turn)

    async def _take_turn(self, work: Callable[[], T]) -> T:
        """What some work gives in its turn; once begun it goes on to its end."""
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._turn)
        except errors.MoltError as error:
            raise ToolError(describe_error(error)) from error
        except OSError as error:
            raise ToolError(f"{error.filename or 'the workspace'}: {error.strerror}") from error

    def _work(self, work: Callable[[Workspace], T], *, writes: bool = False) -> T:
        ws = workspace.find(self.place.start, self.place.actor, self.kept)
        # git answers for one call: it holds what it has read, and a folder that may go away.
        with ws.repo:
            return work(ws.replace(named=choose_actor(ws)) if writes else ws)

    def open_question(self, about: object) -> str:
        """A word under which something that was shown is asked for again, once."""
        token = secrets.token_hex(_TOKEN_BYTES)
        self._open[token] = about
        if len(self._open) > _OPEN:
            self._open.popitem(last=False)
        return token

    def look_up(self, token: str) -> Any:
        """What a word was given for; None for none, or one that was used up."""
        return self._open.get(token)

    def use_up(self, token: str) -> None:
        """Let a word mean nothing any more."""
        self._open.pop(token, None)


Asking = Context[Desk, Any]
"""What a tool is told of the call: its desk, and the client that asks."""


def desk_of(ctx: Asking) -> Desk:
    """The desk of the server that was asked."""
    return ctx.request_context.lifespan_context


def choose_actor(ws: Workspace) -> str:
    """Who acts for a model: as the call, the environment or git's configuration says, but never a
    person, nor who writes what a person has asked for.
    """
    found = ws.actor
    return MAIN if found in _PERSONS or found.startswith("reflection:") else found


def require_model(actor: str) -> None:
    """Raises Usage for an actor that no model can be."""
    if actor in _PERSONS:
        hint = f"`molt --actor {MAIN} mcp`, or subagent:NAME for one that only proposes"
        raise errors.Usage(f"{actor} is nobody that a model can be", hint)


def describe_error(error: errors.MoltError) -> str:
    """What was wrong, what a policy found, and what to do next, in a few lines."""
    rows = [error.message]
    for one in getattr(error, "findings", ()):
        rows.append(f"{one.code} {one.place}: {one.message} ({one.hint})")
    return "\n".join((*rows, error.hint)).strip()
