"""`molt resolve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.govern import resolve as resolving

if TYPE_CHECKING:
    from molt.memory.govern.resolve import Resolved


@click.command()
@click.argument("paths", nargs=-1)
@pass_call
def resolve(call: Call, paths: tuple[str, ...]) -> int:
    """Merge what stands in conflict by what it means, all of it or the PATHS, and stage it.

    After a merge, rebase, cherry-pick, revert or stash that git could not finish. What only a
    person can decide is left between git's markers, and what you have begun to mend is yours.
    """
    ws = call.workspace()
    done = resolving.resolve_conflicts(ws.repo, paths, start=call.start)
    if call.json:
        output.print_json(done.asdict())
    else:
        _print_resolved(done)
    return int(bool(done.left))


def _print_resolved(done: Resolved) -> None:
    for path in done.paths:
        click.echo(f"resolved  {escape_text(path)}")
    for old, new in done.moved:
        click.echo(f"          theirs {escape_text(f'{old} is {new}')} now")
    for one in done.left:
        click.echo(f"left      {escape_text(f'{one.path}: {one.why}')}")
    if not done.paths and not done.left:
        click.echo("nothing is in conflict")
    elif done.next:
        click.echo(f"then      {done.next}")
