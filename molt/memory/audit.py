"""The audit log: one line for each file that a commit changed, a pure function of history."""

from __future__ import annotations

import os

from molt import errors
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.memory import pending
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from molt.repo.repository import LogCommit, Repo

PATH = layout.AUDIT_LOG
_TIME = len("2026-02-03T14:30Z")
_ALERT = "Critical file change detected. Pending user acknowledgment."


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
        return _render_row(self._astuple())


Row = tuple[str, str, str, str, str, str, str]
"""The fields of a Line; a rebuild makes a hundred thousand of them."""


def _render_row(row: tuple[str, ...]) -> str:
    fields = row[:6]
    plain = "".join(fields)
    # Almost every line needs no escaping, and one look at all fields tells.
    if not plain.isprintable() or "|" in plain:
        fields = tuple(map(_escape_field, fields))
    return " | ".join(fields)


def _escape_field(field: str) -> str:
    plain = field.replace("\\", "\\\\").replace("|", "\\|") if "|" in field else field
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in plain)


class _Reading:
    """What has to be remembered from commit to commit, oldest first.

    `critical` are the critical files that the configuration of a commit names, by commit id;
    they count for its children: the base decides, and where it holds no configuration there is
    no workspace yet. `pending` are the alerts that no acknowledgement has answered which they
    lead to.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self.critical: dict[str, tuple[str, ...]] = {}
        self.pending: list[Row] = []
        # The commits since histories met or parted last: each leads to all that follow it.
        self._line: set[str] = set()
        self._last = ""
        self._said: dict[str, tuple[str, str]] = {}
        self._days: dict[int, str] = {}

    def resume(self, cursor: _Cursor) -> None:
        """Go on behind what an earlier reading left."""
        self.critical[cursor.tip] = cursor.critical
        self.pending = list(cursor.pending)
        self._line = {row[6] for row in cursor.pending}
        self._last = cursor.tip

    def rows(self, commits: Iterable[LogCommit]) -> Iterator[Row]:
        """The rows of commits, in their order; a change of a critical file adds an ALERT."""
        for commit in commits:
            yield from self._make_rows(commit)

    def _make_rows(self, commit: LogCommit) -> Iterator[Row]:
        action, _, summary, subject = messages.head(commit.message)
        actor, approval = self._parse_actor(commit.message)
        critical = self._find_inherited(commit)
        paths = [path for _, path in commit.paths]
        self.critical[commit.oid] = self._config(commit, critical)
        if commit.parents != (self._last,):
            self._line.clear()
        if action == "ACK":
            self._read_answer(commit.oid, pending.acknowledged(messages.parse(commit.message)))
        row = (action or "UNSTRUCTURED", actor or "—", approval or "—", summary or subject)
        time = self._format_minute(commit.time)
        for path in [path for path in paths if path != layout.SCORES] or paths:
            yield (time, row[0], path, *row[1:], commit.oid)
            if path in critical:
                alert = (time, "ALERT", path, "system:audit", "—", _ALERT, commit.oid)
                # A later change stands for those of the same file that lead to it.
                self._read_answer(commit.oid, (path,))
                self.pending.append(alert)
                yield alert
        self._line.add(commit.oid)
        self._last = commit.oid

    def _read_answer(self, oid: str, files: Collection[str]) -> None:
        """Leave out the alerts of some files that lead to a commit."""
        self.pending = [
            row for row in self.pending if row[2] not in files or not self._leads(row[6], oid)
        ]

    def _leads(self, old: str, new: str) -> bool:
        return old in self._line or self._repo.is_ancestor(old, new)

    def _find_inherited(self, commit: LogCommit) -> tuple[str, ...]:
        """The critical files by the configuration of the parents, those of each of them."""
        for parent in commit.parents:
            if parent not in self.critical:
                self.critical[parent] = self._load_critical(parent)
        if len(commit.parents) == 1:
            return self.critical[commit.parents[0]]
        every = (path for parent in commit.parents for path in self.critical[parent])
        return tuple(dict.fromkeys(every))

    def _config(self, commit: LogCommit, inherited: tuple[str, ...]) -> tuple[str, ...]:
        """The critical files by the configuration that a commit leaves."""
        touched = any(path == layout.CONFIG for _, path in commit.paths)
        # Of a merge, git lists only what differs from all parents.
        if touched or len(commit.parents) > 1:
            return self._load_critical(commit.oid)
        return inherited

    def _load_critical(self, oid: str) -> tuple[str, ...]:
        from molt import config

        tree = self._repo.tree(oid)
        if tree.entry(config.PATH) is None:
            return ()
        return config.load(tree, self._repo.cache)[0].policy_critical

    def _parse_actor(self, text: str) -> tuple[str, str]:
        """Actor and approval; most commits end in a paragraph that was seen before."""
        body, _, tail = text.rpartition("\n\n")
        if not body.strip():
            tail = text
        if tail not in self._said:
            message = messages.parse(f"x\n\n{tail}" if tail is not text else text)
            if len(self._said) > 10_000:
                self._said.clear()
            self._said[tail] = (messages.actor(message), messages.approval(message))
        return self._said[tail]

    def _format_minute(self, seconds: int) -> str:
        day, rest = divmod(seconds, 86_400)
        if day not in self._days:
            self._days[day] = date(day)
        return f"{self._days[day]}T{rest // 3600:02}:{rest % 3600 // 60:02}Z"


def date(days: int) -> str:
    """The date of a day since 1970 (the civil-from-days algorithm of Howard Hinnant)."""
    days += 719_468
    era, day = divmod(days, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year += era * 400 + (month <= 2)
    return f"{year:04}-{month:02}-{date:02}"


def make_lines(repo: Repo, commits: Iterable[LogCommit]) -> Iterator[Line]:
    """The lines of commits, which come oldest first as `Repo.log_raw` gives them."""
    return (Line(*row) for row in _Reading(repo).rows(commits))


class _Cursor(Value):
    """Where the log stands: its last commit, the size of the file, the critical files for the
    next commit, and the alerts that are pending.
    """

    tip: str
    size: int
    critical: tuple[str, ...]
    pending: tuple[Row, ...]


def is_started(repo: Repo) -> bool:
    """Whether there is a log already, which means that there is a workspace."""
    return os.path.exists(state.path(repo.git_dir, _CURSOR))


def freshen_log(repo: Repo, oid: str = "", paths: tuple[str, ...] = ()) -> int:
    """Append the lines of new commits, or write the log anew; gives how many lines were written.

    Who has just made the commit `oid`, and knows the `paths` that it changes, saves git from
    comparing trees.

    The order is that of first parents: a merge brings the lines of its side branch just before
    its own, so that appending and rebuilding give the same bytes. A log that is gone, was
    touched, or belongs to a history that was rewritten is made again. Raises Failed.
    """
    with state.lock(repo.git_dir, "audit"):
        cursor = _load_cursor(repo)
        if cursor is None or not _is_intact(repo, cursor):
            return _rewrite_log(repo)
        reading = _Reading(repo)
        reading.resume(cursor)
        try:
            latest = _read_latest(repo, oid, paths)
            follows = latest is not None and latest.parents == (cursor.tip,)
            commits = [latest] if latest and follows else list(repo.log_raw("HEAD", cursor.tip))
        except errors.MoltError:
            return _rewrite_log(repo)
        if not commits and repo.tip() == cursor.tip:
            return 0
        if not _continues_from(cursor.tip, commits):
            return _rewrite_log(repo)
        data, count = _encode_rows(reading.rows(commits))
        _append_data(os.path.join(repo.root, PATH), data)
        _save_cursor(repo, commits[-1].oid, cursor.size + len(data), reading)
        return count


def _read_latest(repo: Repo, oid: str, paths: tuple[str, ...]) -> LogCommit | None:
    """The commit `oid` as a log would give it, where it is still that of HEAD."""
    if not oid or repo.tip() != oid:
        return None
    found = repo.reader.ask([oid])[0]
    head, _, message = found[2].partition(b"\n\n") if found else (b"", b"", b"")
    rows = head.decode("utf-8", "replace").split("\n")
    fields = [row.partition(" ")[::2] for row in rows]
    if found is None or any(key == "encoding" for key, _ in fields):
        return None
    from molt.repo import repository

    parents = tuple(value for key, value in fields if key == "parent")
    time = int(next(value for key, value in fields if key == "committer").split(" ")[-2])
    text = message.decode("utf-8", "surrogateescape")
    return repository.LogCommit(oid, parents, time, text, tuple(("M", path) for path in paths))


def _continues_from(tip: str, commits: list[LogCommit]) -> bool:
    """Whether the first parents of the newest commit lead to `tip`."""
    first = {commit.oid: next(iter(commit.parents), "") for commit in commits}
    at = commits[-1].oid if commits else ""
    while at in first:
        at = first[at]
    return at == tip


def rebuild(repo: Repo) -> int:
    """Write the whole log anew, in one step; gives the number of lines. Raises Failed."""
    with state.lock(repo.git_dir, "audit"):
        return _rewrite_log(repo)


def _rewrite_log(repo: Repo) -> int:
    from molt.repo import worktree

    tip = repo.tip()
    if tip is None:
        return 0
    reading = _Reading(repo)
    data, count = _encode_rows(reading.rows(repo.log_raw(tip)))
    worktree.write(repo.root, PATH, data)
    _save_cursor(repo, tip, len(data), reading)
    return count


def _encode_rows(rows: Iterable[Row]) -> tuple[bytes, int]:
    texts = [_render_row(row) for row in rows]
    texts.append("")
    return "\n".join(texts).encode("utf-8", "replace"), len(texts) - 1


def _append_data(path: str, data: bytes) -> None:
    try:
        with open(path, "ab", buffering=0) as file:
            file.write(data)
    except OSError as error:
        raise errors.Failed(f"cannot write {PATH}: {error.strerror}") from error


def _is_intact(repo: Repo, cursor: _Cursor) -> bool:
    """Whether nobody touched the log since the cursor was written."""
    try:
        log = os.stat(os.path.join(repo.root, PATH))
        mark = os.stat(state.path(repo.git_dir, _CURSOR))
    except OSError:
        return False
    return log.st_size == cursor.size and log.st_mtime_ns <= mark.st_mtime_ns


_CURSOR = "audit-cursor"
_NEXT = "audit-next"
_FORM = "audit 3"


def _load_cursor(repo: Repo) -> _Cursor | None:
    rows = state.read(repo.git_dir, _CURSOR).split("\n")
    try:
        form, tip, size = rows[:3]
        fields = [tuple(map(state.unescape_field, row.split("\t"))) for row in rows[3:-2]]
        critical = tuple(row[1] for row in fields if row[0] == "critical")
        flat = iter([field for row in fields if row[0] == "pending" for field in row[1:]])
        pending = tuple(zip(*[flat] * 7, strict=True))
        made = _Cursor(tip, int(size), critical, pending)
    except (ValueError, IndexError):
        return None
    return made if form == _FORM and rows[-2:] == ["end", ""] else None


def _render_tail(critical: tuple[str, ...], pending: Iterable[Row]) -> str:
    """The lines of a cursor file below its first three."""
    every = [("critical", path) for path in critical] + [("pending", *row) for row in pending]
    return "".join("\t".join(map(state.escape_field, row)) + "\n" for row in every) + "end\n"


def _save_cursor(repo: Repo, tip: str, size: int, reading: _Reading) -> None:
    tail = _render_tail(reading.critical[tip], reading.pending)
    state.write(repo.git_dir, _CURSOR, f"{_FORM}\n{tip}\n{size}\n{tail}")


def foresee_lines(repo: Repo, commit: LogCommit, owner: str) -> None:
    """Keep what `commit`, which the git process `owner` is about to make, will add to the log,
    all but its id and time, so that the post-commit hook can write it without starting Python.

    Brings the log up first. Nothing is kept for what changes what later commits mean: alerts,
    acknowledgements, the configuration. Raises Failed, Busy.
    """
    cursor = _load_cursor(repo)
    if cursor is None or (cursor.tip,) != commit.parents or not _is_intact(repo, cursor):
        freshen_log(repo)
        cursor = _load_cursor(repo)
    touched = {path for _, path in commit.paths}
    if cursor is None or (cursor.tip,) != commit.parents:
        return
    if touched.intersection((*cursor.critical, layout.CONFIG, layout.CHECKSUMS)):
        return
    reading = _Reading(repo)
    reading.critical[cursor.tip] = cursor.critical
    data, _ = _encode_rows(reading.rows([commit]))
    rows = [row[_TIME:] for row in data.decode().splitlines(keepends=True)]
    head = f"{cursor.tip} {cursor.size + len(data)} {owner}\n"
    tail = _render_tail(cursor.critical, cursor.pending)
    state.write(repo.git_dir, _NEXT, f"{head}{''.join(rows)}.\n{tail}")


def alerts(repo: Repo) -> tuple[Line, ...]:
    """The changes of critical files in HEAD's history that no later [ACK] has acknowledged."""
    try:
        freshen_log(repo)
        cursor = _load_cursor(repo)
    except (errors.MoltError, OSError):
        # A log that cannot be written must not hide an alert.
        cursor = None
    if cursor is not None:
        return tuple(Line(*row) for row in cursor.pending)
    tip = repo.tip()
    return alerts_at(repo, tip) if tip else ()


