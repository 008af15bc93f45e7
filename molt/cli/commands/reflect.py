"""`molt reflect`: what a reflection proposes, on a branch, until a person decides."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import clock, merged_branches, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.formats.reflections import summary
from molt.memory.reflect import approve as approving
from molt.memory.reflect import branch, due, edited, idle, plans, rebase, seen, show
from molt.memory.reflect import brief as briefs
from molt.memory.reflect import reject as rejecting
from molt.memory.reflect import schedule as nightly

if TYPE_CHECKING:
    from typing import Any

    from molt.memory.reflect.approve import ApprovalChoice
    from molt.memory.reflect.branch import KnownReflection
    from molt.memory.reflect.brief import ReflectionBrief
    from molt.memory.reflect.draft import Draft
    from molt.memory.reflect.schedule import ScheduleChange
    from molt.memory.workspace import Workspace


@click.group(invoke_without_command=True)
@click.option("--plan", default="", metavar="FILE", help="The plan of a host's model; - is stdin.")
@click.option("--brief", is_flag=True, help="Print what a host's own model is to be told.")
@click.option("--engine", default=None, metavar="NAME", help="Who makes the plan: llm or rules.")
@click.option("--parallel", is_flag=True, help="Beside one that awaits a decision.")
@click.option("--if-due", is_flag=True, help="Where enough episodes wait; otherwise say so.")
@click.option("--dry-run", is_flag=True, help="Say what would be proposed.")
@click.pass_context
@pass_call
def reflect(call: Call, context: click.Context, /, brief: bool, plan: str, **given: Any) -> int:
    """Consolidation on a branch: proposed with evidence, applied when a person approves."""
    merged_branches.finish_merged(call, call.workspace())
    if context.invoked_subcommand is not None:
        return 0
    # The engines of a plan take longer to import than an approval takes.
    from molt.memory.reflect import draft

    ws = call.workspace()
    if given["if_due"] and not _tell_due(call, ws):
        return 0
    now = clock.now(ws.config.workspace_timezone)
    day, second = now.strftime("%Y-%m-%d"), now.timestamp()
    if brief:
        return _print_brief(call, draft.brief_reflection(ws, day, second))
    text = _read_plan(plan) if plan else None
    made = draft.draft_reflection(ws, day, second, plan=text, engine=given["engine"])
    for fault in made.faults:
        output.note(call, escape_text(f"mend {plans.describe_fault(fault)}"))
    if made.note:
        output.note(call, escape_text(made.note))
    dry_run = given["dry_run"]
    found = None if dry_run else branch.write_branch(ws, made, now, parallel=given["parallel"])
    return _tell_draft(call, made, found, dry_run)


def _tell_due(call: Call, ws: Workspace) -> bool:
    """Whether a reflection is due; says why where it is not."""
    found = due.find_due(ws)
    if not found.is_due and call.json:
        output.print_json({"reflection": None, "due": False, "reason": found.reason})
    elif not found.is_due:
        click.echo(f"not due: {found.reason}")
    return found.is_due


def _print_brief(call: Call, told: ReflectionBrief) -> int:
    if call.json:
        output.print_json(told.asdict())
    else:
        click.echo(briefs.render_brief(told), nl=False)
    return 0


def _read_plan(name: str) -> str:
    """The text of a plan. Raises Usage where it cannot be read."""
    try:
        if name == "-":
            return sys.stdin.read()
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.Usage(f"cannot read {name}: {error}") from error


def _tell_draft(call: Call, made: Draft, found: KnownReflection | None, dry_run: bool) -> int:
    """Say what was proposed, and what was left out."""
    if call.json:
        shown = show.describe_reflection(found).asdict() if found else None
        faults = [one.asdict() for one in made.faults]
        dropped = [{"op": one.op, "args": one.args, "why": why} for one, why in made.dropped]
        cut = [{"op": one.op, "args": one.args} for one in made.cut]
        said = {"engine": made.engine, "dropped": dropped, "cut": cut, "faults": faults}
        output.print_json({"reflection": shown, **said})
    elif found is not None:
        _print_reflection(call, found)
    elif dry_run:
        click.echo(summary.render_summary(made.summary), nl=False)
    else:
        click.echo("\n".join(map(escape_text, idle.explain_idle(made))))
    return 0


@reflect.command(name="show")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--diff", "as_diff", is_flag=True, help="What it would change, as a diff.")
@click.option("--pr", "as_request", is_flag=True, help="Title and body of a pull request.")
@pass_call
def show_(call: Call, reflection: str, as_diff: bool, as_request: bool) -> int:
    """What a reflection proposes, and what was decided."""
    ws = call.workspace()
    found = branch.find_reflection(ws, reflection)
    if found.is_open:
        seen.note_seen(ws, found.id, found.text)
    if as_diff:
        click.echo(escape_text(show.read_diff(ws, found), "\n\t"), nl=False)
    elif as_request and call.json:
        output.print_json({"title": show.render_title(found), "body": show.render_body(found)})
    elif as_request:
        told = f"{show.render_title(found)}\n\n{show.render_body(found)}"
        click.echo(escape_text(told, "\n\t"), nl=False)
    elif call.json:
        output.print_json(show.describe_reflection(found).asdict())
    else:
        _print_reflection(call, found)
    return 0


def _print_reflection(call: Call, found: KnownReflection) -> None:
    """The summary, and what was decided; the plan itself where others wrote the summary."""
    one = found.record
    # Of what was decided nothing is to be replied any more.
    told = one.summary if found.is_open else one.summary.replace(note="")
    click.echo(escape_text(summary.render_summary(told), "\n\t"))
    click.secho(f"{found.id}  {found.status}  plan {one.plan_hash[:10]}", bold=True)
    for item in one.items:
        # What is proposed, why and from where the summary has told.
        if item.decision:
            click.echo(escape_text(f"{item.n:>3}  {item.op:16} {item.summary}  [{item.decision}]"))
    if found.is_open and not seen.was_made(call.workspace(), found.id, found.text):
        deeds = "\n".join(("what it does, whatever is said of it above:", *show.list_deeds(one)))
        click.echo(escape_text(deeds, "\n"))
    if found.is_open:
        click.echo(f"`molt reflect approve {found.id}` takes all, `--only 1,3` or `--except 2`")
        click.echo(f"a part; `molt reflect reject {found.id} --why TEXT` takes none of it")


@reflect.command(name="list")
@pass_call
def list_(call: Call) -> int:
    """All reflections, with what was decided."""
    found = branch.list_reflections(call.workspace())
    if call.json:
        output.print_json([show.describe_reflection(one).asdict() for one in found])
        return 0
    for one in found:
        count = output.render_count(len(one.record.items), "proposal")
        click.echo(escape_text(f"{one.id}  {one.status:9} {one.record.created[:10]}  {count}"))
    if not found:
        output.note(call, "no reflection yet")
    return 0


@reflect.command(name="approve")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--only", default="", metavar="N,N", help="These operations alone.")
@click.option("--except", "without", default="", metavar="N,N", help="All but these.")
@click.option("--edit", is_flag=True, help="Change the operations in $EDITOR first.")
@click.option("--plan", default="", metavar="HASH", help="The plan that was looked at.")
@click.option("--despite", multiple=True, metavar="QUESTION", help="It may be answered worse.")
@click.option("--accept-loss", is_flag=True, help="Much may go away.")
@click.option("--why", default="", metavar="TEXT", help="Why the rest is not taken.")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def approve_(call: Call, /, reflection: str, edit: bool, **given: Any) -> int:
    """Apply what a reflection proposes to today's memory: all of it, or a part."""
    ws = call.workspace()
    only, without = (_read_numbers(given.pop(name)) for name in ("only", "without"))
    # What is left of the options is called like the fields.
    choice = approving.ApprovalChoice(only, without, **given)
    if edit:
        choice = _edit_choice(ws, reflection, choice)
    now = clock.now(ws.config.workspace_timezone)
    done = approving.approve_reflection(ws, reflection, choice, now)
    made = done.made
    for warning in (*ws.warnings, *done.warnings):
        output.note(call, f"warning: {warning}")
    if call.json:
        output.print_json({**made.asdict(), "commit": done.oid, "message": done.message})
        return 0
    if choice.dry_run:
        click.echo(done.message, nl=False)
    for number, word in made.items:
        if word != "approved":
            click.echo(escape_text(f"{number:>3}  {word}"))
    click.echo(f"{made.id} {made.status}, {made.applied} of {made.total}  {(done.oid or '')[:10]}")
    if made.asked:
        asked = output.render_count(made.asked, "golden question")
        click.echo(f"{asked} asked on both sides, {len(made.better)} answered better")
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
    approving.require_approver(ws, "approve reflections")
    found = branch.require_open(ws, reflection)
    operations = approving.require_intact(ws, found, choice.plan)
    taken = approving.choose_operations(found, operations, choice).operations
    text = click.edit(edited.render_operations(taken), extension=".yaml")
    if text is None:
        raise errors.NeedsAnswer("nothing was saved, and nothing is approved")
    changed = edited.parse_operations(text, taken)
    return choice.replace(only=(), without=(), edited=changed)


