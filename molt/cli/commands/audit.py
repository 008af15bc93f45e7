"""`molt audit`."""

from __future__ import annotations

import os

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
    path = os.path.join(repo.root, auditing.PATH)
    before = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            before = file.read()
    count = auditing.rebuild(repo)
    with open(path, "rb") as file:
        same = file.read() == before
    if call.json:
        output.print_json({"lines": count, "same": same})
        return int(what == "verify" and not same)
    click.echo(
        f"{count} lines" + ("" if what == "rebuild" else f", {'as' if same else 'not as'} before")
    )
    return int(what == "verify" and not same)
