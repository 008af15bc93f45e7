"""`molt reflect`: what a reflection proposes, on a branch, until a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.formats.reflections import summary
from molt.memory.reflect import branch, seen, show

if TYPE_CHECKING:
    from molt.memory.reflect.branch import KnownReflection


@click.group()
def reflect() -> None:
    """Consolidation on a branch: proposed with evidence, applied when a person approves."""


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
        seen.note_seen(ws, found.id, found.record.plan_hash)
    if as_diff:
        click.echo(show.read_diff(ws, found), nl=False)
    elif as_request and call.json:
        output.print_json({"title": show.render_title(found), "body": show.render_body(found)})
    elif as_request:
        click.echo(f"{show.render_title(found)}\n\n{show.render_body(found)}", nl=False)
    elif call.json:
        output.print_json(show.describe_reflection(found).asdict())
    else:
        _print_reflection(found)
    return 0


def _print_reflection(found: KnownReflection) -> None:
    one = found.record
    click.echo(summary.render_summary(one.summary))
    click.secho(f"{found.id}  {found.status}  plan {one.plan_hash[:10]}", bold=True)
    for item in one.items:
        state = f"  [{item.decision}]" if item.decision else ""
        click.echo(escape_text(f"{item.n:>3}  {item.op:16} {item.summary}{state}"))
        if item.reason:
            click.echo(escape_text(f"     why: {item.reason}"))
        if item.evidence:
            click.echo(escape_text(f"     from: {', '.join(item.evidence)}"))
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
