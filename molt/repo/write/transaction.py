"""Edits become a commit: policy, compare-and-swap, files, index; all of it or nothing.

`commit` takes the lock that writers queue for; git's own is taken in `publication`, at the end.
"""

from __future__ import annotations

import contextlib
import os

from molt import errors, trees
from molt.formats import times
from molt.repo import state
from molt.repo.write import journal, lease, news
from molt.repo.write.branch import Target
from molt.repo.write.chain import CommitWriter
from molt.repo.write.lease import WriteTurn
from molt.repo.write.loose import Loose
from molt.repo.write.newfiles import NewFiles
from molt.repo.write.plan import make_plan, refuse_filters
from molt.repo.write.publication import Publication, mend_entries
from molt.repo.write.uncommitted import make_step, merge_edits, put_back
from molt.values import ValueOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from molt.policy import Context, Finding
    from molt.repo.repository import Repo
    from molt.repo.write.journal import JournalStep
    from molt.repo.write.lease import Published
    from molt.repo.write.plan import MakeChange, Plan
    from molt.trees import Edits, Overlay, Tree

    T = TypeVar("T")
else:
    T = None

MAINTAIN_EVERY = 10  # writes, of which one looks: that takes a listing of a folder
# git itself packs at 6,700 objects, which on most disks take a block of 4 KiB each, or more. Of its
# objects a 256th is in each folder, and that is how it counts them, too (builtin/gc.c).
MANY_LOOSE = 2_000
_SAMPLE = "17"
# Seconds in which a git that was at work when a write came has done its next step.
_MOMENT = 0.02
# Tries that were lost, each of some 40 ms, until a write locks the index before it begins.
STUBBORN = 5
# Seconds. git holds the lock of a branch for some milliseconds, and where a hook judges what moves
# for as long as that takes: 0.1 s for what a person commits. It waits for one a tenth of a second.
_STALE = 3