@reflect.command(name="reject")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--why", required=True, metavar="TEXT", help="The reason; the next one learns of it.")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def reject_(call: Call, reflection: str, why: str, dry_run: bool) -> int:
    """Take nothing of a reflection; what it proposed is kept beside the branches."""
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    options = rejecting.RejectOptions(dry_run)
    done = rejecting.reject_reflection(ws, reflection, why, now, options)
    for warning in (*ws.warnings, *done.warnings):
        output.note(call, f"warning: {warning}")
    if call.json:
        output.print_json({"id": done.made, "commit": done.oid, "message": done.message})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(f"{done.made} rejected  {(done.oid or '')[:10]}")
    return 0


@reflect.command(name="rebase")
@click.argument("reflection", default="", metavar="[ID]")
@pass_call
def rebase_(call: Call, reflection: str) -> int:
    """Make a reflection that has grown old anew on today's memory."""
    made = rebase.rebase_reflection(call.workspace(), reflection)
    for one, why in made.dropped:
        output.note(call, escape_text(f"left out {one.n} ({one.op}): {why}"))
    if call.json:
        output.print_json(show.describe_reflection(made.found).asdict())
    else:
        _print_reflection(call, made.found)
    return 0


@reflect.command(name="answer")
@click.argument("question", metavar="QUESTION")
@click.argument("words", metavar="TEXT")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def answer_(call: Call, question: str, words: str, dry_run: bool) -> int:
    """Answer what a reflection asked: QUESTION is its number, or r-NNN#N."""
    from molt.memory.reflect import answer as answering

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    done = answering.answer_question(ws, question, words, now, dry_run=dry_run)
    for warning in (*ws.warnings, *done.warnings):
        output.note(call, f"warning: {warning}")
    if call.json:
        output.print_json({**done.made.asdict(), "commit": done.oid, "message": done.message})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(escape_text(f"{done.made.ref} answered: {done.made.question}"))
        click.echo(f"kept as {done.made.memory}  {(done.oid or '')[:10]}")
    return 0


