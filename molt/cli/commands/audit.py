"""`molt audit`."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory import audit as auditing


@click.command()
@click.argument("what", type=click.Choice(["rebuild", "verify"]))
@pass_call
def audit(call: Call, what: str) -> int:
    """Rebuild the audit log, or compare it with history."""
    done = auditing.rebuild_compared(call.workspace().repo)
    if call.json:
        output.print_json(done.asdict())
    else:
        compared = "" if what == "rebuild" else f", {'as' if done.same else 'not as'} before"
        click.echo(f"{done.lines} lines{compared}")
    return int(what == "verify" and not done.same)
