"""The branch that is checked out goes on to a commit that exists, with the index and the files."""

from __future__ import annotations

from molt import errors, trees
from molt.repo import state
from molt.repo.write import lease, plan, transaction
from molt.repo.write.branch import Target
from molt.repo.write.lease import WriteTurn
from molt.repo.write.loose import Loose
from molt.repo.write.plan import Plan
from molt.repo.write.publication import Publication
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.repo.repository import Repo
    from molt.trees import Edits, FileChange, Tree

_DEADLINE = 30.0
"""Seconds for the lock, and again for the way."""


class Advance(Value):
    """The way of a branch from the commit `old` to `new`, which leads to it; `why` is for the
    reflog. `remake` gives the same edits of a tree that holds what a person has not committed.
    """

    repo: Repo
    old: str
    new: str
    why: str
    remake: Callable[[Tree], Edits]


def advance_branch(made: Advance, *, held: state.lock | None = None) -> str | None:
    """Go that way; gives what is left to be done although the branch has moved, usually nothing,
    and None where HEAD is not at its start any more.

    A file with a person's uncommitted edits stays edited. `held` is the lock of writes where the
    caller has it. Raises Failed where such edits are in the way or the repository is in no state
    for it, Busy where half a minute did not suffice, or a lock that was left is in the way; then
    nothing has changed.
    """
    if held is not None:
        return _advance_locked(made, held)
    with lock_writes(made.repo) as lock:
        return _advance_locked(made, lock)


def lock_writes(repo: Repo) -> state.lock:
    """The lock that every write of molt holds: meanwhile only git itself moves the branch."""
    return state.lock(repo.git_dir, "write", _DEADLINE, shared=True)


def _advance_locked(made: Advance, lock: state.lock) -> str | None:
    from time import monotonic

    repo = made.repo
    turn = WriteTurn(lock, monotonic() + _DEADLINE)
    transaction.recover_locked(repo)
    while True:
        head = plan.writable_head(repo)
        if head.commit != made.old:
            return None
        changes = trees.diff(repo.tree(made.old), repo.tree(made.new))
        lease.wait(repo, turn)
        if all(map(_is_plain, changes)):
            left = _attempt(made, turn, changes)
            if left is not None:
                return left
        elif repo.head() == head:
            return _go_by_git(made)
        transaction.lose_try(turn)


def _is_plain(one: FileChange) -> bool:
    """Whether a file is, and was, one that a write of molt can put in its place."""
    kinds = {entry.mode for entry in (one.old, one.new) if entry is not None}
    return kinds == {trees.REGULAR}


def _attempt(made: Advance, turn: WriteTurn, changes: tuple[FileChange, ...]) -> str | None:
    """One try; None where somebody else was faster, or is committing."""
    repo = made.repo
    with Publication(repo, turn) as last, Loose(repo) as objects:
        if turn.lost >= transaction.STUBBORN and not last.seize():
            return None
        head = plan.writable_head(repo)
        if head.commit != made.old or head.branch is None:
            return None
        blobs = repo.reader.blobs([one.new.oid for one in changes if one.new])
        edits = {one.path: blobs[one.new.oid] if one.new else None for one in changes}
        base = repo.tree(made.old)
        plan.refuse_filters(repo, base, edits)
        meant = transaction.survey_change(
            last, objects, Plan(head, base, edits, "", None), made.remake
        )
        if meant is None or not last.publish(_make_target(made, head.branch), *meant, {}):
            return None
        return transaction.tell_left(made.new, last.left)


def _make_target(made: Advance, branch: str) -> Target:
    who = made.repo.git("var", "GIT_COMMITTER_IDENT").require().text.strip()
    return Target(branch, made.old, made.new, who, made.why)


def _go_by_git(made: Advance) -> str:
    """The same by git alone, which knows links, modules and programs; it keeps off from files with
    uncommitted edits. Raises Failed with its words.
    """
    done = made.repo.git("merge", "--ff-only", "--quiet", made.new)
    if done.status:
        said = done.said.removeprefix("error: ").removeprefix("fatal: ")
        raise errors.Failed(said, "commit or stash what is edited here")
    return ""
