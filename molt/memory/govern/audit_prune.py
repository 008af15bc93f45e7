"""The audit log is kept short: a month that is long over becomes a digest in the archive.

History is the record, and `molt log` reads that; the file is for reading and grep. Which months
have left it stands in the archive of the last commit, so that the log made anew has the same lines.
"""

from __future__ import annotations

from datetime import timedelta

from molt import trees
from molt.formats import message as messages
from molt.formats import months, paths, times
from molt.formats.reflections import histories
from molt.formats.reflections.histories import Digest
from molt.formats.reflections.refs import RECORDS
from molt.memory.provenance import audit, audit_lines
from molt.memory.provenance.audit_lines import ALERT, Line
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

ACTOR = "system:audit"
_EVENTS = 20  # rows that are named; the others are counted
_NOTABLE = {
    "INIT": "the workspace was made",
    "IMPORT": "an import",
    "REVERT": "something was taken back",
    "DELETE": "something was deleted",
    ALERT: "{} changed",
}
_DECIDED = ("approved", "partial", "rejected", "reverted")


def prune_log(ws: Workspace, now: datetime, *, dry_run: bool = False) -> Written[tuple[str, ...]]:
    """Put the months that ended before the retention (`audit.retention_days`) into the archive, in
    one commit; gives them.

    The same history at the same day gives the same bytes. Raises what a commit does.
    """
    last = _find_last(ws, now)

    def make_change(tree: Tree) -> Change[tuple[str, ...]]:
        known = audit.list_archived(tree)
        by_month: dict[str, list[Line]] = {}
        for line in audit_lines.make_lines(ws.repo, ws.repo.log_raw("HEAD")):
            by_month.setdefault(line.time[:7], []).append(line)
        old = [
            month
            for month in sorted(by_month)
            if month not in known and f"{months.next_month(month)}-01" <= last
        ]
        text = trees.read_strict(tree, paths.AUDIT_ARCHIVE)
        for month in old:
            text = histories.append_digest(text or None, make_digest(month, by_month[month]))
        edits: Edits = {paths.AUDIT_ARCHIVE: text.encode()} if old else {}
        action = "CREATE" if tree.entry(paths.AUDIT_ARCHIVE) is None else "APPEND"
        said = f"{', '.join(old[:3])}{' and more' * (len(old) > 3)} left the log"
        by = messages.Provenance(ACTOR, "auto", "molt audit prune")
        message = messages.render(action, paths.AUDIT_ARCHIVE, said, by) if old else ""
        return Change(edits, message, tuple(old))

    return ws.commit(make_change, dry_run=dry_run, actor=ACTOR)


def _find_last(ws: Workspace, now: datetime) -> str:
    """The last day on which a month may begin for the one before it to leave the log."""
    return (now - timedelta(days=ws.config.audit_retention_days)).strftime("%Y-%m-%d")


def keep_retention(ws: Workspace, now: datetime) -> tuple[str, ...]:
    """Do so where the log has such a month, which its first line shows: to read all of history each
    night would be in vain. Gives the months. Raises what a commit does.
    """
    audit.freshen_log(ws.repo)
    first = audit.read_first(ws.repo)[:7]
    if not times.is_date(f"{first}-01") or f"{months.next_month(first)}-01" > _find_last(ws, now):
        return ()
    return prune_log(ws, now).made


def make_digest(month: str, lines: Sequence[Line]) -> Digest:
    """A month of the log in a few lines. It says of what there was how much, and repeats no words:
    what is forgotten later must not stand here.
    """
    changes = [line for line in lines if line.action != ALERT]
    files = {line.file for line in changes}
    decided = {
        line.commit: line.approval
        for line in changes
        if line.file.startswith(RECORDS) and line.approval in _DECIDED
    }
    counts = [list(decided.values()).count(word) for word in _DECIDED[:3]]
    told = ", ".join(f"{n:,} {word}" for n, word in zip(counts, _DECIDED, strict=False))
    alerts = sum(line.action == ALERT for line in lines)
    decays = sum(line.action == "DECAY" for line in lines)
    archived = len({line.commit for line in lines if line.action == "ARCHIVE"})
    summary = (
        f"{_count(len(changes), 'total mutation')} across {_count(len(files), 'file')}",
        f"{_count(len(decided), 'reflection session')} ({told})",
        _count(alerts, "critical file change"),
        f"{_count(decays, 'decay transition')}, {_count(archived, 'archival event')}",
    )
    return Digest(month, summary, tuple(_list_events(lines)))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _list_events(lines: Sequence[Line]) -> list[str]:
    found: dict[tuple[str, str], int] = {}
    for line in lines:
        said = _NOTABLE.get(line.action, "").format(line.file)
        if line.file.startswith(RECORDS) and line.approval in _DECIDED:
            name = line.file.removeprefix(RECORDS).removesuffix(".md")
            said = f"reflection {name} {line.approval}"
        if line.action == "CREATE" and line.file.startswith(paths.ENTITIES):
            said = "new entities"
        if said:
            key = line.time[:10], said
            found[key] = found.get(key, 0) + 1
    rows = [f"{day}: {said}{f' ({n:,})' * (n > 1)}" for (day, said), n in found.items()]
    rest = len(rows) - _EVENTS
    return rows[:_EVENTS] + [f"and {rest:,} more"] * (rest > 0)
