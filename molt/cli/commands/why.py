"""`molt why`."""

from __future__ import annotations

from molt import errors
from molt.cli import output
from molt.cli.spec import Spec
from molt.memory import audit, workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _why(obj: dict[str, Any], ref: str) -> int:
    ws = workspace.find(obj["start"], obj["actor"])
    story = audit.trace_memory(ws.repo, ref)
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", "`molt search` gives ids")
    for line in story:
        if obj["json"]:
            output.print_json(line.asdict())
        else:
            output.echo(f"{line.text}  ({line.commit[:10]})")
    return 0


why = Spec(
    "why",
    _why,
    "The story of the memory REF (an id): every commit that names it, oldest first.",
    "ref",
    complete="memories",
)
