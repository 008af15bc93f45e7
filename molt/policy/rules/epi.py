"""EPI: the past stays written."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, ids, paths, sections, times
from molt.formats import message as messages
from molt.policy import logs
from molt.policy.engine import (
    Example,
    Fault,
    Judged,
    Rule,
    changed_files,
    find_contenders,
)
from molt.policy.logs import APPENDED, CHANGED, INSERTED, REMOVED, SPACED, Difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.episodes import Episode
    from molt.trees import Entry

_DAY = "memory/episodes/2026-02-02.md"
_TITLE = "# 2026-02-02 — Episode Log\n"
_MARKERS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")
_ENTRY = "\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"
_CORRECT = "leave it as it was and append a correction entry"


def check_append_only(judged: Judged) -> Iterator[Fault]:
    """What is done to the past that may not be done, or not by who does it."""
    for path in _list_changed_logs(judged):
        found = _compare_merged(judged, path) if judged.merge else _compare_edited(judged, path)
        fault = _weigh_difference(judged, path, found)
        if fault is not None and not _is_forgotten(judged, path):
            fault = _forgive_restored(judged, fault)
            if fault is not None:
                yield fault


def _list_changed_logs(judged: Judged) -> list[str]:
    """The logs that are not as they were; of a merge, as any parent has them: one that drops what
    a parent has written changes nothing against another.
    """
    if not judged.merge:
        changed = [one.path for one in judged.changes if one.status != "A"]
    else:
        sides = (trees.diff(parent, judged.new) for parent in judged.context.parents)
        changed = sorted({one.path for side in sides for one in side})
    return [path for path in changed if paths.is_episode_path(path)]


def _compare_edited(judged: Judged, path: str) -> Difference:
    before, after = judged.base.read(path), judged.new.read(path)
    if after is None:
        return _tell_removed(judged, before or b"")
    return logs.compare(before or b"", after)


def _tell_removed(judged: Judged, before: bytes) -> Difference:
    """A log that is gone, and where to, if it is elsewhere."""
    oid = trees.blob_oid(before)
    added = (one for one in judged.changes if one.status == "A" and one.new)
    place = next((one.path for one in added if one.new and one.new.oid == oid), "")
    said = f"the log is moved to {place}" if place else "the log is removed"
    entries = episodes.parse(before.decode("utf-8", "replace"))
    return Difference(REMOVED, 0, said, bool(entries))


def _compare_merged(judged: Judged, path: str) -> Difference:
    """What a merge has done to a log beyond what its parents did."""
    context, after = judged.context, judged.new.read(path)
    contenders = find_contenders(context, path)
    if contenders == (judged.new.entry(path),) or _is_gits_own(judged, path):
        return Difference(APPENDED)
    sides = (parent.read(path) for parent in context.parents)
    present = [data for data in dict.fromkeys(sides) if data is not None]
    if after is None:
        return _tell_removed(judged, max(present, key=len, default=b""))
    if len(contenders) == 1:
        # Only one side has changed it: all else is an edit of that.
        return logs.compare(_read_entry(judged, path, contenders[0]), after)
    own = path.startswith(paths.EPISODES) and any(map(_has_entries, present))
    found = logs.unite(after, present, own=own)
    if found.kind == APPENDED and not after.startswith(_share_start(present)):
        return Difference(SPACED, 1, "line ends, or blanks, of what was there change")
    return found


def _is_gits_own(judged: Judged, path: str) -> bool:
    """Whether git itself has merged a log so, without a conflict.

    Where it merged nothing, the base is a parent: that says nothing of the others.
    """
    result = judged.new.entry(path)
    if judged.context.clean:
        return True
    if result is None or result != judged.base.entry(path) or _is_of_a_parent(judged, path, result):
        return False
    rows = (judged.new.read(path) or b"").split(b"\n")
    return not any(row.startswith(b"<<<<<<< ") for row in rows)


def _read_entry(judged: Judged, path: str, entry: Entry | None) -> bytes:
    """The bytes of a log as the parent has it that has this entry."""
    for parent in judged.context.parents:
        if parent.entry(path) == entry:
            return parent.read(path) or b""
    return b""


def _share_start(sides: list[bytes]) -> bytes:
    """The whole lines that all sides begin with."""
    first = min(sides, key=len, default=b"")
    low, high = 0, len(first)
    while low < high:
        middle = (low + high + 1) // 2
        if all(side.startswith(first[:middle]) for side in sides):
            low = middle
        else:
            high = middle - 1
    return first[: first.rfind(b"\n", 0, low) + 1]


def _has_entries(data: bytes) -> bool:
    return bool(episodes.parse(data.decode("utf-8", "replace")))


def _weigh_difference(judged: Judged, path: str, found: Difference) -> Fault | None:
    """What is wrong with what was done to a log, for who did it; None if nothing is."""
    if found.kind == APPENDED:
        return None
    prose = not path.startswith(paths.EPISODES) or not _held_entries(judged, path)
    if prose and found.kind != REMOVED and _is_draft(judged, path):
        return None
    said = f"{found.said}; episodes are only appended to"
    if not judged.is_person:
        return Fault(path, found.line, said, _CORRECT)
    if found.kind in (SPACED, INSERTED):
        return None
    kept = prose or (found.kind == CHANGED and not found.touched)
    return Fault(path, found.line, said, _CORRECT, soft=kept)


def _held_entries(judged: Judged, path: str) -> bool:
    return any(_has_entries(tree.read(path) or b"") for tree in judged.befores)


def _is_draft(judged: Judged, path: str) -> bool:
    """Whether a log is of the day of the commit, of the day before, or of one to come: the clock
    of who writes it may be in another zone.
    """
    date, today = paths.date_of(path), judged.context.today
    return bool(date and times.is_date(today)) and str(date) >= times.day_before(today)


def _forgive_restored(judged: Judged, fault: Fault) -> Fault | None:
    """The fault, unless a person puts back what was there before; a plain `git revert`, which
    names nobody, is told of.
    """
    if judged.merge:
        # What takes one side whole is as it was there: that drops the other.
        return fault
    restores, message = judged.context.restores, judged.message
    reverts = message is None or message.action == "REVERT"
    plain = message is not None and messages.classify_subject(message.subject) == "revert"
    if fault.soft or restores is None or not (judged.is_person or (plain and not judged.actor)):
        return fault
    entry = judged.new.entry(fault.path)
    # Every log was absent once: to remove one takes it back only where that is what is said.
    if (entry is None and not (reverts or plain)) or not restores(
        fault.path, entry.oid if entry else ""
    ):
        return fault
    return None if judged.is_person else fault.replace(soft=True)


def _is_forgotten(judged: Judged, path: str) -> bool:
    """Whether entries are only taken away, whole, and those that the commit names: what the user
    has asked to forget. Without a message it is not known yet which.
    """
    if judged.merge or judged.actor not in ("manual", "bot:trigger-forget"):
        return False
    message = judged.message
    if message is not None and (message.action, messages.approval(message)) != (
        *("DELETE", "approved"),
    ):
        return False
    before, after = judged.base.read(path), judged.new.read(path)
    if before is None or after is None:
        return False
    gone = _list_gone(before, after)
    if message is None:
        return bool(gone)
    date = paths.date_of(path) or ""
    named = messages.trailer_values(message, "Memory-Id")
    return bool(gone) and all(ids.episode(date, stamp) in named for stamp in gone)


def _list_gone(before: bytes, after: bytes) -> tuple[str, ...]:
    """The times of the entries that were taken away; none where anything else was done."""
    old, new = _split_entries(before), _split_entries(after)
    gone, rest = [], iter([words for _, words in new])
    wanted = next(rest, None)
    for stamp, words in old:
        if words == wanted:
            wanted = next(rest, None)
        elif not stamp:
            return ()
        else:
            gone.append(stamp)
    return tuple(gone) if wanted is None else ()


def _split_entries(data: bytes) -> list[tuple[str, str]]:
    """The text before the first entry, and each entry with the time in its id."""
    content = data.decode("utf-8", "replace")
    rows = content.split("\n")
    entries = episodes.parse(content)
    first = entries[0].start - 1 if entries else len(rows)
    pieces = [("", "\n".join(rows[:first]).rstrip())]
    return pieces + [(one.stamp, "\n".join(rows[one.start - 1 : one.end])) for one in entries]


def _check_entries(judged: Judged) -> Iterator[Fault]:
    for path in _list_written_logs(judged):
        yield from _check_conflict_markers(judged, path)
        if _appends_plainly(judged, path):
            yield from _tell_twins(judged, path)
            continue
        if path.startswith(paths.EPISODES):
            hint = "## HH:MM | TYPE | confidence:LEVEL | tags:[…]"
            for line, why in _find_malformed(judged, path):
                yield Fault(path, line, why, hint, soft=judged.is_person)
            # A rebase can bring an entry to a time that another has taken meanwhile.
            for line, why in _find_taken(judged, path):
                yield Fault(path, line, why, "`molt remember` takes a free one", soft=True)
        yield from _tell_twins(judged, path)


def _tell_twins(judged: Judged, path: str) -> Iterator[Fault]:
    for line, why in _find_twins(judged, path):
        yield Fault(path, line, why, "one log for a day is enough", soft=True)


def _appends_plainly(judged: Judged, path: str) -> bool:
    """Whether all that is new in a log are well-formed entries at its end, of times that nothing
    before says: almost every commit's, and then the rest of the day need not be read again.
    """
    if judged.merge or not path.startswith(paths.EPISODES):
        return False
    before, after = trees.read_text(judged.base, path), trees.read_text(judged.new, path)
    if not before.endswith("\n") or not after.startswith(before) or "\r" in after:
        return False
    # What hides headings in one place may end in another.
    return not sections.may_hide(after) and episodes.is_well_formed(after[len(before) :], before)


def _list_written_logs(judged: Judged) -> list[str]:
    """The logs that a commit itself has written; of a merge those that no parent has so."""
    if not judged.merge:
        return [change.path for change in changed_files(judged, "episode")]
    written = [] if judged.context.clean else _list_changed_logs(judged)
    kept = ((path, judged.new.entry(path)) for path in written)
    return [path for path, entry in kept if entry and not _is_of_a_parent(judged, path, entry)]


def _is_of_a_parent(judged: Judged, path: str, entry: Entry) -> bool:
    return any(parent.entry(path) == entry for parent in judged.context.parents)


def _check_conflict_markers(judged: Judged, path: str) -> Iterator[Fault]:
    """What a merge left to be resolved: once committed, nobody could take it out again."""
    hint = "keep the entries of both sides, without it; a quoted one belongs into a code block"
    content = trees.read_text(judged.new, path)
    if not any(marker in content for marker in _MARKERS):
        return
    rows = content.split("\n")
    known = _known_rows(judged, path)
    for number, (row, quoted) in enumerate(zip(rows, sections.find_fences(rows), strict=True), 1):
        if row.startswith(_MARKERS) and not quoted and row not in known:
            yield Fault(path, number, "a marker of a conflict is left", hint)


def _known_rows(judged: Judged, path: str) -> dict[str, int]:
    """The lines that a log had, and how often; of a merge, all of all sides."""
    known: dict[str, int] = {}
    for tree in judged.befores:
        for row in trees.read_text(tree, path).split("\n"):
            known[row] = known.get(row, 0) + 1
    return known


def _find_malformed(judged: Judged, path: str) -> Iterator[tuple[int, str]]:
    """What is new in a log and no entry; what was there before is nobody's fault now."""
    after = trees.read_text(judged.new, path)
    found = episodes.find_malformed(after)
    if found:
        rows, known = after.split("\n"), _known_rows(judged, path)
        for line, why in found:
            row = rows[line - 1]
            known[row] = known.get(row, 0) - 1
            if known[row] < 0:
                yield line, why
    if not judged.merge:
        yield from _find_loose_text(trees.read_text(judged.base, path), after)


