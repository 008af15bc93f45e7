"""`molt alerts`."""

from __future__ import annotations

from typing import Any

import click

from molt.cli import output
from molt.cli.output import alert_line
from molt.memory import alerts as alarms
from molt.memory import workspace


@click.command()
@click.pass_obj
def alerts(obj: dict[str, Any]) -> int:
    """Critical files that changed, or are not what history says, until acknowledged."""
    ws = workspace.find(obj["start"], obj["actor"])
    found = alarms.list_alerts(ws)
    if obj["json"]:
        output.print_json([alert.asdict() for alert in found])
        return 0
    for alert in found:
        click.echo(f"{alert_line(alert)}\n  see   {alert.look}\n  then  {alert.then}")
    return 0
