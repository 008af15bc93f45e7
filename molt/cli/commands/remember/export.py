"""`molt export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.hosts.adapters import send, table
from molt.hosts.adapters.send import ExportRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from molt.hosts.adapters.send import Exported

_WRITTEN = tuple(name for name, one in table.FORMATS.items() if one.pack is not None)


@click.command("export")
@click.argument("target", metavar="DIR|FILE")
@click.option("--to", "form", type=click.Choice(_WRITTEN), required=True, help="For which program.")
@click.option("--vault", is_flag=True, help="Take the vault along.")
@click.option("--force", is_flag=True, help="Write over files of others, and what was edited.")
@click.option("--dry-run", is_flag=True, help="Say what would be written.")
@pass_call
def export(call: Call, /, target: str, form: str, **given: Any) -> int:
    """Write the memories of the last commit for another program, into a folder (a file for mem0)
    outside the workspace, and say what stays behind: the vault, what is private or forgotten, and
    what the other program has no place for. A second run writes what changed.
    """
    ws = call.workspace()
    done = send.export_memories(ws, table.FORMATS[form], ExportRequest(target, **given))
    if call.json:
        output.print_json(done.asdict())
    else:
        for row in _describe(done, given["dry_run"]):
            click.echo(escape_text(row))
    return 0


def _describe(done: Exported, dry_run: bool) -> Iterator[str]:
    held = output.render_count(done.memories, "memory", "memories")
    verb = "would be written" if dry_run else "written"
    files = output.render_count(len(done.written), "file")
    yield f"{done.target}: {held}  {files} {verb}"
    for name in done.removed:
        yield f"  removed  {name}"
    for name in done.edited:
        yield f"  stays  {name}: it was edited there, and its memory is gone here"
    for one in done.left:
        yield f"  left out  {one.what}: {one.why}"
    for one in done.lacks:
        yield f"  not held  {one.what}: {one.why}"
