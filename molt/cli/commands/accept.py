"""`molt accept`."""

from __future__ import annotations

from typing import Any

import click

from molt.cli import output
from molt.memory import accept as acceptance
from molt.memory import workspace


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="REV… [CODE…]")
@click.option("--why", default="", help="The reason, for the log.")
@click.pass_obj
def accept(obj: dict[str, Any], words: tuple[str, ...], why: str) -> int:
    """Take on what `molt verify` finds in commits or ranges REV, all of it or the rules CODE.

    One commit says who accepted it and why; verify, doctor and push go on.
    """
    ws = workspace.find(obj["start"], obj["actor"])
    actor = workspace.find_actor(ws.repo, obj["actor"]) or "manual"
    done = acceptance.accept_findings(ws, words, why, actor)
    if obj["json"]:
        told = [{"commit": oid, "code": code} for oid, code in done.accepted]
        output.print_json({"accepted": told, "commit": done.commit})
        return 0
    for oid, code in done.accepted:
        click.echo(f"accepted {code} of {oid[:10]}")
    return 0
