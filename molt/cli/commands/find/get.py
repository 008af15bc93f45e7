"""`molt get`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.filters import AT, read_moment
from molt.cli.spec import NUMBER, Option, Spec
from molt.repo import find


def _get(call: Call, ref: str, start: int, lines: int, at: str) -> int:
    from molt.cli import clock
    from molt.memory import touch as touching
    from molt.memory.answers import get as reading

    ws = call.workspace()
    ref = find.name_ref(ws.repo.root, call.start, ref)
    found = reading.get_passage(ws, ref, start=start, lines=lines, at=read_moment(ws, at))
    if not at:
        touching.note_read(ws, ref, clock.seconds())
    if found.end < found.start:
        output.note(call, f"{ref} has no line {start}: it ends before")
    if call.json:
        lines_of = {"start_line": found.start, "end_line": found.end}
        output.print_json({"ref": ref, "path": found.path, **lines_of, "text": found.text})
    else:
        output.echo(found.text, end="")
    return 0


get = Spec(
    "get",
    _get,
    "Read a memory by its id, citation or label, or a file of memories by its path.",
    "ref",
    complete="memories",
    options=(
        Option(("--from",), "start", "First line of it.", NUMBER, low=1, default=1),
        Option(("--lines",), "lines", "How many; 0 for all.", NUMBER),
        AT,
    ),
)
