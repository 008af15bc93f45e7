"""Edits become a commit: policy, compare-and-swap, files, index; all of it or nothing."""

from __future__ import annotations

import contextlib
import os

from molt import config, errors, trees
from molt.formats import paths as layout
from molt.repo import process, state, worktree
from molt.repo.write import journal
from molt.repo.write.indexlock import IndexLock
from molt.repo.write.journal import Journal, JournalStep
from molt.repo.write.loose import DURABLE, Loose
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from molt.policy import Context, Finding
    from molt.repo.objects import GitTree
    from molt.repo.repository import Head, Repo
    from molt.trees import Edits, Tree

    MakeEdits = Callable[[Tree], Edits]
    MakeMessage = Callable[[Tree, Edits], str]

ZERO = "0" * 40
MAINTAIN_EVERY = 50


class Written(Value):
    """What a transaction did: the commit (None where nothing changed or nothing was to be
    written), the paths, the message, the warnings of the policy, and the tree with the edits.
    """

    oid: str | None
    paths: tuple[str, ...]
    message: str
    findings: tuple[Finding, ...]
    tree: Tree = trees.EMPTY


def commit(
    repo: Repo,
    make_edits: MakeEdits,
    message: MakeMessage,
    context: Context,
    *,
    dry_run: bool = False,
    deadline: float = 30.0,
) -> Written:
    """Commit what `make_edits` makes of HEAD's tree, on the branch that is checked out.

    Both functions may run several times, as each lost race starts over. A file with a
    person's uncommitted edits is edited twice, as committed and as it is on disk, and the
    person's edit stays uncommitted. Raises Refused with the policy's findings, Failed where
    the repository is in no state for it, Busy when `deadline` seconds did not suffice.
    Nothing has changed after any of them; only of a file that cannot be written, when the
    branch has moved already, Failed says that the commit is made.
    """
    from time import monotonic

    if dry_run:
        return _make_plan(repo, _require_writable_head(repo), make_edits, message, context).written
    end = monotonic() + deadline
    with state.lock(repo.git_dir, "write", deadline, shared=True):
        recover_locked(repo)
        while (done := _attempt_commit(repo, make_edits, message, context, end)) is None:
            if monotonic() > end:
                raise errors.Busy(
                    "the branch moved or was locked on every try",
                    "try again; `molt doctor` finds stale locks",
                )
    if done.oid and int(done.oid[:4], 16) % MAINTAIN_EVERY == 0:
        # git packs loose objects only when asked, and detaches itself if that takes long.
        with contextlib.suppress(errors.MoltError):
            repo.run("maintenance", "run", "--auto", "--quiet", check=False)
    return done


def recover(repo: Repo) -> bool | None:
    """Finish an interrupted write: True rolled forward, False never began, None there is none."""
    if journal.load(repo) is None:
        return None
    with state.lock(repo.git_dir, "write", shared=True):
        return recover_locked(repo)


def recover_locked(repo: Repo) -> bool | None:
    """`recover`, for who holds the lock: its owner is dead, for the kernel freed it."""
    found = journal.load(repo)
    if found is None:
        return None
    forward = journal.finish(repo, found)
    journal.clear(repo)
    return forward


class _Plan(Value):
    """A write that the policy allows: where, on what, and which edits."""

    head: Head
    base: GitTree
    edits: Edits
    written: Written


def _make_plan(
    repo: Repo, head: Head, make_edits: MakeEdits, message: MakeMessage, context: Context
) -> _Plan:
    from molt import policy

    base = repo.tree(head.commit)
    edits = _drop_unchanged(base, make_edits(base))
    if not edits:
        return _Plan(head, base, edits, Written(None, (), "", ()))
    for path in edits:
        worktree.safe_path(path)
    text = message(base, edits)
    settings, _ = config.load(base, repo.cache)
    tree = trees.Overlay(base, edits)
    findings = policy.evaluate(base, tree, text, context, settings)
    if any(finding.severity == "error" for finding in findings):
        raise errors.Refused("the policy refuses this", findings=findings)
    return _Plan(head, base, edits, Written(None, tuple(sorted(edits)), text, findings, tree))


