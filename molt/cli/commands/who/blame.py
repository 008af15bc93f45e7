"""`molt blame`."""

from __future__ import annotations

from itertools import groupby

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats import times
from molt.memory.why import blame as blames
from molt.memory.why.blame import AnsweredLine, Authorship
from molt.repo import find

_PROPOSED = "bot:commit-from:"
"""Before the name of a sub-agent, the actor of what was accepted of it."""


@click.command
@click.argument("ref", metavar="FILE")
@click.option("--rev", default="", help="As the file was at a revision.")
@pass_call
def blame(call: Call, ref: str, rev: str) -> int:
    """Tell for each line of a FILE who wrote it, when, why and by whose leave.

    FILE may be the id of a memory, and a citation too: `MEMORY.md#L3-L9`.
    """
    ws = call.workspace()
    lines = blames.blame_file(ws, find.name_ref(ws.repo.root, call.start, ref), rev)
    if call.json:
        for line in lines:
            output.print_json(_render_json(line))
        return 0
    for _, group in groupby(lines, lambda one: one.written.commit):
        rows = list(group)
        output.echo(_render_head(rows[0].written))
        for row in rows:
            output.echo(f"{row.number:>5}  {row.text}".rstrip())
    return 0


def _render_json(line: AnsweredLine) -> dict[str, object]:
    """A line flat, with what its commit says beside it."""
    written = line.written
    leave = [one.asdict() for one in written.leave]
    told = {**written.asdict(), "time": _render_time(written), "leave": leave}
    return {"line": line.number, "text": line.text, "memory": line.memory, **told}


def _render_head(one: Authorship) -> str:
    """The commit of the lines below, in one line."""
    if not one.commit:
        return "not committed yet"
    who = f"{one.actor} ({one.author})" if one.actor in ("", "manual") else one.actor
    if who.startswith(_PROPOSED):
        who = f"proposed by {who.removeprefix(_PROPOSED)}"
    parts = [one.commit[:10], _render_time(one)[:10], who.strip(), one.summary]
    if one.trigger and one.actor != "manual":
        parts.append(f"[{one.trigger}]")
    parts += [f"{leave.what} by {leave.by} in {leave.commit[:10]}" for leave in one.leave]
    return "  ".join(part for part in parts if part)


def _render_time(one: Authorship) -> str:
    return times.render_time(one.time) if one.commit else ""
