"""The tool by which a person, asked by the client, decides on a reflection.

Nothing is ever decided on a model's word: without a client that can ask, it is refused, and what
the user does not say yes to is not done.
"""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Elicit, Resolve
from mcp.server.mcpserver.exceptions import ToolError

from molt.hosts.mcp import consent, shapes
from molt.hosts.mcp.consent import Consent, Outcome
from molt.hosts.mcp.desk import Asking, Desk, desk_of
from molt.hosts.mcp.inputs import DecideInput, Decision, Numbers
from molt.memory import workspace
from molt.memory.reflect.branches import branch, seen, show
from molt.memory.reflect.decisions import approve, reject
from molt.memory.workspace import Workspace
from molt.values import Value

PERSON = "manual"


class Looked(Value):
    """What a decision is about: the reflection, the hash of its plan, and all that it does."""

    id: str
    plan: str
    deeds: str


async def look_at_plan(ctx: Asking, decision: Decision, reflection: str, why: str) -> Looked:
    """What is to be decided on. Raises ToolError where nobody could."""
    if not consent.can_ask(ctx):
        hint = "`molt reflect show`, then `molt reflect approve` or `reject`, in a terminal"
        raise ToolError(f"this client cannot ask its user, who alone decides: {hint}")
    if decision == "reject" and not why.strip():
        raise ToolError("a rejection has a reason: ask the user for it, and give it as `why`")

    def look(ws: Workspace) -> Looked:
        person = ws.replace(named=PERSON)
        workspace.require_approver(person, f"{decision} reflections", asked=True)
        found = branch.require_open(ws, reflection)
        deeds = "\n".join(show.list_deeds(found.record))
        return Looked(found.id, found.record.plan_hash, deeds)

    return await desk_of(ctx).read(look)


Shown = Annotated[Looked, Resolve(look_at_plan)]


async def ask_to_decide(
    shown: Shown,
    decision: Decision,
    only: Numbers,
    without: Numbers,
    why: str,
) -> Elicit[Consent]:
    """The question whether a reflection is to be decided so, with all that it would do."""
    choice = _describe_choice(decision, only, without, why)
    said = f"{choice} reflection {shown.id} (plan {shown.plan[:10]})?\n\n{shown.deeds}"
    if len(said) > consent.MOST:
        raise ToolError("too much to be shown in a question: the user decides in a terminal")
    return Elicit(said, Consent)


def _describe_choice(decision: str, only: Numbers, without: Numbers, why: str) -> str:
    part = f" only {', '.join(map(str, only))} of" if only else ""
    rest = f" all but {', '.join(map(str, without))} of" if without else ""
    if decision == "approve":
        return f"Approve{part}{rest}"
    return f"Reject (because: {why})"


async def reflection_decide(
    ctx: Asking,
    shown: Shown,
    answer: Annotated[Outcome, Resolve(ask_to_decide)],
    given: DecideInput,
) -> shapes.DecidedShape:
    """Approve or reject a reflection, by asking the user. Only clients that can ask may do this.

    Call `reflection_show` first and talk it over. A refusal of the user is final.
    """
    consent.require_consent(answer, "nothing was decided")
    desk = desk_of(ctx)
    choice = approve.ApprovalChoice(
        given.only, given.without, plan=shown.plan, trigger=consent.CONFIRMED
    )
    if given.decision == "approve":
        return await desk.read(lambda ws: _approve(desk, ws, shown.id, choice))
    options = reject.RejectOptions(plan=shown.plan, trigger=consent.CONFIRMED)
    return await desk.read(lambda ws: _reject(desk, ws, (shown.id, given.why), options))


def _approve(
    desk: Desk, ws: Workspace, reflection: str, choice: approve.ApprovalChoice
) -> shapes.DecidedShape:
    ws = ws.replace(named=PERSON)
    found = branch.require_open(ws, reflection)
    if found.record.plan_hash == choice.plan:
        # Its operations stood in the question that a person said yes to.
        seen.note_seen(ws, found.id, found.text)
    now = desk.read_time(ws)
    done = approve.approve_reflection(ws, found.id, choice, now)
    made = done.made
    return shapes.DecidedShape(
        id=made.id,
        decision=made.status,
        applied=made.applied,
        total=made.total,
        commit=done.oid or "",
    )


def _reject(
    desk: Desk, ws: Workspace, asked: tuple[str, str], options: reject.RejectOptions
) -> shapes.DecidedShape:
    ws = ws.replace(named=PERSON)
    reflection, why = asked
    now = desk.read_time(ws)
    total = len(branch.require_open(ws, reflection).record.items)
    done = reject.reject_reflection(ws, reflection, why, now, options)
    return shapes.DecidedShape(
        id=done.made, decision="rejected", applied=0, total=total, commit=done.oid or ""
    )
