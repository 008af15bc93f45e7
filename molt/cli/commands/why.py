"""`molt why`."""

from __future__ import annotations

from molt import errors
from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.memory import audit

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def _why(call: Call, ref: str) -> int:
    ws = call.workspace()
    story = audit.trace_memory(ws.repo, ref)
    if not story:
        from molt.memory.forget import buried

        story = buried.trace_value(ws, ref)
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", "`molt search` gives ids")
    for line in story:
        if call.json:
            output.print_json(line.asdict())
        else:
            output.echo(f"{line.text}  ({line.commit[:10]})" if line.commit else line.text)
    return 0


why = Spec(
    "why",
    _why,
    "The story of the memory REF (an id): every commit that names it, oldest first.",
    "ref",
    complete="memories",
)
