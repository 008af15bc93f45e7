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
    repo = call.workspace().repo
    compared = auditing.compare_log(repo)
    if what == "rebuild":
        auditing.rebuild(repo)
    if call.json:
        output.print_json({"lines": compared.lines, "same": compared.same})
    else:
        same = "" if what == "rebuild" else f", {'as' if compared.same else 'not as'} before"
        click.echo(f"{compared.lines} lines{same}")
    return int(what == "verify" and not compared.same)
