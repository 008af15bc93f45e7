"""What `molt revert` and `molt rollback` share: show it, ask, do it, and say what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.formats.lines import escape_text
from molt.memory.govern import undo as undoing
from molt.memory.govern.undo import UndoOptions

if TYPE_CHECKING:
    from molt.cli.call import Call
    from molt.memory.govern.undo import Undo
    from molt.memory.govern.undo_told import UndoTale
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written

_SHOWN = 12  # rows that are named; the others are counted
_ASK = "`--yes` does it, `--dry-run` shows the commit"


def carry_out(call: Call, ws: Workspace, what: Undo, options: UndoOptions, *, sure: bool) -> int:
    """Undo it, once who asks has seen what that does and said yes; without a terminal and `sure`
    nothing is touched, and the status is 3.
    """
    now = clock.now(ws.config.workspace_timezone)
    if options.dry_run:
        return _print_done(call, undoing.undo(ws, what, now, options))
    if not sure:
        seen = undoing.undo(ws, what, now, options.replace(dry_run=True)).made
        if not output.can_ask(call):
            return output.print_question(f"to undo: {what.said}", _ASK, seen.asdict())
        _print_tale(what.said, seen)
        if not click.confirm("Undo this?", default=False):
            output.note(call, "nothing was changed")
            return 3
        return _print_done(call, undoing.undo(ws, what, now, options), shown=seen)
    return _print_done(call, undoing.undo(ws, what, now, options))


def _print_done(call: Call, done: Written[UndoTale], shown: UndoTale | None = None) -> int:
    output.note_warnings(call, done.warnings)
    if call.json:
        told = done.made.asdict()
        files = [one.asdict() for one in done.made.files]
        output.print_json({**told, "files": files, "commit": done.oid, "message": done.message})
        return 0
    if done.made != shown:
        _print_tale("" if done.oid else "would be undone", done.made)
    if done.oid:
        click.echo(f"undone  {done.oid[:10]}")
    else:
        click.echo(done.message, nl=False)
    return 0


def _print_tale(said: str, tale: UndoTale) -> None:
    rows = [said] * bool(said)
    for one in tale.files:
        mark = {"A": " (comes back)", "D": " (goes)"}.get(one.status, "")
        rows.append(f"  {one.path}  +{one.added:,} -{one.removed:,}{mark}")
    for word, names in (("comes back", tale.back), ("goes", tale.gone)):
        rows += [f"  {name}  {word}" for name in names[:_SHOWN]]
        rows += [f"  and {len(names) - _SHOWN:,} more"] * (len(names) > _SHOWN)
    rows += [f"  left: {one}" for one in tale.left]
    rows += [f"  {one}: what was forgotten for good stays gone" for one in tale.erased]
    for row in rows:
        click.echo(escape_text(row))
