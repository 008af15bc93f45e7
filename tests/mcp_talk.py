"""A client of the server in this process: tools called, and a user who answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.types import ElicitResult, ErrorData

from molt.hosts.mcp import server
from molt.hosts.mcp.desk import ServerPlace

T = TypeVar("T")
NOON = 1_770_033_600.0
"""2026-02-02, 12:00 UTC."""


class User:
    """Who is asked by a client: what they were asked, and what they say."""

    def __init__(self, says: str = "accept", confirm: bool = True) -> None:
        self.says = says
        self.confirm = confirm
        self.asked: list[str] = []

    async def answer(self, context: Any, params: Any) -> ElicitResult | ErrorData:
        """What they say; the message is what they were asked."""
        self.asked.append(params.message)
        content = {"confirm": self.confirm} if self.says == "accept" else None
        return ElicitResult.model_validate({"action": self.says, "content": content})


class Talk:
    """One conversation with a server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """What a tool gives."""
        done = await self.client.call_tool(tool, given)
        assert not done.is_error, done.content
        assert done.structured_content is not None
        return dict(done.structured_content)

    async def fail(self, tool: str, **given: Any) -> str:
        """What a tool says that fails."""
        done = await self.client.call_tool(tool, given)
        assert done.is_error, done.structured_content
        return "\n".join(getattr(one, "text", "") for one in done.content)

    async def read(self, address: str) -> str:
        """The text of a resource."""
        done = await self.client.read_resource(address)
        return "".join(getattr(one, "text", "") for one in done.contents)


def hold_talk(
    root: Path | str,
    talk: Callable[[Talk], Awaitable[T]],
    *,
    user: User | None = None,
    mode: Any = "auto",
    actor: str = "",
) -> T:
    """What a conversation gives with a server for a folder, whose clock stands at noon."""

    async def run() -> T:
        made = server.make_server(ServerPlace(str(root), actor, lambda: NOON))
        asked = user.answer if user else None
        async with Client(made, mode=mode, elicitation_callback=asked) as client:
            return await talk(Talk(client))

    return anyio.run(run)


def call_tool(root: Path | str, tool: str, **given: Any) -> dict[str, Any]:
    """What one tool gives of a server for a folder."""
    return hold_talk(root, lambda talk: talk.call(tool, **given))


def fail_tool(root: Path | str, tool: str, **given: Any) -> str:
    """What one tool says that fails."""
    return hold_talk(root, lambda talk: talk.fail(tool, **given))
