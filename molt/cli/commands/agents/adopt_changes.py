"""`molt adopt-changes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.adopt import foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.adopt.foreign import Adopted


@click.command("adopt-changes")
@click.argument("files", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Say what would be committed.")
@pass_call
def adopt_changes(call: Call, files: tuple[str, ...], dry_run: bool) -> int:
    """Commit what known foreign writers left uncommitted, in their names: OpenClaw's dreaming and
    session notes, Claude Code's own memory. With FILES, by their paths in the workspace: these
    alone, in the name of the bot that acts and wrote them. What breaks a rule stays as it is and is
    shown; the exit status is 1 then.
    """
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    if files:
        found = foreign.adopt_own(ws, now, files, dry_run=dry_run)
    else:
        found = foreign.adopt_changes(ws, now, dry_run=dry_run)
    if call.json:
        output.print_json(found.asdict())
    else:
        for row in _describe_adopted(found):
            output.echo(escape_text(row))
    return 1 if found.kept else 0


def _describe_adopted(found: Adopted) -> Iterator[str]:
    for change in found.done:
        said = change.commit[:10] or "would be committed"
        yield f"{said}  {change.actor}  {', '.join(change.files)}"
    for one in found.kept:
        hint = f" ({one.hint})" if one.hint else ""
        yield f"left  {one.actor}  {one.file}: {one.why}{hint}"
    if not found.done and not found.kept:
        yield "nothing of a known foreign writer is uncommitted"
