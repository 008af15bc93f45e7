"""`molt ack`."""

from __future__ import annotations

from typing import Any

import click

from molt.cli import output
from molt.memory import alerts as alarms
from molt.memory import workspace


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.pass_obj
def ack(obj: dict[str, Any], files: tuple[str, ...]) -> int:
    """Acknowledge the critical FILES as they are in the last commit."""
    ws = workspace.find(obj["start"], obj["actor"])
    done = alarms.acknowledge_files(
        ws, files, workspace.find_actor(ws.repo, obj["actor"]) or "manual"
    )
    for warning in done.warnings:
        output.note(obj, f"warning: {warning}")
    open_ = alarms.find_uncommitted(ws, ws.head())
    loose = [f"{one.file} is {one.summary}: {one.then}" for one in open_ if one.file in files]
    for said in loose:
        output.note(obj, f"only what is committed can be acknowledged: {said}")
    if obj["json"]:
        output.print_json({"files": list(files), "commit": done.oid, "uncommitted": loose})
    else:
        click.echo(f"acknowledged {', '.join(files)}" if done.oid else "acknowledged already")
    # Whoever acknowledges what only the disk has would think that it is settled.
    return int(bool(loose) and not done.oid)
