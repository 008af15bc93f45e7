"""`molt restore`."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.forget import restore as restoring


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def restore(call: Call, ids: tuple[str, ...], dry_run: bool) -> int:
    """Bring back what was forgotten; without an ID, list what was put away."""
    ws = call.workspace()
    if not ids:
        known = restoring.list_restorable(ws)
        if call.json:
            every = [one.asdict() for one in known]
            output.print_json({"forgotten": [one.id for one in known], "memories": every})
        for one in known if not call.json else ():
            click.echo(escape_text(f"{one.id}  {one.text}".rstrip()))
        if not known:
            output.note(call, "nothing is put away")
        return 0
    done = restoring.restore_memories(ws, ids, clock.seconds(), dry_run=dry_run)
    output.note_warnings(call, done.warnings)
    if call.json:
        told = {"restored": list(done.made.ids), "commit": done.oid, "message": done.message}
        output.print_json(told)
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(f"restored {', '.join(done.made.ids)}  {(done.oid or 'unchanged')[:10]}")
    return 0
