"""Edits become a commit: policy, compare-and-swap, files, index; all of it or nothing."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.repo import journal, process, worktree
from molt.repo.journal import Journal, Step
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO

    from molt.policy import Context, Finding
    from molt.repo.git import Head, Repo
    from molt.trees import Edits, Tree

    MakeEdits = Callable[[Tree], Edits]
    MakeMessage = Callable[[Tree, Edits], str]

ZERO = "0" * 40
MAINTAIN_EVERY = 50


class Written(Value):
    """What a transaction did: the commit (None where nothing changed or nothing was to be
    written), the paths, the message, and the warnings of the policy.
    """

    oid: str | None
    paths: tuple[str, ...]
    message: str
    findings: tuple[Finding, ...]


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
    Nothing has changed after any of them.
    """
    from time import monotonic

    end = monotonic() + deadline
    with _Lock(repo, end):
        recover_locked(repo)
        while True:
            done = _attempt(repo, make_edits, message, context, dry_run=dry_run, end=end)
            if done is not None:
                return done
            if monotonic() > end:
                raise errors.Busy(
                    "the branch moved or was locked on every try",
                    "try again; `molt doctor` finds stale locks",
                )


def recover(repo: Repo) -> bool | None:
    """Finish an interrupted write: True rolled forward, False never began, None there is none."""
    from time import monotonic

    if journal.load(repo) is None:
        return None
    with _Lock(repo, monotonic() + 10):
        return recover_locked(repo)


def recover_locked(repo: Repo) -> bool | None:
    """`recover`, for who holds the lock: its owner is dead, for the kernel freed it."""
    found = journal.load(repo)
    if found is None:
        return None
    forward = journal.finish(repo, found)
    journal.clear(repo)
    return forward


class _Lock:
    """One molt at a time in this work tree; the kernel frees it when its owner dies."""

    def __init__(self, repo: Repo, end: float) -> None:
        self._path = os.path.join(repo.git_dir, "molt.lock")
        self._end = end
        self._file: IO[bytes] | None = None

    def __enter__(self) -> None:
        import fcntl
        from time import monotonic, sleep

        try:
            self._file = open(self._path, "ab")
        except OSError as error:
            raise errors.Failed(f"cannot write in {self._path}: {error.strerror}") from error
        wait = 0.001
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if monotonic() > self._end:
                    self._file.close()
                    raise errors.Busy("another molt is writing here", "try again") from None
                sleep(wait)
                wait = min(wait * 1.5, 0.02)

    def __exit__(self, *_exception: object) -> None:
        if self._file is not None:
            self._file.close()


def _attempt(
    repo: Repo,
    make_edits: MakeEdits,
    message: MakeMessage,
    context: Context,
    *,
    dry_run: bool,
    end: float,
) -> Written | None:
    from molt import policy

    head = _writable(repo)
    branch, tip = str(head.branch), head.commit
    base = repo.tree(tip)
    edits = _real(base, make_edits(base))
    if not edits:
        return Written(None, (), "", ())
    for path in edits:
        worktree.safe_path(path)
    text = message(base, edits)
    new = trees.Overlay(base, edits)
    findings = policy.evaluate(base, new, text, context)
    if any(finding.severity == "error" for finding in findings):
        raise errors.Refused("the policy refuses this", findings=findings)
    if dry_run:
        return Written(None, tuple(sorted(edits)), text, findings)
    name, mail = repo.identity()
    with _IndexLock(repo, end) as index:
        # Only now does git hold still: a switch or a merge may have come before the lock.
        if _writable(repo) != head:
            return None
        steps = _steps(repo, base, edits, make_edits)
        tree = new_tree(repo, tip, edits)
        oid = _write_commit(repo, tree, tip, text, (name, mail))
        journal.save(repo, Journal(branch, oid, index.inode, steps))
        index.prepare(steps)
        subject = text.split("\n", 1)[0]
        args = ("update-ref", "-m", f"molt: {subject}", branch, oid, tip or ZERO)
        status, _, said = process.call((*process.GIT, *_DURABLE, *args), cwd=repo.root)
        if status and not journal.moved(repo, branch, tip, oid, said.decode("utf-8", "replace")):
            return None
        index.moved = True
        for step in steps:
            data = repo.reader.blobs([step.working[1]]) if step.working[1] else {}
            worktree.write(repo.root, step.path, data.get(step.working[1]))
        index.publish()
    journal.clear(repo)
    return Written(oid, tuple(sorted(edits)), text, findings)


