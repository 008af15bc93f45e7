"""`molt rollback`."""

from __future__ import annotations

import click

from molt.cli import filters, undone
from molt.cli.call import Call, pass_call
from molt.memory.govern import undo_asked
from molt.memory.govern.undo import UndoOptions


@click.command()
@click.option("--to", "rev", required=True, metavar="DATE|REV", help="A day, a time, a revision.")
@click.option("--hard", is_flag=True, help="Take it out of logs, in place of a correction.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and the commit.")
@pass_call
def rollback(call: Call, rev: str, hard: bool, yes: bool, dry_run: bool) -> int:
    """Make all of the workspace as it was on a day (at its end) or at a commit.

    It is shown first, and made as one new commit; nothing of the history is rewritten. What was
    forgotten for good, and what was decided on reflections, stays.
    """
    ws = call.workspace()
    moment = filters.read_moment(ws, rev)
    what = undo_asked.find_moment(ws, moment.commit if moment else rev)
    return undone.carry_out(call, ws, what, UndoOptions(hard, dry_run), sure=yes)
