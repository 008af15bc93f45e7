"""`molt why`."""

from __future__ import annotations

from contextlib import suppress

from molt import errors
from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.formats import ids
from molt.memory import audit, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace


def _why(call: Call, ref: str) -> int:
    ws = call.workspace()
    names = refs.find_memories(ws, ref)
    story = tuple(line for name in names for line in audit.trace_memory(ws.repo, name))
    if not story:
        from molt.memory.forget import buried

        story = buried.trace_value(ws, ref)
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", _hint_at_file(ws, ref))
    for line in story:
        if call.json:
            output.print_json(line.asdict())
        else:
            output.echo(f"{line.text}  ({line.commit[:10]})" if line.commit else line.text)
    return 0


def _hint_at_file(ws: Workspace, ref: str) -> str:
    """Where the story of what no commit names is told, as of what was imported or adopted."""
    path = ref
    with suppress(ValueError):
        path = ids.path_of(ref)
    known = ws.head().entry(path) is not None
    return f"`molt log --file {path}` tells of its file" if known else "`molt search` gives ids"


why = Spec(
    "why",
    _why,
    "The story of a memory (id, citation or label): each commit that names it, oldest first.",
    "ref",
    complete="memories",
)
