"""`molt decay`."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory import fade


@click.command()
@click.option("--dry-run", is_flag=True, help="Show what has changed, and commit nothing.")
@pass_call
def decay(call: Call, dry_run: bool) -> int:
    """Commit what time has done to memories since that was told last; nothing if it has not.

    Scores are computed whenever they are asked for: this only tells which memories fade, are
    dormant or archived now, and counts the uses that wait.
    """
    ws = call.workspace()
    done = fade.decay_memories(ws, clock.seconds(), dry_run=dry_run)
    output.note_warnings(call, done.warnings)
    found = done.made.transitions
    if call.json:
        told = [one.asdict() for one in found]
        output.print_json({"transitions": told, "commit": done.oid, "message": done.message})
        return 0
    for one in found:
        click.echo(f"{one.id}  {one.before} → {one.after}  {one.score:.2f}")
    if not found:
        click.echo("nothing has changed")
    elif done.oid:
        click.echo(f"{output.render_count(len(found), 'transition')}  {done.oid[:10]}")
    return 0
