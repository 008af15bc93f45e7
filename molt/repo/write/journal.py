"""The journal of one write: enough to finish it, or to see that it never began."""

from __future__ import annotations

import contextlib
import os

from molt import errors, trees
from molt.repo import disk, state, worktree
from molt.repo.repository import ZERO
from molt.repo.write import loose
from molt.repo.write.indexfile import IndexFile
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.repo.repository import Repo

_NAME = "txn"
# The index as a write prepares it, git's lock of that, and our lock before it has its name.
PRIVATE = ("index.molt", "index.molt.lock", "index.molt-lock")


class JournalStep(Value):
    """One path: blobs of the commit and of the work tree, before and after; "" for no file."""

    path: str
    mode: int
    committed: tuple[str, str]
    working: tuple[str, str]


class Journal(Value):
    """One write: its branch, its commit, the `mark` of its index.lock, its paths."""

    branch: str
    commit: str
    lock: str
    steps: tuple[JournalStep, ...]


def _journal_path(repo: Repo) -> str:
    return state.path(repo.git_dir, _NAME)


def save(repo: Repo, journal: Journal) -> None:
    """Put the journal down, on the disk itself. Raises Failed where that cannot be written."""
    lines = [f"{journal.branch}\t{journal.commit}\t{journal.lock}"]
    for step in journal.steps:
        blobs = "\t".join((*step.committed, *step.working))
        lines.append(f"{step.mode:o}\t{blobs}\t{step.path}")
    text = "\n".join((*lines, "end\n"))
    state.write(repo.git_dir, _NAME, text, durable=True)


def exists(repo: Repo) -> bool:
    """Whether a write is going on, or was interrupted."""
    return os.path.lexists(_journal_path(repo))


def load(repo: Repo) -> Journal | None:
    """The journal of an unfinished write; None if there is none. Raises Failed for a broken one.

    A journal appears by a rename, so a write never leaves half of one: what does not parse was
    damaged later, and what it knew of an unfinished write is lost.
    """
    text = state.read(repo.git_dir, _NAME)
    if not text and not exists(repo):
        return None
    try:
        return _parse_journal(text)
    except (ValueError, errors.Usage):
        raise errors.Failed(
            f"{_journal_path(repo)} is damaged",
            "`molt doctor --fix` sets it aside; then see `git status`",
        ) from None


def _parse_journal(text: str) -> Journal:
    lines = text.split("\n")
    if lines[-2:] != ["end", ""]:
        raise ValueError(text)
    branch, commit, lock = lines[0].split("\t")
    steps = []
    for line in lines[1:-2]:
        mode, old, new, before, after, path = line.split("\t", 5)
        steps.append(
            JournalStep(worktree.safe_path(path), int(mode, 8), (old, new), (before, after))
        )
    return Journal(branch, commit, lock, tuple(steps))


def set_aside(repo: Repo) -> str:
    """Move a damaged journal out of the way; gives its new place."""
    os.replace(_journal_path(repo), f"{_journal_path(repo)}.damaged")
    return f"{_journal_path(repo)}.damaged"


def clear(repo: Repo) -> None:
    """The write is over; what killed ones left beside their private files goes with it."""
    folder = os.path.dirname(_journal_path(repo))
    disk.sweep_folder(folder)
    disk.sweep_folder(os.path.join(folder, "cache"))
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_journal_path(repo))


def finish(repo: Repo, journal: Journal) -> bool:
    """Bring files and index to a commit that the branch holds; False if it does not hold it.

    A file or an index entry that is no longer as the write saw it is somebody's later work, and
    stays. Raises Failed if a file cannot be written; the journal is kept then.
    """
    _sweep_temporary_files(repo, journal.steps)
    made = _was_made(repo, journal)
    # Under the lock, if it is still there: nobody is to commit what the index holds as yet.
    if made:
        _write_files(repo, journal.steps)
    steps = journal.steps if made else tuple(map(_reverse, journal.steps))
    _settle_index(repo, journal.lock, steps)
    release_lock(repo, journal.lock)
    for name in PRIVATE:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(repo.git_dir, name))
    if made:
        # The index knows nothing yet of the files that were written just now.
        repo.git("update-index", "-q", "--refresh")
    return made


def _was_made(repo: Repo, journal: Journal) -> bool:
    """Whether the branch holds the commit."""
    if not journal.commit:
        return False
    _unlock_branch(repo, journal)
    tip = repo.run("rev-parse", "-q", "--verify", journal.branch, check=False).strip()
    return tip == journal.commit or (bool(tip) and repo.is_ancestor(journal.commit, tip))


def _write_files(repo: Repo, steps: Sequence[JournalStep]) -> None:
    behind = list_unwritten(repo, steps)
    blobs = repo.reader.blobs([step.working[1] for step in behind if step.working[1]])
    failed = worktree.put_in_place(
        worktree.PendingFile(repo.root, step.path, blobs.get(step.working[1])) for step in behind
    )
    if failed:
        raise failed[0]


def list_unwritten(repo: Repo, steps: Sequence[JournalStep]) -> list[JournalStep]:
    """The steps whose files are as a write found them, and not as it leaves them."""
    found = []
    for step in steps:
        before, after = step.working
        data = worktree.read(repo.root, step.path) if before != after else None
        if before != after and ("" if data is None else trees.blob_oid(data)) == before:
            found.append(step)
    return found


def _reverse(step: JournalStep) -> JournalStep:
    """The step back."""
    return step.replace(committed=step.committed[::-1], working=step.working[::-1])


