"""A branch that moves when everything else is ready, in two steps.

`prepare` is what takes long: HEAD and the branch are locked, the branch is where it should be,
the new id is on the disk. `commit` is two lines in the reflogs and a rename. The plain case, a
ref in its own file and no hook that wants to know, is done here as git does it (refs/
files-backend.c): another process would have to wake up while the index is locked, and on a busy
machine that takes longer than all the rest. Everything else is one `git update-ref`.
"""

from __future__ import annotations

import contextlib
import errno
import os

from molt import errors
from molt.repo import process
from molt.repo.repository import ZERO
from molt.repo.write import signals
from molt.repo.write.loose import DURABLE
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo


class Target(Value):
    """Where a branch is to go: from the commit `old`, or from nothing, to `new`; `who` (name,
    address and time) and `why` are for the reflog.
    """

    branch: str
    old: str | None
    new: str
    who: str
    why: str


def begin_move(repo: Repo, target: Target) -> PlainMove | GitMove:
    """What will move the branch."""
    return PlainMove(repo, target) if _is_plain(repo, target) else GitMove(repo, target)


def _is_plain(repo: Repo, target: Target) -> bool:
    """Whether there is nothing about the branch that only git knows."""
    hooks = repo.config("core.hooksPath")
    folder = os.path.expanduser(hooks) if hooks else os.path.join(repo.common_dir, "hooks")
    hook = os.path.join(repo.root, folder, "reference-transaction")
    special = (hooks or "").startswith("%") or repo.config("core.sharedRepository")
    if special or repo.configured_hook("reference-transaction") or os.path.lexists(hook):
        return False
    ref = os.path.join(repo.common_dir, target.branch)
    logs = _list_logs(repo, target)
    return not os.path.islink(ref) and os.path.isfile(ref) and all(map(os.path.isfile, logs))


def _list_logs(repo: Repo, target: Target) -> tuple[str, str]:
    own = os.path.join(repo.git_dir, "logs", "HEAD")
    return own, os.path.join(repo.common_dir, "logs", target.branch)


class PlainMove:
    """A branch in its own file, moved by the rules of git, without git."""

    def __init__(self, repo: Repo, target: Target) -> None:
        self._repo = repo
        self._target = target
        self._ref = os.path.join(repo.common_dir, target.branch)
        self._held: list[str] = []

    def prepare(self) -> str:
        """Lock HEAD and the branch; gives why that cannot be, or an empty text."""
        try:
            self._lock(os.path.join(self._repo.git_dir, "HEAD.lock"), b"")
            self._lock(f"{self._ref}.lock", f"{self._target.new}\n".encode())
            with open(self._ref, "rb") as file:
                found = file.read()
        except OSError as error:
            return f"cannot lock ref: unable to create '{error.filename}': {error.strerror}"
        if found != f"{self._target.old}\n".encode():
            return f"cannot lock ref {self._target.branch}: it is at {found[:40]!r}"
        return ""

    def _lock(self, path: str, data: bytes) -> None:
        from time import sleep

        # git itself tries for a tenth of a second.
        for wait in (0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.04, 0.0):
            try:
                file = open(path, "xb")  # noqa: SIM115 it is closed below, and there to be seen
                break
            except FileExistsError:
                if not wait:
                    raise
                sleep(wait)
        self._held.append(path)
        with file:
            file.write(data)
            file.flush()
            if data:
                os.fsync(file.fileno())

    def commit(self) -> str:
        """Move the branch; gives why that failed, or an empty text."""
        one = self._target
        text = f"{one.old} {one.new} {one.who}\t{' '.join(one.why.split())}\n"
        line = text.encode("utf-8", "surrogateescape")
        done: list[tuple[str, int]] = []
        try:
            for path in _list_logs(self._repo, one):
                with open(path, "ab", buffering=0) as file:
                    done.append((path, file.tell()))
                    if file.write(line) != len(line):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
            os.rename(f"{self._ref}.lock", self._ref)
        except OSError as error:
            for path, size in done:
                with contextlib.suppress(OSError):
                    os.truncate(path, size)
            return f"{error.filename}: {error.strerror}"
        self._held.pop()
        return ""

    def close(self) -> None:
        """Unlock what is still locked."""
        for path in reversed(self._held):
            with contextlib.suppress(OSError):
                os.unlink(path)
        self._held.clear()


class GitMove:
    """A branch that `git update-ref` moves; one whose molt is killed takes everything back."""

    def __init__(self, repo: Repo, target: Target) -> None:
        one = target
        self._update = f"start\0update {one.branch}\0{one.new}\0{one.old or ZERO}\0prepare\0"
        args = (*DURABLE, "update-ref", "-m", one.why, "--stdin", "-z")
        # Ctrl-C of a terminal reaches every process, and molt is not to lose this one alone.
        self._git = process.BatchProcess(repo.root, *args, deaf=signals.STOPS)

    def prepare(self) -> str:
        """Make git ready; gives why it is not, or an empty text."""
        return self._say(self._update.encode("utf-8", "surrogateescape"), 2)

    def commit(self) -> str:
        """Move the branch; gives what git said if it did not, or an empty text."""
        return self._say(b"commit\0", 1)

    def close(self) -> None:
        """End git; what is prepared and not committed is taken back."""
        self._git.close()

    def _say(self, words: bytes, answers: int) -> str:
        try:
            self._git.write(words)
            for _ in range(answers):
                self._git.line()
        except errors.Failed:
            return self._git.complaint() or "git update-ref stopped"
        return ""
