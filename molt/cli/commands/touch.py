"""`molt touch`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.spec import Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _touch(obj: dict[str, Any], memories: tuple[str, ...]) -> int:
    from molt.cli import clock
    from molt.memory import touch as touching
    from molt.memory import workspace

    ws = workspace.find(obj["start"], obj["actor"])
    touching.touch_memories(ws, memories, clock.seconds())
    if obj["json"]:
        output.print_json({"touched": list(memories)})
    else:
        output.echo(f"used: {', '.join(memories)}")
    return 0


touch = Spec(
    "touch",
    _touch,
    "Say that memories were used, which keeps them from fading.",
    "memories",
    many=True,
    complete="memories",
)
