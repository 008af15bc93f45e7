"""The journal of one write: enough to finish it, or to see that it never began."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.repo import process, worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.git import Repo

_NAME = "txn"


class Step(Value):
    """One path: blobs of the commit and of the work tree, before and after; "" for no file."""

    path: str
    mode: int
    committed: tuple[str, str]
    working: tuple[str, str]


class Journal(Value):
    """One write: its branch, its commit, the inode of its index.lock, its paths."""

    branch: str
    commit: str
    lock: int
    steps: tuple[Step, ...]


def _path(repo: Repo) -> str:
    return os.path.join(repo.git_dir, "molt", _NAME)


def save(repo: Repo, journal: Journal) -> None:
    """Put the journal down, on the disk itself."""
    lines = [f"{journal.branch}\t{journal.commit}\t{journal.lock}"]
    for step in journal.steps:
        blobs = "\t".join((*step.committed, *step.working))
        lines.append(f"{step.mode:o}\t{blobs}\t{step.path}")
    path = _path(repo)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.new", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join((*lines, "end\n")))
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def load(repo: Repo) -> Journal | None:
    """The journal of an unfinished write; None if there is none. Raises Failed for a broken one.

    A journal appears by a rename, so a write never leaves half of one: what does not parse was
    damaged later, and what it knew of an unfinished write is lost.
    """
    try:
        with open(_path(repo), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except FileNotFoundError:
        return None
    try:
        return _parse(text)
    except (ValueError, errors.Usage):
        raise errors.Failed(
            f"{_path(repo)} is damaged", "`molt doctor --fix` sets it aside; then see `git status`"
        ) from None


def _parse(text: str) -> Journal:
    lines = text.split("\n")
    if lines[-2:] != ["end", ""]:
        raise ValueError(text)
    branch, commit, lock = lines[0].split("\t")
    steps = []
    for line in lines[1:-2]:
        mode, old, new, before, after, path = line.split("\t", 5)
        steps.append(Step(worktree.safe_path(path), int(mode, 8), (old, new), (before, after)))
    return Journal(branch, commit, int(lock), tuple(steps))


def set_aside(repo: Repo) -> str:
    """Move a damaged journal out of the way; gives its new place."""
    os.replace(_path(repo), f"{_path(repo)}.damaged")
    return f"{_path(repo)}.damaged"


def clear(repo: Repo) -> None:
    """The write is over."""
    try:
        os.unlink(_path(repo))
    except FileNotFoundError:
        return


def finish(repo: Repo, journal: Journal) -> bool:
    """Bring files and index to a commit that its branch holds; False if it holds it not.

    A file or an index entry that is no longer what the write had seen is somebody's later
    work, and stays.
    """
    lock = os.path.join(repo.git_dir, "index.lock")
    if os.path.exists(lock) and os.stat(lock).st_ino == journal.lock:
        os.unlink(lock)
    _sweep(repo, journal.steps)
    if not journal.commit:
        return False
    tip = repo.run("rev-parse", "-q", "--verify", journal.branch, check=False).strip()
    done = bool(tip) and (tip == journal.commit or repo.is_ancestor(journal.commit, tip))
    if not done:
        return False
    wanted = [oid for step in journal.steps for oid in step.working if oid]
    blobs = repo.reader.blobs(wanted)
    for step in journal.steps:
        data = worktree.read(repo.root, step.path)
        if ("" if data is None else trees.blob_oid(data)) == step.working[0]:
            worktree.write(repo.root, step.path, blobs.get(step.working[1]))
    update_index(repo, journal.steps, None)
    return True


def moved(repo: Repo, branch: str, tip: str | None, oid: str, said: str) -> bool:
    """After a failed update-ref: whether the branch moved to the commit all the same.

    Raises Failed where it stayed for a reason that no second try removes.
    """
    from time import sleep

    now = repo.run("rev-parse", "-q", "--verify", branch, check=False).strip()
    if now == (tip or "") and ".lock" not in said and "cannot lock ref" not in said:
        raise errors.Failed(f"git does not move {branch}: {said.strip()}", "a hook may refuse it")
    sleep(0.01)
    return now == oid


def _sweep(repo: Repo, steps: Sequence[Step]) -> None:
    """Remove temporary files that a killed write left."""
    for step in steps:
        folder, name = os.path.split(os.path.join(repo.root, step.path))
        prefix = f"{name}.molt-"
        for found in os.listdir(folder) if os.path.isdir(folder) else ():
            if found.startswith(prefix) and found[len(prefix) :].isdigit():
                os.unlink(os.path.join(folder, found))


def staged(repo: Repo, paths: Sequence[str]) -> dict[str, str]:
    """The blob ids that the index holds for some paths."""
    out = process.git(repo.root, "--literal-pathspecs", "ls-files", "-s", "-z", "--", *paths)
    found = {}
    for record in out.decode("utf-8", "surrogateescape").split("\0"):
        if record:
            meta, _, path = record.partition("\t")
            found[path] = meta.split(" ")[1]
    return found


def update_index(repo: Repo, steps: Sequence[Step], index: str | None) -> None:
    """Set the entries of the paths that are still at their old blob, in `index` or in git's."""
    held = staged(repo, [step.path for step in steps])
    rows = []
    for step in steps:
        if held.get(step.path, "") in step.committed:
            mode, oid = (
                (f"{step.mode:o}", step.committed[1]) if step.committed[1] else ("0", "0" * 40)
            )
            rows.append(f"{mode} {oid}\t{step.path}\0")
    env = {"GIT_INDEX_FILE": index} if index else None
    data = "".join(rows).encode("utf-8", "surrogateescape")
    process.run(
        (*process.GIT, "update-index", "-z", "--index-info"), input=data, env=env, cwd=repo.root
    )
