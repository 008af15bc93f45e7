"""The audit log: one line for each file that a commit changed, a pure function of history."""

from __future__ import annotations

import os

from molt import config, formats
from molt.formats import message as messages
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.formats.message import Message
    from molt.repo.git import LogCommit, Repo

PATH = "memory/meta/audit.log"
_ACTIONS = {"A": "CREATE", "M": "EDIT", "D": "DELETE", "R": "RENAME"}


class Line(Value):
    """One line: `time` is UTC, `YYYY-MM-DDTHH:MMZ`."""

    time: str
    action: str
    file: str
    actor: str
    approval: str
    summary: str
    commit: str

    @property
    def text(self) -> str:
        """The line as it stands in the file."""
        fields = (self.time, self.action, self.file, self.actor, self.approval, self.summary)
        return " | ".join(_escape(field) for field in fields)


def _escape(field: str) -> str:
    if field.isprintable() and "|" not in field:
        return field
    plain = field.replace("\\", "\\\\").replace("|", "\\|")
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in plain)


def lines(commits: Iterable[LogCommit], critical: Sequence[str]) -> Iterator[Line]:
    """The lines of commits, in their order; a change of a critical file adds an ALERT."""
    for commit in commits:
        message = messages.parse(commit.message)
        action = message.action or "UNSTRUCTURED"
        summary = message.summary or message.subject
        actor = messages.actor(message) or "—"
        approval = messages.approval(message) or "—"
        time = _minute(commit.time)
        about = [path for _, path in commit.paths if path != formats.SCORES]
        for path in about or [path for _, path in commit.paths]:
            yield Line(time, action, path, actor, approval, summary, commit.oid)
            if path in critical and action not in ("INIT", "ACK"):
                text = "Critical file change detected. Pending user acknowledgment."
                yield Line(time, "ALERT", path, "system:audit", "—", text, commit.oid)


def _minute(seconds: int) -> str:
    """UTC minutes of a time in seconds (the civil-from-days algorithm of Howard Hinnant)."""
    days, rest = divmod(seconds, 86_400)
    days += 719_468
    era, day = divmod(days, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year += era * 400 + (month <= 2)
    return f"{year:04}-{month:02}-{date:02}T{rest // 3600:02}:{rest % 3600 // 60:02}Z"


def _cursor_path(repo: Repo) -> str:
    return os.path.join(repo.git_dir, "molt", "audit-cursor")


def bring_up(repo: Repo) -> int:
    """Append the lines of new commits, or write the log anew; gives how many lines were written.

    The cursor holds the last commit and the length of the file; a log that is gone, of another
    length, or of a history that was rewritten is made again.
    """
    tip = repo.run("rev-parse", "-q", "--verify", "HEAD", check=False).strip()
    if not tip:
        return 0
    path = os.path.join(repo.root, PATH)
    size = os.path.getsize(path) if os.path.exists(path) else -1
    known, length = _cursor(repo)
    if known == tip and length == size:
        return 0
    if not known or length != size or not repo.is_ancestor(known, tip):
        return rebuild(repo)
    critical = config.load(repo.tree("HEAD"), repo.cache)[0].policy_critical
    fresh = [line.text for line in lines(repo.log_raw(tip, known), critical)]
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in fresh))
    _save(repo, tip, os.path.getsize(path))
    return len(fresh)


def rebuild(repo: Repo) -> int:
    """Write the whole log anew, in one step; gives the number of lines."""
    tip = repo.resolve("HEAD")
    critical = config.load(repo.tree("HEAD"), repo.cache)[0].policy_critical
    fresh = [line.text for line in lines(repo.log_raw(tip), critical)]
    data = "".join(f"{line}\n" for line in fresh).encode("utf-8", "replace")
    worktree.write(repo.root, PATH, data)
    _save(repo, tip, len(data))
    return len(fresh)


def _cursor(repo: Repo) -> tuple[str, int]:
    try:
        with open(_cursor_path(repo), encoding="ascii") as file:
            oid, length = file.read().split()
    except (OSError, ValueError):
        return "", -1
    return oid, int(length) if length.isdigit() else -1


def _save(repo: Repo, oid: str, length: int) -> None:
    path = _cursor_path(repo)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.{os.getpid()}", "w", encoding="ascii") as file:
        file.write(f"{oid} {length}\n")
    os.replace(f"{path}.{os.getpid()}", path)


def alerts(repo: Repo, rev: str = "HEAD") -> tuple[Line, ...]:
    """The changes of critical files, up to a revision, that no later [ACK] has acknowledged."""
    tip = repo.run("rev-parse", "-q", "--verify", rev, check=False).strip()
    if not tip:
        return ()
    critical = config.load(repo.tree("HEAD"), repo.cache)[0].policy_critical
    pending: dict[str, Line] = {}
    for commit in repo.log_raw(tip):
        message = messages.parse(commit.message)
        for name in acknowledged(message):
            pending.pop(name, None)
        for line in lines((commit,), critical):
            if line.action == "ALERT":
                pending[line.file] = line
    return tuple(pending.values())


def acknowledged(message: Message) -> tuple[str, ...]:
    """The files that a message acknowledges; a person alone can do that."""
    if message.action != "ACK" or messages.actor(message) != "manual":
        return ()
    return messages.get(message, "Acknowledged")


def story(repo: Repo, memory: str, critical: Sequence[str]) -> tuple[Line, ...]:
    """The lines of the commits that name a memory in a Memory-Id trailer, oldest first."""
    named = [
        commit
        for commit in repo.log_raw("HEAD")
        if memory in messages.get(messages.parse(commit.message), "Memory-Id")
    ]
    return tuple(line for line in lines(named, critical) if line.action != "ALERT")
