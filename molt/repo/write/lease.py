"""A person commits: the sign of it that git's hooks leave, and how writes give way.

git reads HEAD when a commit begins and refuses to move a branch that is elsewhere when it ends,
so a memory that is written in between costs the person the commit. The hooks therefore leave
the process of their git in a file, until it has committed or is gone, and writes wait for it.
"""

from __future__ import annotations

import os

from molt import errors
from molt.repo import disk, process, state
from molt.repo.write import news
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo
    from molt.repo.write.journal import JournalStep

NAME = "lease"
# An editor that is left open for longer is forgotten, and an agent must not be mute for days.
_OPEN = 600.0  # seconds
# What is no git that can be seen, as where a graphical program runs the hooks, may live for ever.
_UNKNOWN = 3.0
# From `git add` over the start of `git commit` to its first hook, in times of what starting a git
# takes now: some 5 ms on a quiet machine, ten times that on a busy one.
_ADDED, _LEAST, _MOST = 20, 0.15, 1.5
# Whatever changes the index for that many times as long is no person who is about to commit.
_PATIENCE = 3
_KEPT = 100  # files of a write
SILENT = 1.5
"""For how many seconds nobody is told what a write waits for; a commit takes a tenth of one."""
# Who changed the index so many seconds ago may be about to commit again.
_COMPANY = 2
_SECOND = 1_000_000_000  # nanoseconds


class WriteTurn:
    """A write that has its turn: the lock that it holds, until when it may try (in seconds of
    `monotonic`), how many tries were lost, what git said to the last one, what the write before
    it has published, how many seconds it takes to start a git, what it has published itself, and
    whether somebody was told what it waits for.
    """

    def __init__(self, lock: state.lock, end: float) -> None:
        self.lock = lock
        self.end = end
        self.lost = 0
        self.said = ""
        self.last = Published.parse(lock.noted)
        self.pace = self.last.pace
        self.made: Published | None = None
        self.told = False
        self._until = 0.0

    @property
    def soon(self) -> float:
        """How many seconds after a change of the index a commit may still begin."""
        return min(max(_LEAST, _ADDED * self.pace), _MOST)

    @property
    def patient(self) -> bool:
        """Whether it has not waited long yet for what may come of changes of the index."""
        from time import monotonic

        now = monotonic()
        self._until = self._until or now + _PATIENCE * self.soon
        return now < self._until


class Published(Value):
    """What a write has put in place: the `mark` of the index, and of each path the blob that the
    index held before, the one of the commit, and the path; "" for no file. And its `pace`.
    """

    mark: str
    pace: float
    entries: tuple[tuple[str, str, str], ...]

    @classmethod
    def parse(cls, text: str) -> Published:
        """What `render` gave; of anything else, nothing."""
        (mark, _, pace), *rows = (
            line.partition("\t") for line in text.removesuffix("\n").split("\n")
        )
        parts = [(old, *rest.partition("\t")[::2]) for old, _, rest in rows]
        return cls(mark, int(pace) / 1e6 if pace.isdigit() else 0.0, tuple(parts))

    def render(self) -> str:
        """As text; a write of very many files keeps some of them."""
        rows = ("\t".join(entry) for entry in self.entries[:_KEPT])
        return "\n".join((f"{self.mark}\t{self.pace * 1e6:.0f}", *rows, ""))


def wait(repo: Repo, turn: WriteTurn) -> None:
    """Wait until nobody is committing. Raises Busy at the end of the turn."""
    from time import monotonic, sleep

    start = monotonic()
    while (busy := _find_obstacle(repo, turn)) is not None:
        now = monotonic()
        if now > turn.end:
            raise busy
        if now - start > SILENT and not turn.told:
            turn.told = True
            news.tell_waiting(f"waiting up to {turn.end - now:.0f} s: {busy.message}; {busy.hint}")
        # A commit takes some 80 ms, but an editor stays open for minutes.
        sleep(0.004 if now - start < 1 else 0.03)


def claimed(repo: Repo, turn: WriteTurn) -> bool:
    """Whether somebody is committing, or is about to."""
    owner, ended = _find_owner(repo, turn)
    return bool(owner) or (_was_changed(repo, turn, ended) and turn.patient)