_DURABLE = ("-c", "core.fsync=committed", "-c", "core.fsyncMethod=fsync")


def _real(base: Tree, edits: Edits) -> Edits:
    return {path: data for path, data in edits.items() if base.read(path) != data}


def _writable(repo: Repo) -> Head:
    head = repo.head()
    if head.state:
        hint = f"finish it, or `git {head.state} --abort`"
        raise errors.Failed(f"a {head.state} is in progress", hint)
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


def _steps(repo: Repo, base: Tree, edits: Edits, make_edits: MakeEdits) -> tuple[Step, ...]:
    """What each path was and becomes. Raises Failed where a person's work is in the way."""
    held = journal.staged(repo, list(edits))
    on_disk = {path: worktree.read(repo.root, path) for path in edits}
    theirs: Edits = {}
    for path, data in edits.items():
        before = base.entry(path)
        untouched = on_disk[path] == base.read(path)
        expected = (before.oid if before else "", _oid(data))
        if held.get(path, "") not in expected and not (untouched and _stale(repo, path, held)):
            raise errors.Failed(
                f"{path} is staged with other content", "commit it, or `git restore --staged` it"
            )
        if on_disk[path] not in (base.read(path), data):
            theirs[path] = on_disk[path]
    working = dict(edits)
    if theirs:
        again = _twice(base, theirs, make_edits)
        working.update({path: again[path] for path in theirs})
    return tuple(
        Step(
            path,
            entry.mode if (entry := base.entry(path)) else trees.REGULAR,
            (held.get(path, ""), _store(repo, edits[path])),
            (_oid(on_disk[path]), _store(repo, working[path])),
        )
        for path in sorted(edits)
    )


def _stale(repo: Repo, path: str, held: Mapping[str, str]) -> bool:
    """Whether the index holds an earlier commit's version of a file that is as HEAD has it.

    git commit reads the index before it locks it, so a commit that loses the race for the
    branch can put an old entry back over the one that a write has just published.
    """
    if path not in held:
        return False
    args = ("log", "-20", "--format=", "--raw", "--no-abbrev", "--no-renames", "HEAD", "--", path)
    return held[path] in repo.run(*args)


def _twice(base: Tree, theirs: Edits, make_edits: MakeEdits) -> Mapping[str, bytes | None]:
    """The same change on top of what a person has not committed."""
    names = ", ".join(sorted(theirs))
    problem = errors.Failed(
        f"{names}: uncommitted edits, and this change does not apply to them",
        "commit or stash them first",
    )
    if any(data is None for data in theirs.values()):
        raise problem
    try:
        again = make_edits(trees.Overlay(base, theirs))
    except errors.MoltError as error:
        raise problem from error
    if any(again.get(path) is None for path in theirs):
        raise problem
    return again


def _oid(data: bytes | None) -> str:
    return "" if data is None else trees.blob_oid(data)


def _store(repo: Repo, data: bytes | None) -> str:
    return "" if data is None else repo.write_blob(data)


def new_tree(repo: Repo, tip: str | None, edits: Edits) -> str:
    """The id of the tree with the edits; only the folders that they touch are rewritten.

    Raises Failed where a folder of a path is a file, a link or a submodule in the base.
    """
    nested: dict[str, dict[str, bytes | None] | bytes | None] = {}
    for path, data in edits.items():
        head, slash, rest = path.partition("/")
        if slash:
            inner = nested.setdefault(head, {})
            if not isinstance(inner, dict):
                raise errors.Failed(f"{head} cannot be a file and a folder")
            inner[rest] = data
        elif head in nested:
            raise errors.Failed(f"{head} cannot be a file and a folder")
        else:
            nested[head] = data
    out = process.git(repo.root, "ls-tree", "-z", tip) if tip else b""
    rows = {}
    for record in out.split(b"\0"):
        if record:
            meta, _, raw = record.partition(b"\t")
            rows[raw.decode("utf-8", "surrogateescape")] = meta.decode()
    for top, inside in nested.items():
        _place(repo, rows, top, inside)
    listed = "".join(f"{meta}\t{name}\0" for name, meta in rows.items())
    encoded = listed.encode("utf-8", "surrogateescape")
    made = process.run((*process.GIT, "mktree", "-z"), input=encoded, cwd=repo.root)
    return made.decode().strip()