def alerts_at(repo: Repo, rev: str) -> tuple[Line, ...]:
    """`alerts` as they were at a revision. Raises Failed for a bad one."""
    reading = _Reading(repo)
    for _ in reading.rows(repo.log_raw(rev)):
        pass
    return tuple(Line(*row) for row in reading.pending)


def pending_at(repo: Repo, rev: str) -> frozenset[str] | None:
    """The files with a pending alert at a revision; None where the log does not lead there.

    Nothing is written: a log that is behind is read on from where it stands.
    """
    cursor = _load_cursor(repo)
    tip = repo.resolve(rev)
    if cursor is None:
        return None
    reading = _Reading(repo)
    reading.resume(cursor)
    if tip != cursor.tip:
        try:
            commits = list(repo.log_raw(tip, cursor.tip))
        except errors.Failed:
            return None
        if not _continues_from(cursor.tip, commits):
            return None
        for _ in reading.rows(commits):
            pass
    return frozenset(row[2] for row in reading.pending)


def trace_memory(repo: Repo, memory: str) -> tuple[Line, ...]:
    """The lines of the commits that name a memory in a Memory-Id trailer, oldest first."""
    named = [
        commit
        for commit in repo.log_raw("HEAD")
        if memory in messages.trailer_values(messages.parse(commit.message), "Memory-Id")
    ]
    return tuple(line for line in make_lines(repo, named) if line.action != "ALERT")
