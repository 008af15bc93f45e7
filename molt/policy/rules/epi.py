"""EPI: the past stays written."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, paths, times
from molt.policy import append_only, growth, shapes, texts
from molt.policy.engine import (
    Example,
    Fault,
    Judged,
    Rule,
    changed_files,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.episodes import Episode

_DAY = "memory/episodes/2026-02-02.md"
_TITLE = "# 2026-02-02 — Episode Log\n"
_ENTRY = "\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"


def _check_entries(judged: Judged) -> Iterator[Fault]:
    for path in _list_written_logs(judged):
        yield from _check_conflict_markers(judged, path)
        if not judged.merge and growth.appends_plainly(judged.base, judged.new, path):
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


def _list_written_logs(judged: Judged) -> list[str]:
    """The logs that a commit itself has written; of a merge those that no parent has so."""
    if not judged.merge:
        return [change.path for change in changed_files(judged, "episode")]
    written = [] if judged.context.clean else append_only.list_changed_logs(judged)
    kept = ((path, judged.new.entry(path)) for path in written)
    return [
        path
        for path, entry in kept
        if entry and not append_only.is_of_a_parent(judged, path, entry)
    ]


def _check_conflict_markers(judged: Judged, path: str) -> Iterator[Fault]:
    """What a merge left to be resolved: once committed, nobody could take it out again."""
    hint = "keep the entries of both sides, without it; a quoted one belongs into a code block"
    data = judged.new.read(path) or b""
    # What was there already is nobody's fault now.
    known_to = 0 if judged.merge else texts.find_appended(judged.base.read(path) or b"", data)
    if any(data.find(marker, known_to) >= 0 for marker in texts.MARKERS):
        for number in texts.find_markers(data, _known_rows(judged, path)):
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


def _list_titles(data: bytes, start: int) -> Iterator[tuple[int, str]]:
    """The headings of the first level in a log, from a line that starts at a place on, with the
    numbers of their lines.
    """
    at = start if data.startswith(b"# ", start) else _find_title(data, max(0, start - 1))
    while at >= 0:
        end = data.find(b"\n", at)
        row = data[at : end if end >= 0 else None].decode("utf-8", "replace")
        yield data.count(b"\n", 0, at) + 1, row
        at = _find_title(data, at)


def _find_title(data: bytes, at: int) -> int:
    """Where the first heading of the first level begins behind the end of a line; -1 for none."""
    found = data.find(b"\n# ", at)
    return found + 1 if found >= 0 else -1


def _check_dates(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "episode"):
        date = paths.date_of(change.path)
        if date is None:
            if change.status == "A":
                hint = "memory/episodes/YYYY-MM-DD.md"
                yield Fault(change.path, 0, "an episode file is named for a date", hint)
            continue
        before, after = judged.base.read(change.path) or b"", judged.new.read(change.path) or b""
        # What is there already is known below.
        titles = _list_titles(after, texts.find_appended(before, after))
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
        append_only.check_append_only,
        "The past: what happened stays written.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}),
        Example({_DAY: _TITLE + _ENTRY}, {_DAY: _TITLE + _ENTRY.replace("words", "other")}),
        concerns=shapes.unless_plain(shapes.touching("episode", but="A")),
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
        concerns=shapes.unless_plain(shapes.touching("episode", but="D")),
    ),
    Rule(
        "EPI003",
        "dated files",
        "warning",
        _check_dates,
        "That a day can be found by its name.",
        Example({}, {_DAY: _TITLE + _ENTRY}),
        Example({}, {"memory/episodes/monday.md": _TITLE + _ENTRY}),
        concerns=shapes.unless_plain(shapes.touching("episode", but="D")),
    ),
)
