"""What `molt pin` and `molt unpin` have in common."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call
from molt.memory.forget import pins


def set_pins(call: Call, ids: tuple[str, ...], *, pinned: bool, dry_run: bool) -> int:
    """Pin memories or take their pins away, and say which; returns the status."""
    ws = call.workspace()
    done = pins.set_pins(ws, ids, clock.seconds(), pinned=pinned, dry_run=dry_run)
    output.note_warnings(call, done.warnings)
    if call.json:
        told = {"ids": list(done.made), "commit": done.oid, "message": done.message}
        output.print_json({**told, "pinned": pinned})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        verb, names = "pinned" if pinned else "unpinned", ", ".join(done.made)
        click.echo(f"{verb} {names or 'nothing new'}  {(done.oid or '')[:10]}".rstrip())
    return 0
