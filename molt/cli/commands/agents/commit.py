"""`molt commit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.adopt import rest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.adopt.rest import SavedRest


@click.command()
@click.option("-m", "--message", "text", default="", help="What the commit says.")
@click.option("--dry-run", is_flag=True, help="Say what would be committed.")
@pass_call
def commit(call: Call, text: str, dry_run: bool) -> int:
    """Commit all that is uncommitted and that you may commit, in one commit.

    What a rule refuses stays in the working tree as it is, and is named with the reason. The exit
    status is 1 where all is refused.
    """
    found = rest.commit_rest(call.workspace(), text, dry_run=dry_run)
    if call.json:
        output.print_json(found.asdict())
    else:
        for row in _describe_rest(found):
            output.echo(escape_text(row))
    return int(bool(found.left) and not found.files)


def _describe_rest(found: SavedRest) -> Iterator[str]:
    if found.files:
        count = f"{len(found.files):,} file{'s' * (len(found.files) > 1)}"
        yield f"{found.commit[:10] or 'would be committed'}  {count}"
    for one in found.left:
        hint = f"; {one.hint}" if one.hint else ""
        yield f"left  {one.path}: {f'{one.code}: ' * bool(one.code)}{one.why}{hint}"
    if not found.files and not found.left:
        yield "nothing is uncommitted"
