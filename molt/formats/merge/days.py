"""A day's episodes of two clones: every entry whole, and no two with one id."""

from __future__ import annotations

from molt.formats import episodes, ids, lines, paths
from molt.formats.merge import logs, texts
from molt.formats.merge.result import MergeResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.formats.episodes import Episode

    Moved = tuple[tuple[str, str], ...]

_EPISODE = "episode:"
_OF_AN_ID = "0123456789:-"


def merge_day(
    path: str, base: str, ours: str, theirs: str, *, mark: int = texts.MARK
) -> MergeResult:
    """The log of a day with the entries of both sides, ours first and as they are.

    An entry of theirs whose id ours has given to another gets the next second that is free, and
    what theirs says of it follows.
    """
    date = paths.date_of(path) or ""
    theirs, moved = _tell_apart(date, base, ours, theirs)
    merged = logs.merge_log(base, ours, theirs, is_head=episodes.is_head, mark=mark)
    return merged.replace(moved=moved)


def _tell_apart(date: str, base: str, ours: str, theirs: str) -> tuple[str, Moved]:
    """Theirs with other times for the entries whose ids ours has given to others."""
    rows = lines.split_lines(theirs)
    old = _count_entries(base, date)
    here = episodes.parse(ours, date)
    known = {entry.id for entry in here}
    same = _count_entries(ours, date)
    before = {entry.id for entry in episodes.parse(base, date)}
    there = episodes.parse(theirs, date)
    clock = episodes.Clock(entry.stamp for entry in (*here, *there))
    moved = dict(_find_moved(date, base, ours, here))
    added: list[Episode] = []
    given: list[tuple[str, str]] = []
    for entry in there:
        block = _entry_text(rows, entry)
        if _take_one(old, block) or _take_one(same, block):
            continue
        added.append(entry)
        if entry.id not in known or entry.id in before or clock.full:
            continue
        free = clock.take_time(entry.stamp)
        given.append((entry.id, ids.episode(date, free)))
        at = entry.start - 1
        rows[at] = rows[at].replace(entry.time, free, 1)
    moved |= dict(given)
    for entry in added if moved else ():
        for at in range(entry.start - 1, entry.end):
            rows[at] = rename_episodes(rows[at], moved)
    return "".join(rows), tuple(given)


def _entry_text(rows: list[str], entry: Episode) -> str:
    return "".join(rows[entry.start - 1 : entry.end]).rstrip()


def _count_entries(text: str, date: str) -> dict[str, int]:
    """How often each entry stands in a text, word for word."""
    rows = lines.split_lines(text)
    found: dict[str, int] = {}
    for entry in episodes.parse(text, date):
        block = _entry_text(rows, entry)
        found[block] = found.get(block, 0) + 1
    return found


def _take_one(counts: dict[str, int], block: str) -> bool:
    left = counts.get(block, 0)
    counts[block] = left - 1
    return left > 0


def _find_moved(date: str, base: str, ours: str, here: tuple[Episode, ...]) -> Mapping[str, str]:
    """The ids of entries that ours has under others already, as after a commit that was replayed
    before this one: old to new.
    """
    if ours.startswith(base):
        return {}
    names = {_drop_time(entry): entry.id for entry in here}
    gone = {entry.id: _drop_time(entry) for entry in episodes.parse(base, date)}
    for entry in here:
        if gone.get(entry.id) == _drop_time(entry):
            del gone[entry.id]
    return {old: names[said] for old, said in gone.items() if said in names}


def _drop_time(entry: Episode) -> Episode:
    """All that an entry says, but for its time."""
    return entry.replace(time="", told="", start=0, end=0)


def rename_episodes(text: str, moved: Mapping[str, str]) -> str:
    """A text that names episodes by their new ids."""
    first, *parts = text.split(_EPISODE)
    found = [first]
    for part in parts:
        rest = part.lstrip(_OF_AN_ID)
        name = part[: len(part) - len(rest)].rstrip(":-")
        old = f"{_EPISODE}{name}"
        found.append(moved.get(old, old) + part[len(name) :])
    return "".join(found)