class Written(ValueOf[T]):
    """What a transaction did: the commit (None where nothing changed or nothing was to be
    written), the paths, the message, the warnings of the policy, what the change has made, the
    tree with the edits, and what is `left` to be done although the commit is made, if anything:
    that is also that git could not sign it.
    """

    oid: str | None
    paths: tuple[str, ...]
    message: str
    findings: tuple[Finding, ...]
    made: T
    tree: Overlay = trees.Overlay(trees.EMPTY, {})
    left: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever asked for the write should be told, though it is made."""
        said = tuple(
            f"{one.path}: {one.message}" if one.path else one.message for one in self.findings
        )
        return (*said, self.left) if self.left else said


def commit(
    repo: Repo,
    make_change: MakeChange[T],
    context: Context,
    *,
    dry_run: bool = False,
    deadline: float = 30.0,
) -> Written[T]:
    """Commit what `make_change` makes of HEAD's tree, on the branch that is checked out.

    The function may run several times, as each lost race starts over. A file with a person's
    uncommitted edits is edited twice, as committed and as it is on disk, of which the edits alone
    count, and the person's edit stays uncommitted. Raises Refused with the policy's findings,
    Failed where the repository is in no state for it, Busy when `deadline` seconds did not
    suffice, or a lock that was left is in the way. Nothing has changed after any of them. Where a
    disk fails when the branch has moved already, the write is made, and `left` of what is returned
    says so.
    """
    from time import monotonic

    if dry_run:
        return _make_written(make_plan(repo, make_change, context), None)
    end = monotonic() + deadline
    with state.lock(repo.git_dir, "write", deadline, shared=True) as lock:
        turn = WriteTurn(lock, end)
        recover_locked(repo)
        company = lease.find_company(repo, turn)
        while (done := _attempt_commit(repo, make_change, context, turn)) is None:
            lose_try(turn)
    if turn.made is not None and (company or turn.lost):
        _look_again(repo, turn.made)
    if done.oid and int(done.oid[:4], 16) % MAINTAIN_EVERY == 0:
        _pack_loose(repo)
    return done


def _look_again(repo: Repo, made: Published) -> None:
    """Mend the index if a git that had read it before a write has put it back since.

    It does so between two of its steps, which takes a moment, also on a busy machine.
    """
    from time import sleep

    sleep(_MOMENT)
    if lease.index_mark(repo) == made.mark:
        return
    # A write that comes meanwhile does the same.
    with contextlib.suppress(errors.MoltError), state.lock(repo.git_dir, "write", 0, shared=True):
        if recover_locked(repo) is None:
            mend_entries(repo, made)


def _pack_loose(repo: Repo) -> None:
    """Have git pack loose objects where there are many, by the configuration or by us.

    It does so only when asked, and detaches itself if that takes long.
    """
    own = repo.config("gc.auto")
    bound = int(own) if own and own.isdigit() else MANY_LOOSE
    with contextlib.suppress(errors.MoltError, OSError):
        if bound and len(os.listdir(f"{repo.common_dir}/objects/{_SAMPLE}")) > bound >> 8:
            told = () if own else ("-c", f"gc.auto={MANY_LOOSE}")
            repo.run(*told, "maintenance", "run", "--auto", "--quiet", check=False)


def lose_try(turn: WriteTurn) -> None:
    """Count a lost try. Raises Busy where another one would be in vain: the turn is over, or in
    the way is a lock that no git at work holds that long.
    """
    from time import monotonic

    turn.lost += 1
    lock = _find_lock(turn.said)
    if monotonic() < turn.end and not _is_stale(lock, turn):
        return
    if not lock:
        raise errors.Busy("the branch moved on every try", "try again; nothing was written")
    from shlex import quote

    raise errors.Busy(
        f"the branch is locked by {lock}",
        f"if no git runs here, one that died has left it: `rm {quote(lock)}`; `molt doctor` tells",
    )


def _find_lock(said: str) -> str:
    """The file that git, or what moves a branch as git does, could not create; empty for none."""
    path, end, _ = said.partition("nable to create '")[2].partition(".lock'")
    return f"{path}.lock" if end else ""


def _is_stale(lock: str, turn: WriteTurn) -> bool:
    with contextlib.suppress(OSError):
        age = turn.lock.clock() - os.stat(lock).st_mtime_ns
        return age > _STALE * 1_000_000_000
    return False


def recover(repo: Repo) -> bool | None:
    """Finish an interrupted write: True rolled forward, False never began, None there is none."""
    if journal.load(repo) is None:
        return None
    with state.lock(repo.git_dir, "write", shared=True):
        return recover_locked(repo)


def recover_abandoned(repo: Repo) -> str:
    """Finish an interrupted write, unless another molt writes just now; gives what keeps it from
    being finished, usually nothing.
    """
    if not journal.exists(repo):
        return ""
    try:
        with state.lock(repo.git_dir, "write", 0, shared=True):
            recover_locked(repo)
    except errors.Busy:
        return ""
    except errors.MoltError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return f"an earlier write is committed, and not all of its files are: {error}{hint}"
    return ""


def find_missing(repo: Repo, tree: Tree) -> tuple[str, ...]:
    """The paths of an interrupted write that HEAD holds, whose files are not written yet, and which
    a tree would therefore take back; none while another molt writes.
    """
    if not journal.exists(repo):
        return ()
    try:
        with state.lock(repo.git_dir, "write", 0):
            last = journal.load(repo)
            if last is None or not last.commit or not repo.is_ancestor(last.commit, "HEAD"):
                return ()
            behind = journal.list_unwritten(repo, last.steps)
    except errors.Busy:
        return ()
    oids = {step.path: entry.oid for step in behind if (entry := tree.entry(step.path))}
    return tuple(step.path for step in behind if oids.get(step.path, "") != step.committed[1])


def recover_locked(repo: Repo) -> bool | None:
    """`recover`, for who holds the lock: its owner is dead, for the kernel freed it."""
    found = journal.load(repo)
    if found is None:
        return None
    forward = journal.finish(repo, found)
    journal.clear(repo)
    return forward


def _attempt_commit(
    repo: Repo, make_change: MakeChange[T], context: Context, turn: WriteTurn
) -> Written[T] | None:
    """One try; None where somebody else was faster, or is committing."""
    from time import monotonic

    # What is made beside a commit of somebody else would be in vain.
    lease.wait(repo, turn)
    with Publication(repo, turn) as last, Loose(repo) as objects:
        if turn.lost >= STUBBORN and not last.seize():
            return None
        plan = make_plan(repo, make_change, context)
        if not plan.edits:
            return _make_written(plan, None)
        refuse_filters(repo, plan.base, plan.edits)
        tree = objects.tree(plan.base, plan.edits)
        folders = objects.folders
        objects.store()
        start = monotonic()
        writer = CommitWriter(repo, objects, plan.settings)
        target = _write_commits(writer, plan, tree)
        turn.pace = monotonic() - start
        if target is None:
            return None
        meant = survey_change(last, objects, plan, lambda tree: dict(make_change(tree).edits))
        if meant is None or not last.publish(target, *meant, folders):
            return None
        try:
            objects.settle()
        except errors.Failed as error:
            last.left.append(error.message)
        return _make_written(plan, target.new, tell_left(target.new, last.left) or writer.unsigned)


def survey_change(
    last: Publication, objects: Loose, plan: Plan[T], remake: Callable[[Tree], Edits]
) -> tuple[list[JournalStep], NewFiles] | None:
    """What is to become of the index and the files; None for a lost race."""
    ground = last.survey(plan.base, plan.edits)
    try:
        working = merge_edits(ground, plan.edits, remake)
    except errors.Failed:
        # What is in the way may have been committed meanwhile.
        if last.holds(plan.head):
            raise
        return None
    for data in working.values():
        objects.blob(data)
    objects.store()
    steps = [make_step(ground, path, plan.edits[path], working[path]) for path in working]
    steps += put_back(ground, last.turn.last.entries, plan.edits)
    return steps, NewFiles(ground.repo.root, ground.found, working)


def _make_written(plan: Plan[T], oid: str | None, left: str = "") -> Written[T]:
    if not plan.edits:
        return Written(None, (), "", (), plan.made)
    paths = tuple(sorted(plan.edits))
    tree = trees.Overlay(plan.base, plan.edits)
    return Written(oid, paths, plan.message, plan.findings, plan.made, tree, left)


def tell_left(oid: str, failed: list[str]) -> str:
    """What a person must know of a commit that is made, and whose files or index are not."""
    if not failed:
        return ""
    said = (
        f"the memory is committed ({oid[:10]}), but {'; '.join(failed)}; once that is fixed, "
        "`molt status`, or any other command, writes the files"
    )
    news.note_unfinished(said)
    return said


def _write_commits(writer: CommitWriter, plan: Plan[T], tree: str) -> Target | None:
    """The commits of a plan, for their branch; None where a `git prune` has taken what they need
    meanwhile.
    """
    head = (plan.head.commit,) if plan.head.commit else ()
    tip = writer.write_chain(plan.base, plan.steps, head) if plan.steps else None
    if plan.steps and tip is None:
        return None
    made = writer.write_commit(tree, plan.message, (*head, tip) if tip else head)
    if made is None:
        return None
    oid, who = made
    _refuse_clock(int(who.split(b" ")[-2]))
    why = f"molt: {plan.message.partition(chr(10))[0]}"
    name = who.decode("utf-8", "surrogateescape")
    return Target(str(plan.head.branch), plan.head.commit, oid, name, why)


def _refuse_clock(second: int) -> None:
    """Raises Failed for a date before 1970: git would store it as one far in the future."""
    if second > times.LATEST:
        raise errors.Failed(
            "the clock of this machine says a year before 1970, and git knows none",
            "set it right; nothing was written",
        )