def _place(
    repo: Repo, rows: dict[str, str], name: str, inner: Mapping[str, bytes | None] | bytes | None
) -> None:
    old = rows.get(name, "")
    if isinstance(inner, dict):
        if old and not old.startswith("040000"):
            raise errors.Failed(f"{name} is no folder in the last commit")
        sub = new_tree(repo, old.split(" ")[2] if old else None, dict(inner))
        if sub == "4b825dc642cb6eb9a060e54bf8d69288fbee4904":
            rows.pop(name, None)
        else:
            rows[name] = f"040000 tree {sub}"
    elif inner is None:
        rows.pop(name, None)
    else:
        mode = old.split(" ")[0] if old.startswith("100") else "100644"
        rows[name] = f"{mode} blob {repo.write_blob(bytes(inner))}"  # type: ignore[arg-type]


def _write_commit(repo: Repo, tree: str, tip: str | None, text: str, who: tuple[str, str]) -> str:
    if "\0" in text or any(char in part for part in who for char in "\n\0<>"):
        raise errors.Failed("a commit message or identity with a control character")
    args = ("commit-tree", tree, *(("-p", tip) if tip else ()), "-F", "-")
    return (
        process.run((*process.GIT, *_DURABLE, *args), input=text.encode(), cwd=repo.root)
        .decode()
        .strip()
    )


class _IndexLock:
    """git's own index.lock: while it is held, no git command changes the index."""

    def __init__(self, repo: Repo, end: float) -> None:
        self._repo = repo
        self._index = os.path.join(repo.git_dir, "index")
        self._lock = f"{self._index}.lock"
        self._end = end
        self._held = False
        self.moved = False
        self.inode = 0

    def __enter__(self) -> _IndexLock:
        from time import monotonic, sleep

        # The lock appears by a link to a file that the journal names already, so that a write
        # which is killed right here leaves a lock whose owner can be told.
        private = f"{self._index}.molt-lock"
        try:
            os.close(os.open(private, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o666))
        except OSError as error:
            raise errors.Failed(f"cannot lock the index: {error.strerror}") from error
        self.inode = os.stat(private).st_ino
        journal.save(self._repo, Journal("", "", self.inode, ()))
        wait = 0.001
        while True:
            try:
                os.link(private, self._lock)
                break
            except FileExistsError:
                if monotonic() > self._end:
                    journal.clear(self._repo)
                    raise errors.Busy(
                        f"{self._lock} is held by git",
                        "close the editor of an open `git commit`; `molt doctor` finds stale locks",
                    ) from None
                sleep(wait)
                wait = min(wait * 2, 0.03)
        os.unlink(private)
        self._held = True
        return self

    def prepare(self, steps: tuple[Step, ...]) -> None:
        """Put the index as it will be into the lock file."""
        private = f"{self._index}.molt"
        for name in (private, f"{private}.lock"):
            if os.path.exists(name):
                os.unlink(name)
        if os.path.exists(self._index):
            with open(self._index, "rb") as source, open(private, "wb") as target:
                target.write(source.read())
        journal.update_index(self._repo, steps, private)
        with open(private, "rb") as source, open(self._lock, "r+b") as target:
            target.write(source.read())
            target.flush()
            os.fsync(target.fileno())
        os.unlink(private)

    def publish(self) -> None:
        """The lock file becomes the index, in one rename."""
        os.replace(self._lock, self._index)
        self._held = False

    def __exit__(self, *_exception: object) -> None:
        if self._held:
            os.unlink(self._lock)
        if not self.moved:
            journal.clear(self._repo)


def leftovers(repo: Repo) -> Iterator[str]:
    """Lock files of git and molt that are there now."""
    for name in ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock"):
        if os.path.exists(os.path.join(repo.git_dir, name)):
            yield name
