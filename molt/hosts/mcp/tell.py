"""The tools that write memories, in the name of who acts.

What a model says here was noticed by it (`conversation`, relevance 0.7), or came from where it
says; it was said by a person only where the client has asked its user, and the user said yes.
"""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Elicit, Resolve
from mcp.server.mcpserver.exceptions import ToolError

from molt import errors
from molt.hosts.mcp import consent, shapes
from molt.hosts.mcp.consent import Consent, Outcome
from molt.hosts.mcp.desk import ASKED, Asking, desk_of
from molt.hosts.mcp.inputs import ProposeInput, RememberInput
from molt.memory.govern import proposals
from molt.memory.workspace import Workspace
from molt.memory.write import answers, remember

TRIGGER = "mcp"
"""What the history says asked for what a model writes."""


async def ask_to_remember(ctx: Asking, text: str, ask_user: bool) -> Elicit[Consent] | None:
    """The question whether a person says these words; None where nobody is to be asked."""
    if not ask_user:
        return None
    if not consent.can_ask(ctx):
        raise ToolError("this client cannot ask its user: leave `ask_user` out")
    if len(text) > consent.MOST:
        raise ToolError("too long to be shown in a question: leave `ask_user` out")
    return Elicit(f"Remember this as said by you?\n\n{text}", Consent)


async def memory_remember(
    ctx: Asking, answer: Annotated[Outcome, Resolve(ask_to_remember)], given: RememberInput
) -> shapes.RememberedShape:
    """Store one fact, decision, preference or event in long-term memory, as one commit.

    Fill in what you know from the conversation: store, type, entity, relations, tags, block. Give
    `supersedes` when something known has changed. Name the `source`: what tools or web pages say is
    kept apart. With `ask_user` the user confirms the words, and they count as the user's own.
    """
    consent.require_consent(answer, "nothing was stored")
    confirmed = consent.was_asked(answer)
    desk = desk_of(ctx)

    def store_text(ws: Workspace) -> shapes.RememberedShape:
        _refuse_agent(ws)
        if confirmed:
            ws = ws.replace(named=ASKED)
        source = "user-explicit" if confirmed else given.source
        now = desk.read_time(ws)
        asked = answers.Asked(given.make_route(), source, now=now.timestamp())
        flags: dict[str, object] = {"store": given.store, "entity": given.entity}
        flags.update(tags=given.tags, supersedes=given.supersedes)
        route = answers.choose_route(ws, given.text, asked, **flags)
        route = route.replace(trigger=consent.CONFIRMED if confirmed else TRIGGER)
        if route.store == "none":
            why = f"nothing was stored: {route.why or 'it is not a memory'}"
            raise errors.NeedsAnswer(why, "call again with `store` to store it anyway")
        done = remember.remember_text(ws, route, now)
        made = done.made
        return shapes.RememberedShape(
            stored=True,
            id=made.id,
            store=route.store,
            path=made.path,
            commit=done.oid or "",
            action=made.action,
            again=made.again,
            source=route.source,
            base_relevance=route.base,
            note="; ".join(filter(None, (made.taken, route.note))),
            warnings=(*ws.warnings, *done.warnings),
        )

    return await desk.write(store_text)


def _refuse_agent(ws: Workspace) -> None:
    """Raises Refused where a sub-agent acts: it proposes."""
    if ws.actor.startswith("subagent:"):
        raise errors.Refused(f"{ws.actor} only proposes", "call `memory_propose` instead")


async def memory_propose(ctx: Asking, given: ProposeInput) -> shapes.SuggestedShape:
    """Propose a memory, as a sub-agent; the main agent or a person decides on it."""
    desk = desk_of(ctx)

    def propose(ws: Workspace) -> shapes.SuggestedShape:
        if not ws.actor.startswith("subagent:"):
            raise errors.Refused(f"{ws.actor} is no sub-agent", "call `memory_remember` instead")
        now = desk.read_time(ws)
        said = given.model_dump(exclude={"text"})
        made, taken = proposals.propose_text(ws, given.text, now, trigger=TRIGGER, **said)
        one = made.proposal
        return shapes.SuggestedShape(
            id=one.id,
            number=one.number,
            store=one.store,
            conflict=one.flag,
            commit=made.done.oid or "",
            accepted=taken.made.memories[0] if taken else "",
        )

    return await desk.write(propose)