def _attempt_commit(
    repo: Repo, make_edits: MakeEdits, message: MakeMessage, context: Context, end: float
) -> Written | None:
    """One try; None where something else moved the branch meanwhile."""
    plan = _make_plan(repo, _require_writable_head(repo), make_edits, message, context)
    if not plan.edits:
        return plan.written
    _refuse_filters(repo, plan.base, plan.edits)
    # Nothing points to these objects yet; the lock, for which no git command waits, comes late.
    objects = Loose(repo)
    tree = objects.tree(plan.base, plan.edits)
    objects.store()
    oid = _write_commit(repo, tree, plan.head.commit, plan.written.message)
    with IndexLock(repo, end) as index:
        # Only now does git hold still: a switch or a merge may have come before the lock.
        if _require_writable_head(repo) != plan.head:
            return None
        held = journal.staged_blobs(repo, list(plan.edits))
        working = _edit_work_tree(repo, plan, make_edits, held)
        steps = tuple(
            _make_step(repo, plan, path, working[path], held, objects) for path in working
        )
        objects.store()
        index.prepare(steps, held)
        journal.save(repo, Journal(str(plan.head.branch), oid, index.mark, steps))
        if not _move(repo, plan, oid, index):
            return None
        index.publish()
        _write_files(repo, oid, working)
        index.done = True
    return plan.written.replace(oid=oid)


def _move(repo: Repo, plan: _Plan, oid: str, index: IndexLock) -> bool:
    """Move the branch, if it is where the plan saw it."""
    branch, tip = str(plan.head.branch), plan.head.commit
    subject = plan.written.message.split("\n", 1)[0]
    args = ("update-ref", "-m", f"molt: {subject}", branch, oid, tip or ZERO)
    index.began = True
    status, _, said = process.call((*process.GIT, *DURABLE, *args), cwd=repo.root)
    if status:
        index.began = False
        index.began = journal.branch_moved(repo, branch, tip, oid, said.decode("utf-8", "replace"))
    return index.began


def _write_files(repo: Repo, oid: str, working: Edits) -> None:
    """Write the files of a commit that the branch holds. Raises Failed, which says so."""
    try:
        for path in working:
            worktree.write(repo.root, path, working[path])
    except errors.Failed as error:
        raise errors.Failed(
            f"{error.message}; the commit {oid[:10]} is made all the same",
            "once that is mended, the next write or `molt doctor --fix` brings the files along",
        ) from error


def _drop_unchanged(base: Tree, edits: Edits) -> Edits:
    return {path: data for path, data in edits.items() if base.read(path) != data}


def _tell_way_on(unfinished: str) -> str:
    if unfinished == "bisect":
        return "`git bisect reset` ends it"
    return f"`molt resolve` merges what it can; finish it, or `git {unfinished} --abort`"


def _require_writable_head(repo: Repo) -> Head:
    head = repo.head()
    if head.state:
        raise errors.Failed(f"a {head.state} is in progress", _tell_way_on(head.state))
    if head.branch is None:
        raise errors.Failed("HEAD is detached: a commit would be on no branch", "`git switch main`")
    if os.path.isdir(os.path.join(repo.common_dir, "worktrees")):
        _refuse_shared(repo, head.branch)
    return head


def _refuse_shared(repo: Repo, branch: str) -> None:
    out = repo.run("worktree", "list", "--porcelain", "-z")
    for block in out.split("\0\0"):
        lines = block.split("\0")
        place = lines[0].removeprefix("worktree ")
        if f"branch {branch}" in lines and os.path.realpath(place) != os.path.realpath(repo.root):
            raise errors.Failed(f"{branch} is checked out in {place} too", "work there")


def _edit_work_tree(
    repo: Repo, plan: _Plan, make_edits: MakeEdits, held: Mapping[str, str]
) -> Edits:
    """What each path becomes on disk. Raises Failed where a person's work is in the way."""
    base, edits = plan.base, plan.edits
    theirs: Edits = {}
    for path in sorted(edits):
        before, found = base.entry(path), worktree.read(repo.root, path)
        untouched = found == base.read(path)
        expected = (before.oid if before else "", _oid_of(edits[path]))
        if held.get(path, "") not in expected and not (untouched and _is_stale(repo, path, held)):
            raise errors.Failed(
                f"{path} is staged with other content",
                "commit it, or `git restore --staged` it; a conflict: `molt resolve`",
            )
        if not untouched and found != edits[path]:
            theirs[path] = found
    behind = {path: _append_behind(base, path, edits[path], theirs[path]) for path in theirs}
    logs = {path: data for path, data in behind.items() if data is not None}
    others = {path: data for path, data in theirs.items() if path not in logs}
    again = {**(_edit_twice(base, others, make_edits) if others else {}), **logs}
    return {path: again[path] if path in theirs else edits[path] for path in sorted(edits)}


