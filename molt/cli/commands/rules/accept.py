"""`molt accept`."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory import workspace
from molt.memory.govern import accept as accepting


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="REV… [CODE…]")
@click.option("--why", default="", help="The reason, for the log.")
@pass_call
def accept(call: Call, words: tuple[str, ...], why: str) -> int:
    """Take on what `molt verify` finds in commits or ranges REV, all of it or the rules CODE.

    One commit says who accepted it and why; verify, doctor and push go on.
    """
    ws = call.workspace()
    actor = workspace.require_approver(ws, "accept what a rule refuses")
    done = accepting.accept_findings(ws, words, why, actor)
    if call.json:
        told = [{"commit": oid, "code": code} for oid, code in done.accepted]
        output.print_json({"accepted": told, "commit": done.commit})
        return 0
    for oid, code in done.accepted:
        click.echo(f"accepted {code} of {oid[:10]}")
    return 0
