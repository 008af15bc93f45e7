"""`molt why`."""

from __future__ import annotations

from typing import Any

import click

from molt import errors
from molt.cli import completion, output
from molt.memory import audit, workspace


@click.command()
@click.argument("ref", shell_complete=completion.complete_memories)
@click.pass_obj
def why(obj: dict[str, Any], ref: str) -> int:
    """The story of the memory REF (an id): every commit that names it, oldest first."""
    ws = workspace.find(obj["start"], obj["actor"])
    story = audit.trace_memory(ws.repo, ref)
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", "`molt search` gives ids")
    for line in story:
        if obj["json"]:
            output.print_json(line.asdict())
        else:
            click.echo(f"{line.text}  ({line.commit[:10]})")
    return 0
