"""`molt context`."""

from __future__ import annotations

from typing import Any

import click

from molt.cli import output
from molt.memory import workspace


@click.command()
@click.option("--max-tokens", type=click.IntRange(1), default=6000, help="The most it may hold.")
@click.pass_obj
def context(obj: dict[str, Any], max_tokens: int) -> int:
    """Core memory, alerts, today's and yesterday's episodes, what is pending."""
    from molt.cli.clock import now
    from molt.memory import context as contexts

    ws = workspace.find(obj["start"], obj["actor"])
    text = contexts.build_context(ws, now(ws.config.workspace_timezone), max_tokens=max_tokens)
    if obj["json"]:
        output.print_json({"context": text})
    else:
        click.echo(text, nl=False)
    return 0