def _settle_index(repo: Repo, lock: str, steps: Sequence[JournalStep]) -> None:
    """Let the index hold what the steps lead to, where it still holds what they come from.

    A lock that is this write's keeps every git from the index, also the one that sets entries:
    that works beside it then.
    """
    held = staged_blobs(repo, [step.path for step in steps])
    behind = [step for step in steps if held.get(step.path, "") == step.committed[0]]
    if not _holds_lock(repo, lock):
        update_index(repo, behind, None, held)
    elif behind:
        index, copy = (os.path.join(repo.git_dir, name) for name in ("index", PRIVATE[0]))
        disk.remove_file(copy)
        with contextlib.suppress(FileNotFoundError):
            os.link(index, copy)
        update_index(repo, behind, copy, held)
        os.replace(copy, index)


def _unlock_branch(repo: Repo, journal: Journal) -> None:
    """Remove what an update-ref left that was killed with its molt.

    It is dead, for it would hold molt's lock. What it locked holds the commit, or nothing: git
    writes into such a lock as soon as it has it, so one that stays empty has no owner.
    """
    from time import sleep

    branch = os.path.join(repo.common_dir, f"{journal.branch}.lock")
    since = os.stat(_journal_path(repo)).st_mtime_ns
    for path in (branch, os.path.join(repo.git_dir, "HEAD.lock")):
        for wait in (0.3, 0.7, 0):
            try:
                with open(path, "rb") as file:
                    held = file.read().strip()
                ours = os.stat(path).st_mtime_ns >= since
            except FileNotFoundError:
                break
            if held == journal.commit.encode() or (ours and not held and not wait):
                os.unlink(path)
                break
            sleep(wait)


def release_lock(repo: Repo, lock: str) -> None:
    """Remove the index.lock of a write, told by its mark from that of anybody else."""
    if _holds_lock(repo, lock):
        os.unlink(_lock_path(repo))


def _lock_path(repo: Repo) -> str:
    return os.path.join(repo.git_dir, "index.lock")


def _holds_lock(repo: Repo, lock: str) -> bool:
    """Whether the index.lock that is there is the one with this mark."""
    try:
        return disk.mark(os.stat(_lock_path(repo))) == lock
    except FileNotFoundError:
        return False


def branch_moved(repo: Repo, tip: str | None, journal: Journal, said: str) -> bool:
    """After a failed update-ref: whether the branch moved to the commit all the same.

    Raises Failed where it stayed for a reason that no second try removes.
    """
    from time import sleep

    branch = journal.branch
    now = repo.run("rev-parse", "-q", "--verify", branch, check=False).strip()
    passing = (".lock", "cannot lock ref", "nonexistent object")
    if now == (tip or "") and not any(words in said for words in passing):
        raise errors.Failed(f"git does not move {branch}: {said.strip()}", "a hook may refuse it")
    sleep(0.01)
    return now == journal.commit


def _sweep_temporary_files(repo: Repo, steps: Sequence[JournalStep]) -> None:
    """Remove temporary files that a killed write left."""
    for step in steps:
        folder, name = os.path.split(os.path.join(repo.root, step.path))
        prefix = f"{name}{disk.MARK}"
        for found in os.listdir(folder) if os.path.isdir(folder) else ():
            if found.startswith(prefix) and found[len(prefix) :].isdigit():
                os.unlink(os.path.join(folder, found))


def staged_blobs(repo: Repo, paths: Sequence[str], index: str = "") -> dict[str, str]:
    """The blob ids that the index holds for some paths, git's own or the file `index`."""
    if not index and (known := _read_blobs(repo, list(paths))) is not None:
        return known
    args = ("--literal-pathspecs", "ls-files", "-s", "-z", "--", *paths)
    # A hook's index is the one of the commit that is being made, not the one on which we build.
    env = {"GIT_INDEX_FILE": index or os.path.join(repo.git_dir, "index")}
    output = repo.git(*args, env=env).require()
    found = {}
    for record in output.text.split("\0"):
        if record:
            meta, _, path = record.partition("\t")
            found[path] = meta.split(" ")[1]
    return found


def _read_blobs(repo: Repo, paths: list[str]) -> dict[str, str] | None:
    """The same of git's own index, where it is plain; it takes no process."""
    with contextlib.suppress(OSError), open(os.path.join(repo.git_dir, "index"), "rb") as file:
        return IndexFile(file.read()).blobs(paths)
    return None


def update_index(
    repo: Repo,
    steps: Sequence[JournalStep],
    index: str | None,
    held: Mapping[str, str],
) -> None:
    """Set the entries of the paths that are still at their old blob, in `index` or in git's.

    `held` is what `staged_blobs` says of the paths.
    """
    rows = []
    for step in steps:
        if held.get(step.path, "") in step.committed:
            oid = step.committed[1]
            rows.append(f"{step.mode if oid else 0:o} {oid or ZERO}\t{step.path}\0")
    if not rows:
        return
    env = {"GIT_INDEX_FILE": index or os.path.join(repo.git_dir, "index")}
    data = "".join(rows).encode("utf-8", "surrogateescape")
    durable = () if index else loose.DURABLE
    output = repo.git(*durable, "update-index", "-z", "--index-info", input=data, env=env)
    if output.status:
        said = output.said.split("\n")[0]
        kind = errors.Busy if "index.lock" in said else errors.Failed
        raise kind(said, "if no git runs here, delete that lock file")
