"""The tool that forgets: first it shows what would go, then it is told so.

The first call changes nothing and gives a token for what it has shown; only that token, and only
while what it was given for is still the same, forgets it. A client that can ask its user is made
to; what it cannot ask, the token stands for. What is forgotten here can be brought back.
"""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Elicit, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from molt import errors
from molt.formats import message as messages
from molt.hosts.mcp import consent, shapes
from molt.hosts.mcp.consent import Consent, Outcome
from molt.hosts.mcp.desk import Asking, Desk, desk_of
from molt.memory.forget import elsewhere, matches
from molt.memory.forget import forget as forgetting
from molt.memory.forget.matches import Match, Wanted
from molt.memory.workspace import Workspace
from molt.values import Value

TOLD = "mcp, the agent says that the user agreed"


class Going(Value):
    """What a token was given for: what was asked, and what was found."""

    wanted: Wanted
    found: tuple[Match, ...]


async def ask_to_forget(ctx: Asking, token: str) -> Elicit[Consent] | None:
    """The question whether to forget what a token is for; None where nobody is to be asked."""
    going = desk_of(ctx).look_up(token) if token else None
    if not isinstance(going, Going) or not consent.can_ask(ctx):
        return None
    rows = [f"- {one.text} ({one.id}: {one.effect})" for one in going.found]
    said = "\n".join(("Forget this?", "", *rows))
    if len(said) > consent.MOST:
        raise ToolError("too much to be shown in a question: say more exactly what to forget")
    return Elicit(said, Consent)


async def memory_forget(
    ctx: Asking,
    answer: Annotated[Outcome, Resolve(ask_to_forget)],
    what: Annotated[str, Field(description="All that says this goes; or an id")] = "",
    ids: Annotated[list[str] | None, Field(description="Only these memories")] = None,
    token: Annotated[str, Field(description="Of the first call, once the user said yes")] = "",
) -> shapes.ForgettingShape:
    """Put memories away, on the user's request, in two steps.

    First call it with `what` or `ids`: it changes nothing, lists what would go and gives a token.
    Show the list to the user. Only if they say yes, call it with that token alone.
    """
    desk = desk_of(ctx)
    if not token:
        wanted = Wanted(what, ids=tuple(ids or ()))
        return await desk.write(lambda ws: _show_matches(desk, ws, wanted))
    going = desk.look_up(token)
    if not isinstance(going, Going):
        raise ToolError("no such token, or it was used: call this with `what` first")
    desk.use_up(token)
    consent.require_consent(answer, "nothing was forgotten")
    trigger = consent.CONFIRMED if consent.was_asked(answer) else TOLD
    return await desk.write(lambda ws: _forget(desk, ws, going, trigger))


def _act_for_person(ws: Workspace) -> Workspace:
    """The workspace in the name of who forgets for a person. Raises Refused for who may not."""
    if ws.actor.startswith(("subagent:", "skill:")):
        raise errors.Refused(f"{ws.actor} does not forget", "the main agent asks the user")
    return ws.replace(named=messages.FORGETTER)


def _show_matches(desk: Desk, ws: Workspace, wanted: Wanted) -> shapes.ForgettingShape:
    ws = _act_for_person(ws)
    found = matches.find_matches(ws, ws.head(), wanted)
    told = elsewhere.describe_places(elsewhere.find_elsewhere(ws, wanted, found))
    forgetting.require_matches(wanted, found, told)
    return shapes.ForgettingShape(
        forgotten=False,
        matches=tuple(map(shapes.GoingShape.model_validate, found)),
        token=desk.open_question(Going(wanted, found)),
        elsewhere=told,
    )


def _forget(desk: Desk, ws: Workspace, going: Going, trigger: str) -> shapes.ForgettingShape:
    ws = _act_for_person(ws)
    seen: matches.Seen = {}
    if matches.find_matches(ws, ws.head(), going.wanted, seen=seen) != going.found:
        hint = "call this with `what` again, and show the user what it lists now"
        raise errors.NeedsAnswer("the memory has changed since", hint)
    now = desk.read_time(ws)
    options = forgetting.ForgetOptions(trigger=trigger)
    done = forgetting.forget_matches(ws, going.wanted, now, options, seen)
    return shapes.ForgettingShape(
        forgotten=bool(done.oid),
        matches=tuple(map(shapes.GoingShape.model_validate, done.made.done)),
        commit=done.oid or "",
    )
