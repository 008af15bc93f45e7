"""`molt touch`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec


def _touch(call: Call, memories: tuple[str, ...]) -> int:
    from molt.cli import clock
    from molt.memory import touch as touching

    ws = call.workspace()
    touched = touching.touch_memories(ws, memories, clock.seconds())
    if call.json:
        output.print_json({"touched": list(touched.noted), "lasting": list(touched.lasting)})
    elif touched.noted:
        output.echo(f"used: {', '.join(touched.noted)}")
    for one in touched.lasting:
        output.note(call, f"{one} has no score, so it does not fade")
    return 0


touch = Spec(
    "touch",
    _touch,
    "Say that memories were used, which keeps them from fading.",
    "memories",
    many=True,
    complete="memories",
)
