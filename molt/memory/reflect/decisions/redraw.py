"""What was forgotten for good, taken out of the reflections that await a person."""

from __future__ import annotations

from molt import errors, trees
from molt.formats.reflections import record, refs
from molt.formats.reflections.summary import Summary
from molt.memory.forget import elsewhere, forget
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve, rebase, reject, unsaid
from molt.memory.reflect.decisions.reject import RejectOptions
from molt.memory.reflect.decisions.unsaid import Erased
from molt.memory.reflect.unfit import UnfitWords
from molt.repo import branches
from molt.repo.write import ref_moves
from molt.repo.write.ref_moves import RefMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from molt.memory.forget.forget import Forgotten
    from molt.memory.forget.matches import Wanted
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written

_WHY = "nothing is left of it without what was forgotten"


def erase_forgotten(
    ws: Workspace, wanted: Wanted, done: Written[Forgotten], now: datetime
) -> tuple[str, ...]:
    """Remove what was forgotten for good from the reflections that await a person, let go of those
    that were rejected and say it, and remove it from what the clone derives; gives what still has
    it. Raises Busy, or Failed.
    """
    gone = frozenset(one.id for one in done.made.done)
    erased = Erased(elsewhere.make_line_test(wanted, done.made.done), gone)
    left = tuple(_redraw_open(ws, erased, now))
    _drop_rejected(ws, erased)
    return (*left, *forget.erase_copies(ws, done))


def _redraw_open(ws: Workspace, erased: Erased, now: datetime) -> Iterator[str]:
    """Make each open reflection anew without what was forgotten, and reject one of which nothing
    is left; gives why one could not be.
    """
    words = UnfitWords(ws.head(), erased.says)
    for found in tuple(branch.list_open(ws)):
        if not unsaid.find_forgotten(found.record, words, erased):
            continue
        try:
            _redraw(ws, found, erased, now)
        except errors.MoltError as error:
            yield f"{found.id} still says it: {error.message}"


def _drop_rejected(ws: Workspace, erased: Erased) -> None:
    """Delete the refs that keep what was rejected, where that says what was forgotten: its record,
    which says no more of it, stays. Raises Busy.
    """
    words = UnfitWords(ws.head(), erased.says)
    moves = []
    for name, tip in branches.list_below(ws.repo.common_dir, refs.REJECTED).items():
        text = trees.read_text(ws.repo.tree(tip), f"{refs.RECORDS}{name}.md")
        if unsaid.find_forgotten(record.parse_record(text), words, erased):
            moves.append(RefMove(f"{refs.REJECTED}{name}", tip, ""))
    if moves:
        ref_moves.move_refs(ws.repo, moves, "molt: forgotten for good")


def _redraw(ws: Workspace, found: KnownReflection, erased: Erased, now: datetime) -> None:
    try:
        rebase.rebase_reflection(ws, found.id, erased)
    except rebase.NothingLeft:
        # Neither its record nor a ref beside it keeps the words.
        bare = found.record.replace(id=found.id, items=(), fields=(), summary=Summary())
        done = reject.commit_rejection(ws, bare, _WHY, now, RejectOptions(trigger="molt forget"))
        if done.oid:
            approve.close_branch(ws, found)
