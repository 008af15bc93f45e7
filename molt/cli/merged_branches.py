"""What a command says first: reflections that git or a forge has merged meanwhile."""

from __future__ import annotations

from molt.cli import clock, output
from molt.formats.lines import escape_text
from molt.memory.proposed import open_branches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.cli.call import Call
    from molt.memory.workspace import Workspace


def finish_merged(call: Call, ws: Workspace) -> None:
    """Write down what was decided of reflections that git has merged; hardly ever there is one."""
    tree = ws.head()
    if not open_branches.list_records(tree) - open_branches.list_logged(tree):
        return
    from molt.memory.reflect.decisions import merged

    for one in merged.finish_quietly(ws, clock.now(ws.config.workspace_timezone)):
        said = f"reflection {one.id} was merged by {one.by}: {one.applied:,} of {one.total:,} hold"
        if one.otherwise:
            named = ", ".join(map(str, one.otherwise))
            said += f"; with other words than were proposed: {named}: `git show {one.commit[:10]}`"
        output.note(call, escape_text(said))
