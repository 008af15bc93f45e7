"""`molt audit`."""

from __future__ import annotations

import os
from typing import Any

import click

from molt.cli import output
from molt.memory import audit as auditing
from molt.memory import workspace


@click.command()
@click.argument("what", type=click.Choice(["rebuild", "verify"]))
@click.pass_obj
def audit(obj: dict[str, Any], what: str) -> int:
    """Rebuild the audit log, or compare it with history."""
    repo = workspace.find(obj["start"], obj["actor"]).repo
    path = os.path.join(repo.root, auditing.PATH)
    before = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            before = file.read()
    count = auditing.rebuild(repo)
    with open(path, "rb") as file:
        same = file.read() == before
    if obj["json"]:
        output.print_json({"lines": count, "same": same})
        return int(what == "verify" and not same)
    click.echo(
        f"{count} lines" + ("" if what == "rebuild" else f", {'as' if same else 'not as'} before")
    )
    return int(what == "verify" and not same)
