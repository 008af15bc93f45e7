"""What a client may show its user or put before a model: core memory, the context, files."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

from molt import errors
from molt.formats import paths
from molt.hosts.mcp.desk import Asking, Desk, desk_of
from molt.memory.answers import context as contexts
from molt.memory.answers import get
from molt.memory.reflect.plans import brief
from molt.memory.workspace import Workspace

_MARKDOWN = "text/markdown"


async def read_core(desk: Desk) -> str:
    """Core memory."""
    return await desk.show(lambda ws: get.get_passage(ws, paths.CORE).text)


async def read_context(desk: Desk) -> str:
    """What a session begins with."""

    def build(ws: Workspace) -> str:
        now = desk.read_time(ws)
        return contexts.build_context(ws, now)

    return await desk.show(build)


async def read_file(ctx: Asking, path: str) -> str:
    """A file of memories, or a note at the top of the workspace, as Markdown."""

    def read(ws: Workspace) -> str:
        if not path.partition("#")[0].endswith(".md"):
            raise errors.Usage(f"{path} is no Markdown of the memory")
        return get.get_passage(ws, path).text

    return await desk_of(ctx).show(read)


async def tell_to_remember(text: str = "") -> str:
    """Look through this conversation for what should be kept, and keep it."""
    said = f"The user wants this to be remembered:\n\n{text}\n\n" if text.strip() else ""
    return (
        f"{said}Find what of this conversation will matter in later ones: decisions with their "
        "reasons, preferences, facts about people, projects and tools, corrections. Call "
        "`memory_search` for each, to see what is known. Then call `memory_remember` once for each "
        "that is new, in one sentence that stands alone, with the store, type, entity, relations "
        "and tags that you know, and `supersedes` where something known has changed. Leave out "
        "small talk, guesses, and credentials; name in `source` what came from tools or web pages."
    )


async def tell_to_reflect(ctx: Asking) -> str:
    """Consolidate: propose what the memory should keep, join or let go."""
    desk = desk_of(ctx)

    def tell(ws: Workspace) -> str:
        from molt.memory.reflect import draft

        now = desk.read_time(ws)
        return brief.render_brief(
            draft.brief_reflection(ws, now.strftime("%Y-%m-%d"), now.timestamp())
        )

    told = await desk.show(tell)
    return f"{told}\nHand the plan to `reflection_propose`; then show the user what it says.\n"


def add_resources(server: MCPServer[Desk], desk: Desk) -> None:
    """Offer the resources and prompts."""

    # A resource whose address has no variable is told nothing of the call.
    @server.resource("molt://core", title="Core memory", mime_type=_MARKDOWN)
    async def core() -> str:
        """Core memory, which every session begins with."""
        return await read_core(desk)

    @server.resource("molt://context", title="Context", mime_type=_MARKDOWN)
    async def context() -> str:
        """Alerts, core memory, what is pending, today's and yesterday's episodes."""
        return await read_context(desk)

    add_file = server.resource("molt://file/{+path}", name="file", mime_type=_MARKDOWN)
    add_file(read_file)
    server.prompt(name="remember", title="Remember")(tell_to_remember)
    server.prompt(name="reflect", title="Reflect")(tell_to_reflect)
