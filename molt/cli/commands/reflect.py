"""`molt reflect`: what a reflection proposes, on a branch, until a person decides.

What hosts and timers call, and an approval, stands here; all else needs click anyway.
"""

from __future__ import annotations

import sys

from molt import errors
from molt.cli import clock, merged_branches, output
from molt.cli.call import Call
from molt.cli.spec import FLAG, MANY, Option, Spec, SpecGroup
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.reflect.decisions.approve import ApprovalChoice
    from molt.memory.reflect.draft import Draft
    from molt.memory.reflect.plans.brief import ReflectionBrief
    from molt.memory.workspace import Workspace


def _reflect(call: Call, brief: bool, plan: str, **given: Any) -> int:
    """Propose, or say why there is nothing to propose."""
    ws = call.workspace()
    merged_branches.finish_merged(call, ws)
    if given["if_due"]:
        _keep_retention(call, ws)
        if not _tell_due(call, ws):
            return 0
    # The engines of a plan take longer to import than an approval takes.
    from molt.memory.reflect import draft
    from molt.memory.reflect.branches import branch
    from molt.memory.reflect.plans import plans

    now = clock.now(ws.config.workspace_timezone)
    day, second = now.strftime("%Y-%m-%d"), now.timestamp()
    if brief:
        return _print_brief(call, draft.brief_reflection(ws, day, second))
    text = _read_plan(plan) if plan else None
    engine, spent = given["engine"] or None, ""
    if engine == "host" and text is None:
        # Before the model is asked, for that costs something.
        branch.refuse_second(ws, given["parallel"] or given["dry_run"])
        text, spent = _ask_host(ws, draft.brief_reflection(ws, day, second))
    made = draft.draft_reflection(ws, day, second, plan=text, engine=engine)
    if spent:
        note = "; ".join(filter(None, (spent, made.note)))
        made = made.replace(note=note, fields=(*made.fields, ("note", spent)))
    for fault in made.faults:
        output.note(call, escape_text(f"fix {plans.describe_fault(fault)}"))
    if made.note:
        output.note(call, escape_text(made.note))
    dry_run = given["dry_run"]
    found = None if dry_run else draft.write_draft(ws, made, now, parallel=given["parallel"])
    return _print_draft(call, made, found, dry_run)


def _keep_retention(call: Call, ws: Workspace) -> None:
    """Keep the audit log to its retention; what hinders that does not hinder a reflection."""
    from molt.memory.govern import audit_prune

    try:
        made = audit_prune.keep_retention(ws, clock.now("UTC"))
    except errors.MoltError as error:
        output.note(call, f"warning: the audit log is not pruned: {escape_text(error.message)}")
        return
    if made:
        output.note(call, f"digests of the audit log: {', '.join(made)}")


def _tell_due(call: Call, ws: Workspace) -> bool:
    """Whether a reflection is due; says why where it is not."""
    from molt.memory.reflect.schedule import due

    found = due.find_due(ws)
    if not found.is_due and call.json:
        output.print_json({"reflection": None, "due": False, "reason": found.reason})
    elif not found.is_due:
        output.echo(f"not due: {found.reason}")
    return found.is_due


def _print_brief(call: Call, told: ReflectionBrief) -> int:
    if call.json:
        output.print_json(told.asdict())
    else:
        from molt.memory.reflect.plans import brief as briefs

        output.echo(briefs.render_brief(told), end="")
    return 0


def _ask_host(ws: Workspace, told: ReflectionBrief) -> tuple[str, str]:
    """Return the plan of the host's own model, and what it cost. Raises what asking it does."""
    from molt.hosts import model
    from molt.memory.reflect.plans import brief

    answer = model.ask_host(model.require_host(ws.repo), brief.render_brief(told))
    return answer.text, answer.spent


def _read_plan(name: str) -> str:
    """The text of a plan. Raises Usage where it cannot be read."""
    try:
        if name == "-":
            return sys.stdin.read()
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.unreadable(name, error) from error


def _print_draft(call: Call, made: Draft, found: KnownReflection | None, dry_run: bool) -> int:
    """Print what is proposed, and what was left out."""
    from molt.cli import reflections
    from molt.memory.reflect import idle
    from molt.memory.reflect.branches import show

    if call.json:
        shown = show.describe_reflection(found).asdict() if found else None
        faults = [one.asdict() for one in made.faults]
        dropped = [{"op": one.op, "args": one.args, "why": why} for one, why in made.dropped]
        cut = [{"op": one.op, "args": one.args} for one in made.cut]
        rest = {"engine": made.engine, "dropped": dropped, "cut": cut, "faults": faults}
        if dry_run:
            rest["operations"] = [one.asdict() for one in made.operations]
        output.print_json({"reflection": shown, **rest})
    elif found is not None:
        reflections.print_reflection(call, found)
    elif dry_run:
        reflections.print_summary(made.summary)
    else:
        output.echo("\n".join(map(escape_text, idle.explain_idle(made))))
    # A plan of which nothing can be read is a failure, so that its author hears of it.
    return 1 if made.faults and not made.operations else 0