@reflect.command(name="questions")
@pass_call
def questions_(call: Call) -> int:
    """What reflections asked and nobody has answered."""
    from molt.memory.reflect import answer as answering

    found = answering.list_questions(call.workspace())
    if call.json:
        output.print_json([{"ref": one.ref, "asked": one.asked, "text": one.text} for one in found])
        return 0
    for one in found:
        click.echo(escape_text(f"{one.ref:8} {one.asked}  {one.text}"))
    if not found:
        output.note(call, "no open question")
    return 0


@reflect.command(name="push")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--remote", default="origin", metavar="NAME", help="Where to.")
@pass_call
def push_(call: Call, reflection: str, remote: str) -> int:
    """Push the branch of a reflection, for a pull request on a forge."""
    ws = call.workspace()
    found = branch.find_reflection(ws, reflection)
    said = rebase.push_reflection(ws, found.id, remote)
    if call.json:
        output.print_json({"id": found.id, "remote": remote, "said": said})
    else:
        text = f"`molt reflect show {found.id} --pr` has its text"
        click.echo(f"{found.id} pushed to {remote}; {text}")
    return 0


@reflect.group()
def schedule() -> None:
    """A reflection each night where one is due: by systemd, cron or launchd."""


_KIND = click.option("--kind", type=click.Choice(nightly.KINDS), help="Which of them.")
_STEPS = click.option("--dry-run", is_flag=True, help="Show what would be done.")


@schedule.command()
@_KIND
@click.option("--time", default="", metavar="HH:MM", help="When; the configured time otherwise.")
@_STEPS
@pass_call
def install(call: Call, kind: str | None, time: str, dry_run: bool) -> int:
    """Reflect each night."""
    ws = call.workspace()
    change = nightly.plan_install(ws, nightly.choose_kind(kind or ""), time)
    return _carry_out(call, (change,), dry_run)


@schedule.command()
@_KIND
@_STEPS
@pass_call
def remove(call: Call, kind: str | None, dry_run: bool) -> int:
    """Reflect only when asked."""
    return _carry_out(call, nightly.plan_remove(call.workspace(), kind or ""), dry_run)


@schedule.command()
@pass_call
def status(call: Call) -> int:
    """What runs reflections of this workspace."""
    found = nightly.read_status(call.workspace())
    if call.json:
        output.print_json([one.asdict() for one in found])
        return 0
    for one in found:
        state = "installed" if one.current else "outdated: install it again"
        click.echo(escape_text(f"{one.kind:8} {state if one.installed else 'no':10} {one.where}"))
    return 0


def _carry_out(call: Call, changes: tuple[ScheduleChange, ...], dry_run: bool) -> int:
    if not dry_run:
        for change in changes:
            nightly.carry_out(change)
    if call.json:
        output.print_json({"changes": [one.asdict() for one in changes], "done": not dry_run})
        return 0
    for step in (step for change in changes for step in change.steps):
        click.echo(escape_text(nightly.describe_step(step), "\n"), nl=False)
    if not any(change.steps for change in changes):
        click.echo("nothing to do")
    return 0
