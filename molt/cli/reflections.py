"""The commands below `molt reflect` that people call now and then."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from molt.cli import clock, markdown, merged_branches, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.formats.reflections import summary
from molt.memory.reflect.branches import branch, seen, show
from molt.memory.reflect.decisions import rebase
from molt.memory.reflect.decisions import reject as rejecting
from molt.memory.reflect.schedule import schedule as nightly

if TYPE_CHECKING:
    from molt.formats.reflections.summary import Summary
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.reflect.schedule.schedule import ScheduleChange


@click.group()
@pass_call
def reflect(call: Call) -> int:
    """Before any of them: what git has merged meanwhile is written down."""
    merged_branches.finish_merged(call, call.find_workspace())
    return 0


@reflect.command(name="show")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--diff", "as_diff", is_flag=True, help="What it would change, as a diff.")
@click.option("--pr", "as_request", is_flag=True, help="Title and body of a pull request.")
@pass_call
def show_(call: Call, reflection: str, as_diff: bool, as_request: bool) -> int:
    """Show what a reflection proposes, and what was decided."""
    ws = call.workspace()
    found = branch.find_reflection(ws, reflection)
    if found.is_open:
        seen.note_seen(ws, found.id, found.text)
    if as_diff:
        click.echo(escape_text(show.read_diff(ws, found), "\n\t"), nl=False)
    elif as_request and call.json:
        body = show.render_body(ws, found)
        output.print_json({"title": show.render_title(found), "body": body})
    elif as_request:
        text = f"{show.render_title(found)}\n\n{show.render_body(ws, found)}"
        click.echo(escape_text(text, "\n\t"), nl=False)
    elif call.json:
        output.print_json(show.describe_reflection(found).asdict())
    else:
        print_reflection(call, found)
    return 0


def print_reflection(call: Call, found: KnownReflection) -> None:
    """Print the summary, and what was decided; the plan itself if another clone wrote the summary.
    On a terminal it is wrapped.
    """
    one = found.record
    # A decided reflection has nothing to reply to.
    shown = one.summary if found.is_open else one.summary.replace(note="")
    click.echo(_render_summary(shown))
    click.secho(f"{found.id}  {found.status}  plan {one.plan_hash[:10]}", bold=True)
    for item in one.items:
        # The summary has the proposal itself, its reason and its evidence.
        if item.decision:
            click.echo(escape_text(f"{item.n:>3}  {item.op:16} {item.summary}  [{item.decision}]"))
    if found.is_open and not seen.was_made(call.find_workspace(), found.id, found.text):
        deeds = "\n".join(("what it does, whatever the summary has:", *show.list_deeds(one)))
        click.echo(escape_text(deeds, "\n"))
    # A summary of molt ends with the commands, in its own language.
    if found.is_open and not shown.note:
        click.echo(f"`molt reflect approve {found.id}` takes all, `--only 1,3` or `--except 2`")
        click.echo(f"a part; `molt reflect reject {found.id} --why TEXT` takes none of it")


def print_summary(one: Summary) -> None:
    """Print the summary of a reflection that is not written."""
    click.echo(_render_summary(one), nl=False)


def _render_summary(one: Summary) -> str:
    text = summary.render_summary(one)
    if not sys.stdout.isatty():
        return escape_text(text, "\n\t")
    return markdown.render_markdown(text, shutil.get_terminal_size().columns)


@reflect.command(name="list")
@pass_call
def list_(call: Call) -> int:
    """List all reflections, with what was decided."""
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


@reflect.command(name="reject")
@click.argument("reflection", default="", metavar="[ID]")
@click.option("--why", required=True, metavar="TEXT", help="The reason; the next one learns of it.")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def reject_(call: Call, reflection: str, why: str, dry_run: bool) -> int:
    """Reject all of a reflection; its proposals stay in git, in a ref of their own."""
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    options = rejecting.RejectOptions(dry_run)
    done = rejecting.reject_reflection(ws, reflection, why, now, options)
    output.note_warnings(call, done.warnings)
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
    """Rebuild an old reflection on today's memory."""
    made = rebase.rebase_reflection(call.workspace(), reflection)
    for one, why in made.dropped:
        output.note(call, escape_text(f"left out {one.n} ({one.op}): {why}"))
    if call.json:
        output.print_json(show.describe_reflection(made.found).asdict())
    else:
        print_reflection(call, made.found)
    return 0


@reflect.command(name="answer")
@click.argument("question", metavar="QUESTION")
@click.argument("words", metavar="TEXT")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def answer_(call: Call, question: str, words: str, dry_run: bool) -> int:
    """Answer what a reflection asked: QUESTION is its number, or r-NNN#N."""
    from molt.memory.reflect.decisions import answer as answering

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    done = answering.answer_question(ws, question, words, now, dry_run=dry_run)
    output.note_warnings(call, done.warnings)
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
    """List what reflections asked and you have not answered."""
    from molt.memory.reflect.decisions import answer as answering

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
    """Reflect each night if one is due, by systemd, cron or launchd."""


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
