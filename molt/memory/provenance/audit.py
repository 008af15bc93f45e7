"""The audit log: one line for each file that a commit changed, a pure function of history."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import months
from molt.formats import paths as layout
from molt.memory.provenance import mentions
from molt.memory.provenance.audit_lines import HUSHES, Line, Reading, find_hushed
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.repo.repository import LogCommit, Repo
    from molt.trees import Tree

PATH = layout.AUDIT_LOG
_TIME = len("2026-02-03T14:30Z")
_MONTH = len("2026-02")


class _Cursor(Value):
    """Where the log stands: its last commit, the size of the file and of that of the mentions, the
    critical files for the next commit, the alerts that are pending, and the months of which the
    archive has a digest, so that the log has their lines no more.
    """

    tip: str
    size: int
    named: int
    critical: tuple[str, ...]
    pending: tuple[Line, ...]
    archived: tuple[str, ...] = ()


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
        if repo.tip() == cursor.tip:
            return 0
        reading = Reading(repo)
        reading.resume(cursor.tip, cursor.critical, cursor.pending)
        try:
            latest = _read_latest(repo, oid, paths)
            follows = latest is not None and latest.parents == (cursor.tip,)
            commits = [latest] if latest and follows else list(repo.log_raw("HEAD", cursor.tip))
        except errors.MoltError:
            return _rewrite_log(repo)
        if not _continues_from(cursor.tip, commits) or any(map(_changes_past, commits)):
            return _rewrite_log(repo)
        data, count = _encode_lines(reading.lines(commits), cursor.archived)
        named = mentions.render_mentions(reading.named)
        _append_data(repo, data, named)
        size, more = cursor.size + len(data), cursor.named + len(named)
        _save_cursor(repo, commits[-1].oid, (size, more), reading, cursor.archived)
        return count


def _changes_past(commit: LogCommit) -> bool:
    """Whether a commit takes words out of the lines of others, or lines out of the log."""
    return f"\n{HUSHES}: " in commit.message or any(
        path == layout.AUDIT_ARCHIVE for _, path in commit.paths
    )


def list_archived(tree: Tree) -> tuple[str, ...]:
    """The months (`2026-01`) of which the archive of a tree has a digest, in its order."""
    if tree.entry(layout.AUDIT_ARCHIVE) is None:
        return ()
    return months.list_months(trees.read_text(tree, layout.AUDIT_ARCHIVE))


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


class LogComparison(Value):
    """How many lines the log of history has, and whether the file is that log."""

    lines: int
    same: bool


def compare_log(repo: Repo) -> LogComparison:
    """The log as history gives it, beside the file; nothing is written. Raises Failed."""
    tip = repo.tip()
    reading = Reading(repo, find_hushed(repo))
    archived = list_archived(repo.tree(tip))
    data, count = _encode_lines(reading.lines(repo.log_raw(tip) if tip else ()), archived)
    return LogComparison(count, _read_log(repo) == data)


def rebuild(repo: Repo) -> LogComparison:
    """Write the whole log anew, in one step; gives it beside the file before. Raises Failed."""
    with state.lock(repo.git_dir, "audit"):
        before = _read_log(repo)
        return LogComparison(_rewrite_log(repo), _read_log(repo) == before)


def _read_log(repo: Repo) -> bytes:
    """The file; empty where there is none."""
    try:
        with open(os.path.join(repo.root, PATH), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def read_first(repo: Repo) -> str:
    """The first line of the file, which is of the oldest commit; empty where there is none."""
    try:
        with open(os.path.join(repo.root, PATH), encoding="utf-8", errors="replace") as file:
            return file.readline()
    except FileNotFoundError:
        return ""


def _rewrite_log(repo: Repo) -> int:
    from molt.repo import ignores, worktree

    tip = repo.tip()
    if tip is None:
        return 0
    # Every clone comes by here once, before it has a projection.
    ignores.exclude_projections(repo)
    reading = Reading(repo, find_hushed(repo))
    archived = list_archived(repo.tree(tip))
    data, count = _encode_lines(reading.lines(repo.log_raw(tip)), archived)
    named = mentions.render_mentions(reading.named)
    mentions.write_mentions(repo, named)
    worktree.write(repo.root, PATH, data)
    _save_cursor(repo, tip, (len(data), len(named)), reading, archived)
    return count


def _encode_lines(lines: Iterable[Line], archived: Sequence[str] = ()) -> tuple[bytes, int]:
    """The lines as the file has them, but for those of months that are archived."""
    texts = [line.text for line in lines if not archived or line.time[:_MONTH] not in archived]
    texts.append("")
    return "\n".join(texts).encode("utf-8", "replace"), len(texts) - 1


def _append_data(repo: Repo, data: bytes, named: bytes) -> None:
    try:
        mentions.append_mentions(repo, named)
        with open(os.path.join(repo.root, PATH), "ab", buffering=0) as file:
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
    same = log.st_size == cursor.size and mentions.measure_size(repo) == cursor.named
    return same and log.st_mtime_ns <= mark.st_mtime_ns


_CURSOR = "audit-cursor"
_NEXT = "audit-next"
_FORM = "audit 4"
_ARCHIVED = "archived"


def _load_cursor(repo: Repo) -> _Cursor | None:
    rows = state.read(repo.git_dir, _CURSOR).split("\n")
    try:
        form, tip, size = rows[:3]
        fields = list(map(state.parse_row, rows[3:-2]))
        (named,) = (int(row[1]) for row in fields if row[0] == "named")
        (archived,) = (row[1:] for row in fields if row[0] == _ARCHIVED)
        critical = tuple(row[1] for row in fields if row[0] == "critical")
        flat = iter([field for row in fields if row[0] == "pending" for field in row[1:]])
        pending = tuple(Line(*line) for line in zip(*[flat] * 7, strict=True))
        made = _Cursor(tip, int(size), named, critical, pending, archived)
    except (ValueError, IndexError):
        return None
    return made if form == _FORM and rows[-2:] == ["end", ""] else None


def _render_tail(one: _Cursor) -> str:
    """The lines of a cursor file below its first three."""
    every: list[tuple[str, ...]] = [("named", str(one.named)), (_ARCHIVED, *one.archived)]
    every += [("critical", path) for path in one.critical] + [
        ("pending", *line.asdict().values()) for line in one.pending
    ]
    return "".join(map(state.render_row, every)) + "end\n"


def _save_cursor(
    repo: Repo, tip: str, sizes: tuple[int, int], reading: Reading, archived: tuple[str, ...]
) -> None:
    critical, pending = reading.critical[tip], tuple(reading.pending)
    tail = _render_tail(_Cursor(tip, *sizes, critical, pending, archived))
    state.write(repo.git_dir, _CURSOR, f"{_FORM}\n{tip}\n{sizes[0]}\n{tail}")


def foresee_lines(repo: Repo, commit: LogCommit, owner: str) -> None:
    """Keep what `commit`, which the git process `owner` is about to make, will add to the log,
    all but its id and time, so that the post-commit hook can write it without starting Python.

    Brings the log up first. Nothing is kept for what changes what later commits mean: alerts,
    acknowledgements, the configuration; nor for what names a memory, or changes an entity. Raises
    Failed, Busy.
    """
    cursor = _load_cursor(repo)
    if cursor is None or (cursor.tip,) != commit.parents or not _is_intact(repo, cursor):
        freshen_log(repo)
        cursor = _load_cursor(repo)
    touched = {path for _, path in commit.paths}
    if cursor is None or (cursor.tip,) != commit.parents:
        return
    if _changes_past(commit) or (cursor.archived and os.environ.get("GIT_COMMITTER_DATE")):
        return
    if touched.intersection((*cursor.critical, layout.CONFIG, layout.CHECKSUMS)):
        return
    # The page of the graph follows these, which takes Python anyway.
    if any(path.startswith(layout.ENTITIES) for path in touched):
        return
    reading = Reading(repo)
    reading.critical[cursor.tip] = cursor.critical
    data, _ = _encode_lines(reading.lines([commit]))
    if reading.named:
        return
    rows = [row[_TIME:] for row in data.decode().splitlines(keepends=True)]
    head = f"{cursor.tip} {cursor.size + len(data)} {owner}\n"
    tail = _render_tail(cursor)
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
        return cursor.pending
    tip = repo.tip()
    return alerts_at(repo, tip) if tip else ()


def alerts_at(repo: Repo, rev: str) -> tuple[Line, ...]:
    """`alerts` as they were at a revision. Raises Failed for a bad one."""
    reading = Reading(repo)
    for _ in reading.lines(repo.log_raw(rev)):
        pass
    return tuple(reading.pending)


def pending_at(repo: Repo, rev: str) -> frozenset[str] | None:
    """The files with a pending alert at a revision; None where the log does not lead there.

    Nothing is written: a log that is behind is read on from where it stands.
    """
    cursor = _load_cursor(repo)
    tip = repo.resolve(rev)
    if cursor is None:
        return None
    reading = Reading(repo)
    reading.resume(cursor.tip, cursor.critical, cursor.pending)
    if tip != cursor.tip:
        try:
            commits = list(repo.log_raw(tip, cursor.tip))
        except errors.Failed:
            return None
        if not _continues_from(cursor.tip, commits):
            return None
        for _ in reading.lines(commits):
            pass
    return frozenset(line.file for line in reading.pending)
