"""`molt revert`."""

from __future__ import annotations

import click

from molt import errors
from molt.cli import filters, undone
from molt.cli.call import Call, pass_call
from molt.memory.govern import undo_asked
from molt.memory.govern.undo import UndoOptions
from molt.repo import find


@click.command()
@click.argument("file", default="")
@click.option("--to", "rev", default="", metavar="REV", help="As FILE was then: a revision or day.")
@click.option("--commit", "commit", default="", metavar="REV", help="All that a commit did.")
@click.option("--reflection", default="", metavar="r-NNN", help="All that a reflection brought.")
@click.option("--hard", is_flag=True, help="Take it out of logs, in place of a correction.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and the commit.")
@pass_call
def revert(call: Call, /, file: str, rev: str, commit: str, reflection: str, **how: bool) -> int:
    """Undo what a commit or a reflection did, or make FILE (or a folder) as it was.

    It is shown first, and made as one new commit; nothing of the history is rewritten. Logs are
    only appended to: what is undone there is hidden, and a correction says so.
    """
    if bool(file) + bool(commit) + bool(reflection) != 1 or bool(file) != bool(rev):
        said = "revert what? one of: FILE --to REV, --commit REV, --reflection r-NNN"
        raise errors.Usage(said, "`molt log` lists what was changed")
    ws = call.workspace()
    if commit:
        what = undo_asked.find_commit(ws, commit)
    elif reflection:
        what = undo_asked.find_reflection(ws, reflection)
    else:
        moment = filters.read_moment(ws, rev)
        path = find.name_path(ws.repo.root, call.start, file)
        what = undo_asked.find_file(ws, path, moment.commit if moment else rev)
    options = UndoOptions(how["hard"], how["dry_run"])
    return undone.carry_out(call, ws, what, options, sure=how["yes"])
