"""`molt ack`."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory import workspace
from molt.memory.critical import alerts as alarms
from molt.repo import find


@click.command()
@click.argument("files", nargs=-1, required=True)
@pass_call
def ack(call: Call, files: tuple[str, ...]) -> int:
    """Acknowledge the critical FILES as they are in the last commit."""
    ws = call.find_workspace()
    files = tuple(find.name_path(ws.repo.root, call.start, file) for file in files)
    actor = workspace.require_approver(ws, "acknowledge critical files")
    done = alarms.acknowledge_files(ws, files, actor)
    output.note_warnings(call, done.warnings)
    open_ = alarms.find_uncommitted(ws, ws.head())
    loose = [f"{one.file} is {one.summary}: {one.then}" for one in open_ if one.file in files]
    for said in loose:
        output.note(call, f"only what is committed can be acknowledged: {said}")
    if call.json:
        output.print_json({"files": list(files), "commit": done.oid, "uncommitted": loose})
    else:
        click.echo(f"acknowledged {', '.join(files)}" if done.oid else "acknowledged already")
    # Whoever acknowledges what only the disk has would think that it is settled.
    return int(bool(loose) and not done.oid)
