"""`molt alerts`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.memory.critical import alerts as alarms


def _alerts(call: Call) -> int:
    ws = call.workspace()
    found = alarms.list_alerts(ws)
    if call.json:
        output.print_json([alarms.describe_alert(ws, one) for one in found])
        return 0
    for alert in found:
        rows = "".join(f"    {row}\n" for row in alarms.read_diff(ws, alert))
        steps = f"  see   {alert.look}\n  then  {alert.then}"
        output.echo(f"{output.alert_line(alert)}\n{rows}{steps}")
    if not found:
        output.note(call, "no alerts")
    return 0


alerts = Spec(
    "alerts",
    _alerts,
    "Critical files that changed, or are not what history says, with what is different.",
)
