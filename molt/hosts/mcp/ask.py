"""The tools that read: nothing is changed by them, but that a memory which is read counts as used.

Each is one call of `molt.memory`; what it gives is put into the form of `shapes`.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from molt.formats import ids
from molt.hosts.mcp import shapes
from molt.hosts.mcp.desk import Asking, desk_of
from molt.hosts.mcp.inputs import SearchInput
from molt.memory import touch
from molt.memory.answers import get, portrait, status
from molt.memory.held import quarantine, withheld
from molt.memory.recall import recall
from molt.memory.reflect.branches import branch, show
from molt.memory.search import asked, search
from molt.memory.why import trace
from molt.memory.workspace import Workspace

_TITLE = 80  # letters: one line of a list
_UNASKED: dict[str, Any] = {
    **dict.fromkeys(("stores", "types", "tags", "sources", "scopes"), ()),
    **dict.fromkeys(("path", "actor", "at", "since", "until"), ""),
    **dict.fromkeys(("audience", "nearest", "dormant", "archived"), False),
    "limit": 0,
    "min_score": None,
}
"""What the tools do not ask with, under the names that the command line has."""


async def memory_search(ctx: Asking, given: SearchInput) -> shapes.FoundShape:
    """Search long-term memory by words and by meaning.

    Gives snippets with their place; `memory_get` reads all of one.
    """
    desk = desk_of(ctx)
    wanted = given.model_dump()
    query, faded = wanted.pop("query"), wanted.pop("faded")

    def find(ws: Workspace) -> shapes.FoundShape:
        options = asked.read_options(ws, {**_UNASKED, **wanted, "archived": faded}, desk.now())
        found = shapes.FoundShape.model_validate(search.search(ws, query, options, merged=True))
        told = quarantine.tell_held(quarantine.list_quarantined(withheld.read_held(ws.repo)))
        return found.model_copy(update={"quarantine": told})

    return await desk.read(find)


async def memory_recall(
    ctx: Asking,
    question: Annotated[str, Field(min_length=1, description="A question about earlier work")],
    max_tokens: Annotated[int, Field(ge=1, le=20_000, description="The most it may hold")] = 1500,
    hops: Annotated[int, Field(ge=0, le=2, description="How far from a named entity")] = 1,
) -> shapes.AnsweredShape:
    """Answer a question with one block of memories, each with its place, ready for a prompt."""
    desk = desk_of(ctx)

    def answer(ws: Workspace) -> shapes.AnsweredShape:
        options = asked.read_options(ws, {**_UNASKED}, desk.now())
        found = recall.answer_question(ws, question, options, max_tokens=max_tokens, hops=hops)
        return shapes.AnsweredShape.model_validate(found)

    return await desk.read(answer)


async def memory_get(
    ctx: Asking,
    ref: Annotated[str, Field(min_length=1, description="Id, citation, entity's name, or path")],
    start: Annotated[int, Field(ge=1, description="The first line of it")] = 1,
    lines: Annotated[int, Field(ge=0, description="How many; 0 for all")] = 0,
) -> shapes.ReadShape:
    """Read one memory by its id or citation, or a file of memories by its path."""
    desk = desk_of(ctx)

    def read(ws: Workspace) -> shapes.ReadShape:
        found = get.get_passage(ws, ref, start=start, lines=lines)
        touch.note_read(ws, ref, desk.now())
        return shapes.ReadShape(
            ref=ref, path=found.path, start_line=found.start, end_line=found.end, text=found.text
        )

    return await desk.read(read)


async def memory_entity(
    ctx: Asking,
    name: Annotated[str, Field(min_length=1, description="Id, label or alias")],
    hops: Annotated[int, Field(ge=1, le=2, description="How far to look around it")] = 1,
) -> shapes.KnownShape:
    """Tell what is known of a person, project, tool …, and what it is related to."""
    desk = desk_of(ctx)

    def draw(ws: Workspace) -> shapes.KnownShape:
        found = portrait.draw_entity(ws, name, hops)
        touch.note_read(ws, ids.entity(found.node.id), desk.now())
        near = tuple(
            shapes.NearShape(id=ids.entity(step.id), label=label, hops=step.hops)
            for step, label in found.near
        )
        return shapes.KnownShape(
            id=ids.entity(found.node.id),
            path=found.file.path,
            type=found.node.type,
            label=found.node.label,
            aliases=found.node.aliases,
            text=found.file.text,
            relations=tuple(map(shapes.EdgeShape.model_validate, found.edges)),
            neighbours=near,
        )

    return await desk.read(draw)


async def memory_history(
    ctx: Asking,
    ref: Annotated[str, Field(description="A memory; empty for the newest changes of all")] = "",
    limit: Annotated[int, Field(ge=1, le=200, description="How many events at most")] = 20,
) -> shapes.HistoryShape:
    """Tell who wrote or changed a memory, when and why (oldest first), or what changed last."""

    def tell(ws: Workspace) -> shapes.HistoryShape:
        if ref:
            found = [one.line for one in trace.tell_story(ws, ref)[-limit:]]
        else:
            found = list(trace.list_newest(ws, limit))
        bad = quarantine.freshen_held(ws.repo).list_open()
        # What such a commit says of itself is no more to be believed than what it brought.
        told = (
            one.replace(summary=f"held back: {', '.join(bad[one.commit])}")
            if one.commit in bad
            else one
            for one in found
        )
        return shapes.HistoryShape(events=tuple(map(shapes.EventShape.model_validate, told)))

    return await desk_of(ctx).read(tell)


async def memory_status(ctx: Asking) -> shapes.StatusShape:
    """Tell what is here: how full core memory is, memories by store, alerts, what is pending."""
    desk = desk_of(ctx)

    def look(ws: Workspace) -> shapes.StatusShape:
        found = status.read_status(ws, desk.now())
        return shapes.StatusShape(
            core=shapes.CoreStateShape.model_validate(found.core),
            memories=found.memories,
            alerts=tuple(map(shapes.AlertStateShape.model_validate, found.alerts)),
            proposals=found.proposals,
            reflections=found.reflections,
            index_fresh=found.index.fresh,
            index_stale=found.index.stale,
            dirty=found.dirty,
        )

    return await desk.read(look)


async def reflection_show(
    ctx: Asking,
    reflection: Annotated[str, Field(description="Its id; empty for the one that is open")] = "",
) -> shapes.ReflectedShape:
    """Show what a reflection proposes to change, and what was decided of it."""

    def look(ws: Workspace) -> shapes.ReflectedShape:
        # A model that looks is no person who has seen it: nothing is noted.
        found = show.describe_reflection(branch.find_reflection(ws, reflection))
        return shapes.ReflectedShape.model_validate(found)

    return await desk_of(ctx).read(look)


async def connector_search(
    ctx: Asking, query: Annotated[str, Field(min_length=1, description="What to look for")]
) -> shapes.LinksShape:
    """Search memory, in the form of connectors; `fetch` reads what is found."""
    found = await memory_search(ctx, SearchInput(query=query, limit=10))
    links = (
        shapes.LinkShape(id=one.citation, title=_name_hit(one), url=f"molt://file/{one.citation}")
        for one in found.results
    )
    return shapes.LinksShape(results=tuple(links))


async def connector_fetch(
    ctx: Asking,
    id: Annotated[str, Field(min_length=1, description="The id of a result")],  # noqa: A002 as connectors say
) -> shapes.DocumentShape:
    """Read what `search` has found, in the form of connectors."""
    found = await memory_get(ctx, id)
    words = found.text.split("\n", 1)[0].lstrip("# ").strip()
    return shapes.DocumentShape(
        id=id,
        title=words[:_TITLE] or found.path,
        text=found.text,
        url=f"molt://file/{found.path}#L{found.start_line}-L{found.end_line}",
        metadata={"path": found.path},
    )


def _name_hit(one: shapes.HitShape) -> str:
    """A result's first words, with its day."""
    words = " ".join(one.snippet.lstrip("# ").split())[:_TITLE]
    return f"{one.date[:10]} {words}".strip() or one.path