def _append_behind(
    base: Tree, path: str, edited: bytes | None, found: bytes | None
) -> bytes | None:
    """A log with the entries that a person has not committed behind those that an edit appends.

    In the order in which they were written, theirs would stand before one that is committed
    already: to git an earlier entry would change, and nobody could commit it any more. None
    for any other file, and where the person did more than append. Raises Failed where lines
    continue the last entry, for behind another they would mean something else.
    """
    if edited is None or found is None or not layout.is_episode_path(path):
        return None
    before = base.read(path)
    if before is None:
        before = edited.partition(b"\n")[0] + b"\n"
    if not found.startswith(before) or not edited.startswith(before):
        return None
    rest = found[len(before) :]
    if rest.strip() and not rest.lstrip().startswith(b"## "):
        raise _in_the_way([path])
    return edited + rest


def _make_step(
    repo: Repo, plan: _Plan, path: str, after: bytes | None, held: Mapping[str, str], objects: Loose
) -> JournalStep:
    entry = plan.base.entry(path)
    same = after == plan.edits[path]
    after_oid = _oid_of(after) if same else objects.blob(after)
    return JournalStep(
        path,
        entry.mode if entry else trees.REGULAR,
        (held.get(path, ""), _oid_of(plan.edits[path])),
        (_oid_of(worktree.read(repo.root, path)), after_oid),
    )


def _is_stale(repo: Repo, path: str, held: Mapping[str, str]) -> bool:
    """Whether the index holds an earlier commit's version of a file that is as HEAD has it.

    git commit reads the index before it locks it, so a commit that loses the race for the
    branch can put an old entry back over the one that a write has just published.
    """
    if path not in held:
        return False
    args = ("log", "-20", "--format=", "--raw", "--no-abbrev", "--no-renames", "HEAD", "--", path)
    return held[path] in repo.run(*args)


def _edit_twice(base: Tree, theirs: Edits, make_edits: MakeEdits) -> Mapping[str, bytes | None]:
    """The same change on top of what a person has not committed."""
    problem = _in_the_way(theirs)
    if any(data is None for data in theirs.values()):
        raise problem
    try:
        again = make_edits(trees.Overlay(base, theirs))
    except errors.MoltError as error:
        raise problem from error
    if any(again.get(path) is None for path in theirs):
        raise problem
    return again


def _in_the_way(paths: Iterable[str]) -> errors.Failed:
    return errors.Failed(
        f"{', '.join(sorted(paths))}: uncommitted edits, and this change does not apply to them",
        "commit or stash them first",
    )


def _oid_of(data: bytes | None) -> str:
    return "" if data is None else trees.blob_oid(data)


def _write_commit(repo: Repo, tree: str, tip: str | None, text: str) -> str:
    if "\0" in text:
        raise errors.Failed("a commit message with a NUL character")
    # git would make up a name and an address that nobody has set.
    args = (*process.GIT, *DURABLE, "-c", "user.useConfigOnly=true", "commit-tree", tree)
    parent = ("-p", tip) if tip else ()
    status, out, said = process.call(
        (*args, *parent, "-F", "-"), input=text.encode(), cwd=repo.root
    )
    if status:
        repo.identity()
        raise errors.Failed(f"git commit-tree: {said.decode('utf-8', 'replace').strip()}")
    return out.decode().strip()


def _refuse_filters(repo: Repo, base: GitTree, edits: Edits) -> None:
    """Raises Failed for files that a filter changes on their way into git: molt runs none."""
    folders = {path.rpartition("/")[0] for path in edits}
    names = {".gitattributes", *(f"{folder}/.gitattributes" for folder in folders if folder)}
    texts = [base.read(name) or b"" for name in sorted(names)]
    with contextlib.suppress(OSError), open(f"{repo.common_dir}/info/attributes", "rb") as file:
        texts.append(file.read())
    if not any(word in text for text in texts for word in (b"filter", b"working-tree-encoding")):
        return
    out = repo.run("check-attr", "-z", "filter", "working-tree-encoding", "--", *edits)
    words = out.split("\0")
    for path, name, value in zip(words[::3], words[1::3], words[2::3], strict=False):
        if value not in ("unspecified", "unset"):
            raise errors.Failed(
                f"{path} has the attribute {name}={value}, and molt runs no filters",
                "take memories out of it in .gitattributes",
            )
