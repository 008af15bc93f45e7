"""Commands that tell how a workspace is, and what waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from molt.cli import clock, output
from molt.memory import alerts as alarms
from molt.memory import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.alerts import Alert
    from molt.memory.status import Status


@click.command()
@click.pass_obj
def status(obj: dict[str, Any]) -> int:
    """Core tokens, memories by store and status, alerts, what is pending or uncommitted."""
    from molt.memory import status as states

    ws = workspace.find(obj["start"], obj["actor"])
    found = states.status(ws, clock.seconds())
    if obj["json"]:
        output.document(found.asdict())
        return 0
    for word, said in _rows(found):
        click.echo(f"{click.style(f'{word:12}', bold=True)}{output.shown(said)}")
    for alert in found.alerts:
        click.echo(click.style("alert       ", fg="red") + _told(alert))
    return 0


def _rows(found: Status) -> Iterator[tuple[str, str]]:
    core = found.core
    left = core.cap - core.tokens
    room = f"{left:,} left" if left >= 0 else f"{-left:,} over"
    yield "MEMORY.md", f"{core.tokens:,} of {core.cap:,} tokens, {room}"
    for store, states in found.memories.items():
        parts = (f"{count:,} {state}" for state, count in states.items() if count)
        yield store, ", ".join(parts) or "none"
    yield "proposals", f"{found.proposals:,} to review" if found.proposals else "none"
    yield "reflections", ", ".join(found.reflections) or "none"
    behind = f"{found.index.stale:,} behind; the next search brings it up"
    yield "index", "fresh" if found.index.fresh else behind
    yield "uncommitted", ", ".join(found.dirty) or "nothing"
    if not found.alerts:
        yield "alerts", "none"


def _told(alert: Alert) -> str:
    return output.shown(f"{alert.file} {alert.summary}")


@click.command()
@click.pass_obj
def alerts(obj: dict[str, Any]) -> int:
    """Critical files that changed, or are not what history says, until acknowledged."""
    ws = workspace.find(obj["start"], obj["actor"])
    found = alarms.list_alerts(ws)
    if obj["json"]:
        output.document([alert.asdict() for alert in found])
        return 0
    for alert in found:
        click.echo(f"{_told(alert)}\n  see   {alert.look}\n  then  {alert.then}")
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.pass_obj
def ack(obj: dict[str, Any], files: tuple[str, ...]) -> int:
    """Acknowledge the critical FILES as they are in the last commit."""
    ws = workspace.find(obj["start"], obj["actor"])
    done = alarms.acknowledge_files(
        ws, files, workspace.find_actor(ws.repo, obj["actor"]) or "manual"
    )
    open_ = alarms.find_uncommitted(ws, ws.head())
    loose = [f"{one.file} is {one.summary}: {one.then}" for one in open_ if one.file in files]
    for said in loose:
        output.note(obj, f"only what is committed can be acknowledged: {said}")
    if obj["json"]:
        output.document({"files": list(files), "commit": done.oid, "uncommitted": loose})
    else:
        click.echo(f"acknowledged {', '.join(files)}" if done.oid else "acknowledged already")
    # Whoever acknowledges what only the disk has would think that it is settled.
    return int(bool(loose) and not done.oid)