def _find_obstacle(repo: Repo, turn: WriteTurn) -> errors.Busy | None:
    lock = os.path.join(repo.git_dir, "index.lock")
    if os.path.exists(lock):
        return errors.Busy(
            f"{lock} is held by git",
            "close the editor of an open `git commit`; `molt doctor` finds stale locks",
        )
    owner, ended = _find_owner(repo, turn)
    if owner:
        return errors.Busy(
            f"a commit is being made in {repo.root} (git, process {owner})",
            "close its editor and try again; nothing was written",
        )
    if _was_changed(repo, turn, ended) and turn.patient:
        return errors.Busy(f"git has just changed the index of {repo.root}", "try again")
    return None


def _find_owner(repo: Repo, turn: WriteTurn) -> tuple[int, int]:
    """The process that is committing, or 0, and when the last one that was has ended."""
    path = state.path(repo.git_dir, NAME)
    text = state.read(repo.git_dir, NAME)
    try:
        since = os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0, 0
    pid, start, head = (*text.split(), "", "", "")[:3]
    # Where HEAD has moved, it has committed, or will be refused.
    if not pid.isdigit() or head not in ("", "-", _read_head(repo) or head):
        return 0, since
    known = _is_git(int(pid), start)
    age = (turn.lock.clock() - since) / _SECOND
    if known is None or age > (_OPEN if known else _UNKNOWN):
        return 0, since
    if os.environ.get("MOLT_GIT") == pid:
        raise errors.Failed(
            "a hook of a commit cannot write memories: the commit would fail",
            "write them from post-commit, or from outside",
        )
    return int(pid), since


def _read_head(repo: Repo) -> str:
    """The commit of HEAD, where that is plain to see; empty where git must tell."""
    try:
        with open(os.path.join(repo.git_dir, str(repo.branch())), encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _is_git(pid: int, start: str) -> bool | None:
    """Whether a process is a git; None if it is gone, or is not the one that began at `start`."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            name, _, rest = file.read().decode("utf-8", "replace").rpartition(") ")
    except OSError:
        return _ask_ps(pid) if not os.path.exists("/proc/self/stat") else None
    words = rest.split(" ")
    if words[0] == "Z" or start not in ("", "-", words[19]):
        return None
    return name.partition("(")[2].startswith("git")


def _ask_ps(pid: int) -> bool | None:
    """`_is_git` where the kernel shows processes to `ps` alone."""
    try:
        os.kill(pid, 0)
    except OSError:
        return None
    status, out, _ = process.call(("ps", "-o", "stat=,comm=", "-p", str(pid)))
    state_, _, name = out.decode("utf-8", "replace").strip().partition(" ")
    if status or state_.startswith("Z"):
        return None
    return os.path.basename(name.strip()).startswith("git")


def _was_changed(repo: Repo, turn: WriteTurn, ended: int) -> bool:
    """Whether git has changed its index a moment ago, and no commit has ended since."""
    try:
        found = os.stat(os.path.join(repo.git_dir, "index"))
    except FileNotFoundError:
        return False
    if found.st_mtime_ns <= ended or disk.mark(found) == turn.last.mark:
        return False
    return 0 <= turn.lock.clock() - found.st_mtime_ns < turn.soon * _SECOND


def find_company(repo: Repo, turn: WriteTurn) -> bool:
    """Whether git was at work here within the last seconds."""
    try:
        found = os.stat(os.path.join(repo.git_dir, "index"))
    except FileNotFoundError:
        return False
    strange = disk.mark(found) != turn.last.mark
    lately = abs(turn.lock.clock() - found.st_mtime_ns) < _COMPANY * _SECOND
    return strange and lately


def index_mark(repo: Repo) -> str:
    """The `mark` of git's index; empty where there is none."""
    try:
        return disk.mark(os.stat(os.path.join(repo.git_dir, "index")))
    except FileNotFoundError:
        return ""


def note_published(repo: Repo, turn: WriteTurn, steps: Sequence[JournalStep]) -> None:
    """Note that the index is as a write has left it, and what that was."""
    mark = index_mark(repo)
    entries = tuple((*one.committed, one.path) for one in steps)
    turn.made = Published(mark, turn.pace, entries)
    turn.lock.note(turn.made.render())
