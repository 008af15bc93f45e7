"""`molt why`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.memory import trace


def _why(call: Call, ref: str) -> int:
    for line in trace.tell_story(call.workspace(), ref):
        if call.json:
            output.print_json(line.asdict())
        else:
            output.echo(f"{line.text}  ({line.commit[:10]})" if line.commit else line.text)
    return 0


why = Spec(
    "why",
    _why,
    "The story of a memory (id, citation or label): each commit that names it, oldest first.",
    "ref",
    complete="memories",
)