def _approve(call: Call, reflection: str, edit: bool, **given: Any) -> int:
    """Apply what a reflection proposes to today's memory: all of it, or a part."""
    from molt.memory.reflect.decisions import approve as approving

    ws = call.workspace()
    merged_branches.finish_merged(call, ws)
    only, without = (_read_numbers(given.pop(name)) for name in ("only", "without"))
    # What is left of the options is called like the fields.
    choice = approving.ApprovalChoice(only, without, **given)
    if edit:
        choice = _edit_choice(ws, reflection, choice)
    now = clock.now(ws.config.workspace_timezone)
    done = approving.approve_reflection(ws, reflection, choice, now)
    made = done.made
    output.note_warnings(call, done.warnings)
    if call.json:
        output.print_json({**made.asdict(), "commit": done.oid, "message": done.message})
        return 0
    if choice.dry_run:
        output.echo(done.message, end="")
    for number, word in made.items:
        if word != "approved":
            output.echo(escape_text(f"{number:>3}  {word}"))
    output.echo(f"{made.id} {made.status}, {made.applied} of {made.total}  {(done.oid or '')[:10]}")
    if made.asked:
        asked = output.render_count(made.asked, "golden question")
        output.echo(f"{asked} asked on both sides, {len(made.better)} answered better")
    return 0


def _read_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a list such as `1,3`. Raises Usage."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and len(word) < 6)]
    if wrong:
        raise errors.Usage(f"{wrong[0]!r} is no number of an operation", "such as `--only 1,3`")
    return tuple(map(int, words))


def _edit_choice(ws: Workspace, reflection: str, choice: ApprovalChoice) -> ApprovalChoice:
    """The choice with the operations as a person has edited them. Raises Usage for what is none,
    item by item, and NeedsAnswer where nothing was saved.
    """
    import click

    from molt.memory.reflect.decisions import approve as approving
    from molt.memory.reflect.plans import edited

    _, chosen = approving.read_chosen(ws, reflection, choice)
    taken = chosen.operations
    text = click.edit(edited.render_operations(taken), extension=".yaml")
    if text is None:
        raise errors.NeedsAnswer("nothing was saved, and nothing is approved")
    changed = edited.parse_operations(text, taken)
    return choice.replace(edited=changed)


_STEPS = Option(("--dry-run",), "dry_run", "Show the commit that would be made.", kind=FLAG)
_OPTIONS = (
    Option(("--plan",), "plan", "The plan of a host's model; - is stdin.", metavar="FILE"),
    Option(("--brief",), "brief", "Print the prompt for a host's own model.", kind=FLAG),
    Option(("--engine",), "engine", "Who makes the plan: host, llm or rules.", metavar="NAME"),
    Option(("--parallel",), "parallel", "Make one although another awaits a decision.", kind=FLAG),
    Option(("--if-due",), "if_due", "Only if enough episodes wait; otherwise say so.", kind=FLAG),
    Option(("--dry-run",), "dry_run", "Show what would be proposed; write nothing.", kind=FLAG),
)
_CHOICES = (
    Option(("--only",), "only", "These operations alone; the others are rejected.", metavar="N,N"),
    Option(("--except",), "without", "All but these, which are rejected.", metavar="N,N"),
    Option(("--verbatim",), "verbatim", "Only what its quotes say word for word.", kind=FLAG),
    Option(("--edit",), "edit", "Change the operations in $EDITOR first.", kind=FLAG),
    Option(("--plan",), "plan", "The plan that was looked at.", metavar="HASH"),
    Option(("--despite",), "despite", "It may be answered worse.", kind=MANY, metavar="QUESTION"),
    Option(("--accept-loss",), "accept_loss", "Much may go away.", kind=FLAG),
    Option(("--why",), "why", "Why the rest is not taken.", metavar="TEXT"),
    _STEPS,
)
_HELP = "Consolidation on a branch: proposed with evidence, applied when a person approves."

reflect = SpecGroup(
    "reflect",
    _HELP,
    (
        Spec(
            "approve",
            _approve,
            "Apply what a reflection proposes to today's memory: all of it, or a part.",
            argument="reflection",
            optional=True,
            options=_CHOICES,
        ),
    ),
    own=Spec("reflect", _reflect, _HELP, options=_OPTIONS, colored=True),
    more="molt.cli.reflections",
)
