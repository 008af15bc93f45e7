"""A reflection that has grown old, made anew on today's memory; and pushed for others to see."""

from __future__ import annotations

from molt import errors
from molt.formats.reflections import plan, refs
from molt.memory.reflect.branches import branch, seen
from molt.memory.reflect.branches.branch import BranchProposal, KnownReflection
from molt.memory.reflect.decisions import approve, cleaned, settle, unsaid
from molt.memory.reflect.operations import steps
from molt.memory.reflect.unfit import UnfitWords
from molt.repo import branches
from molt.repo.write.ref_moves import RefMove
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.decisions.unsaid import Erased
    from molt.memory.workspace import Workspace

_TRIES = 5  # as often may the branch move meanwhile


class NothingLeft(errors.Refused):
    """Of a reflection nothing applies any more."""


class Rebased(Value):
    """A reflection on its new base, and what was left out with the reason."""

    found: KnownReflection
    dropped: tuple[tuple[Operation, str], ...]


def rebase_reflection(ws: Workspace, reflection: str, erased: Erased = unsaid.NOTHING) -> Rebased:
    """Make the branch of an open reflection anew on HEAD's commit. What no longer applies, and what
    was forgotten meanwhile, is left out with the reason, and the plan has another hash where
    anything is.

    Raises NothingLeft where nothing of it is left, Failed where a work tree is on its branch, Busy
    where others move it each time.
    """
    approve.require_other_branch(ws)
    for _ in range(_TRIES):
        found = branch.require_open(ws, reflection)
        base = ws.repo.tip() or ""
        clean = cleaned.clean_record(ws, found.record, UnfitWords(ws.head(), erased.says), erased)
        proposal, dropped = _prepare(ws, found.replace(record=clean.record), base)
        own = found.ref == refs.branch_ref(found.id)
        _require_free(ws, found.id)
        move = RefMove(refs.branch_ref(found.id), found.tip if own else "", "")
        tip = branch.write_chain(ws, proposal, move)
        if tip:
            ws.freshen()
            text = branch.render_record(proposal)
            # A person who made it anew is shown what came of it; who forgets is not.
            note = seen.note_seen if erased == unsaid.NOTHING else seen.note_made
            note(ws, found.id, text)
            made = KnownReflection(found.id, proposal.record, text, move.ref, tip)
            return Rebased(made, (*clean.dropped, *dropped))
    raise errors.Busy("others move that branch too", "try again; nothing was written")


def _require_free(ws: Workspace, reflection: str) -> None:
    there = branches.find_worktree(ws.repo.common_dir, refs.branch_ref(reflection))
    if there:
        said = f"{there} is on reflect/{reflection}, and its files would no longer be the branch's"
        raise errors.Failed(said, f"`git -C {there} switch --detach` first")


def _prepare(
    ws: Workspace, found: KnownReflection, base: str
) -> tuple[BranchProposal, tuple[tuple[Operation, str], ...]]:
    one = found.record
    day = settle.read_day(one)
    made = branch.plan_pending(ws, base, settle.read_operations(one), found.id, day)
    dropped = (*made.dropped, *((each, steps.THERE) for each in made.there))
    if not made.done:
        hint = f"`molt reflect reject {found.id} --why TEXT`; `molt reflect` makes another"
        raise NothingLeft(f"nothing of {found.id} applies any more", hint)
    fields = dict(one.fields)
    before = fields.get("dropped")
    rows = [*(before if isinstance(before, list) else ()), *map(_tell, dropped)]
    if rows:
        fields["dropped"] = rows
    if one.known_base != base:
        fields["read"] = one.known_base
    record = one.replace(
        id=found.id,
        status="pending",
        base=base,
        plan_hash=plan.hash_plan(each.operation for each in made.done),
        items=branch.list_items(made),
        fields=tuple(fields.items()),
    )
    return BranchProposal(base, made.commits, record), dropped


def _tell(pair: tuple[Operation, str]) -> list[str]:
    return [plan.describe_operation(pair[0]), pair[1]]


def push_reflection(ws: Workspace, reflection: str, remote: str) -> str:
    """Push the branch of an open reflection, for a pull request; gives what git says. Raises
    Failed.
    """
    found = branch.require_open(ws, reflection)
    ref = refs.branch_ref(found.id)
    if remote.startswith("-"):
        raise errors.Usage(f"{remote!r} is no remote", "such as origin")
    # One that was made anew replaces what is there, and nothing that somebody else has put there.
    known = ws.repo.reader.oid(f"refs/remotes/{remote}/{ref.removeprefix('refs/heads/')}") or ""
    lease = f"--force-with-lease={ref}:{known}"
    return ws.repo.git("push", lease, remote, f"{found.tip}:{ref}").require().said
