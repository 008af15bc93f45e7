"""`molt pin`."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory.forget import pins


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def pin(call: Call, ids: tuple[str, ...], dry_run: bool) -> int:
    """Keep memories from fading, until they are unpinned."""
    ws = call.workspace()
    done = pins.set_pins(ws, ids, clock.seconds(), pinned=True, dry_run=dry_run)
    for warning in (*ws.warnings, *done.warnings):
        output.note(call, f"warning: {warning}")
    if call.json:
        told = {"ids": list(done.made), "commit": done.oid, "message": done.message}
        output.print_json({**told, "pinned": True})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(
            f"pinned {', '.join(done.made) or 'nothing new'}  {(done.oid or '')[:10]}".rstrip()
        )
    return 0