def _find_loose_text(before: str, after: str) -> Iterator[tuple[int, str]]:
    """What is appended to an earlier entry and is none of its own."""
    if not after.startswith(before) or not episodes.parse(before):
        return
    start = before.count("\n") + 1
    rows = after[len(before) :].split("\n")
    number = next((n for n, row in enumerate(rows) if row.strip()), None)
    if number is not None and not rows[number].startswith("## "):
        yield start + number, "text is added to an earlier entry"


def _find_taken(judged: Judged, path: str) -> Iterator[tuple[int, str]]:
    """The entries whose time, by which they are looked for, more have now than in any parent."""
    entries = episodes.parse(trees.read_text(judged.new, path))
    counts = _count_times(entries)
    if len(counts) == len(entries):
        return
    befores = [_count_times(episodes.parse(trees.read_text(tree, path))) for tree in judged.befores]
    seen: dict[str, int] = {}
    for entry in entries:
        time = _full_time(entry.time)
        seen[time] = seen.get(time, 0) + 1
        if seen[time] > max(1, *(before.get(time, 0) for before in befores)):
            told = f"; this one is read as {entry.told}" if entry.told else ""
            yield entry.start, f"an entry has the time {entry.time} already{told}"


def _count_times(entries: Iterable[Episode]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for entry in entries:
        time = _full_time(entry.time)
        counts[time] = counts.get(time, 0) + 1
    return counts


def _full_time(time: str) -> str:
    """A time with its seconds: 09:00 and 09:00:00 are one."""
    return time if len(time) > 5 else f"{time}:00"


def _find_twins(judged: Judged, path: str) -> Iterator[tuple[int, str]]:
    """The new entries whose id an entry has in the other log of the same day."""
    date = paths.date_of(path)
    if date is None:
        return
    here = path.startswith(paths.EPISODES)
    other = f"memory/{date}.md" if here else f"{paths.EPISODES}{date}.md"
    if judged.new.entry(other) is None:
        return
    taken = _count_times(episodes.parse(trees.read_text(judged.new, other)))
    known = [_count_times(episodes.parse(trees.read_text(tree, path))) for tree in judged.befores]
    for entry in episodes.parse(trees.read_text(judged.new, path)):
        time = _full_time(entry.time)
        if time in taken and not any(time in before for before in known):
            yield entry.start, f"{other} has an entry of {entry.time} already"


def _check_dates(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "episode"):
        date, content = paths.date_of(change.path), trees.read_text(judged.new, change.path)
        if date is None:
            if change.status == "A":
                hint = "memory/episodes/YYYY-MM-DD.md"
                yield Fault(change.path, 0, "an episode file is named for a date", hint)
            continue
        titles = [(n, row) for n, row in enumerate(content.split("\n"), 1) if row[:2] == "# "]
        other = [(n, row) for n, row in titles if times.is_date(row[2:12]) and row[2:12] != date]
        known = frozenset(trees.read_text(judged.base, change.path).split("\n") if other else ())
        for number, row in other:
            if row not in known:
                said = row[2:12]
                yield Fault(change.path, number, f"entries of {said}", f"the file of {said}")


RULES = (
    Rule(
        "EPI001",
        "append only",
        "error",
        check_append_only,
        "The past: what happened stays written.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}),
        Example({_DAY: _TITLE + _ENTRY}, {_DAY: _TITLE + _ENTRY.replace("words", "other")}),
    ),
    Rule(
        "EPI002",
        "well-formed entries",
        "error",
        _check_entries,
        "That every entry can be read back.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}, actor="bot:main"),
        Example(
            {_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY.replace("fact", "rumour")}, actor="bot:main"
        ),
    ),
    Rule(
        "EPI003",
        "dated files",
        "warning",
        _check_dates,
        "That a day can be found by its name.",
        Example({}, {_DAY: _TITLE + _ENTRY}),
        Example({}, {"memory/episodes/monday.md": _TITLE + _ENTRY}),
    ),
)
