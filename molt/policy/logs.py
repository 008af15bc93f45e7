"""How a log of the past differs from what it was, and what a merge has kept of its sides."""

from __future__ import annotations

from molt.formats import episodes, times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Item = tuple[str, str, int]
    """What stands in a log: its words, its time (of an entry), its line."""

APPENDED, SPACED, INSERTED, CHANGED, REMOVED = (
    *("appended", "spaced", "inserted"),
    *("changed", "removed"),
)


class Difference(Value):
    """What was done to a log: the worst of it, where it begins, and in words.

    `touched`: an entry with a time of its own has lost words, and not only a note in prose.
    `mend`: what makes it right, where that is not to leave the log as it was.
    """

    kind: str
    line: int = 0
    said: str = ""
    touched: bool = False
    mend: str = ""


def compare(before: bytes, after: bytes) -> Difference:
    """What was done to a log that one commit changed."""
    ended = not before or before.endswith(b"\n")
    if after.startswith(before) and (ended or after[len(before) :][:1] in (b"", b"\r", b"\n")):
        return Difference(APPENDED)
    old, new = _split_rows(before), _split_rows(after)
    found, lost = _follow_rows(old, new)
    if lost:
        return _tell_lost(before, lost, new, kept=len(found), runs_on=after.startswith(before))
    fresh = next((at for at, place in enumerate(found) if at != place), len(found))
    if fresh < len(found):
        return _tell_inserted(old[fresh][1], new[fresh][0], found[fresh] - fresh)
    return Difference(SPACED, *_tell_spacing(before, after))


def _split_rows(data: bytes) -> list[tuple[str, int]]:
    """The lines that say something, without the space at their ends, with their numbers."""
    rows = data.decode("utf-8", "replace").split("\n")
    return [(row.rstrip(), number) for number, row in enumerate(rows, 1) if row.strip()]


def _follow_rows(
    old: Sequence[tuple[str, int]], new: Sequence[tuple[str, int]]
) -> tuple[list[int], list[tuple[str, int]]]:
    """Where the old lines are among the new ones, in order, and those that are not."""
    from bisect import bisect_right

    places: dict[str, list[int]] = {}
    for at, (row, _) in enumerate(new):
        places.setdefault(row, []).append(at)
    found: list[int] = []
    lost: list[tuple[str, int]] = []
    for row, number in old:
        there = places.get(row, [])
        after = bisect_right(there, found[-1] if found else -1)
        if after < len(there):
            found.append(there[after])
        else:
            lost.append((row, number))
    return found, lost


def _tell_lost(
    before: bytes,
    lost: Sequence[tuple[str, int]],
    new: Sequence[tuple[str, int]],
    *,
    kept: int,
    runs_on: bool,
) -> Difference:
    """What became of the first of the lines that are lost; `kept` are as they were. `runs_on`:
    the bytes of the log are all there, and the last line is longer.
    """
    row, line = lost[0]
    if runs_on:
        said = f"line {line} ended without a line break, and what was appended runs on in it"
        mend = f"put a line break into line {line}, before what was appended"
        return Difference(CHANGED, line, said, _touches(_list_spans(before), lost), mend)
    moved = any(row == other for other, _ in new)
    done = "moved" if moved else "taken out" if len(new) == kept else "changed"
    said = f"line {line} is {done}"
    return Difference(CHANGED, line, said, _touches(_list_spans(before), lost))


def _list_spans(before: bytes) -> list[tuple[int, int]]:
    """The first and the last line of each entry."""
    return [(one.start, one.end) for one in episodes.parse(before.decode("utf-8", "replace"))]


def _touches(spans: Sequence[tuple[int, int]], lost: Sequence[tuple[str, int]]) -> bool:
    """Whether a lost line is one of an entry's; both are in order."""
    entries = iter(spans)
    start, end = next(entries, (0, 0))
    for _, line in lost:
        while end and line > end:
            start, end = next(entries, (0, 0))
        if end and start <= line:
            return True
    return False


def _tell_inserted(line: int, row: str, count: int) -> Difference:
    """What stands before an old line that did not stand there."""
    if is_entry(row):
        return Difference(INSERTED, line, f"an entry is inserted before line {line}")
    lines = "a line is" if count == 1 else f"{count} lines are"
    return Difference(INSERTED, line, f"{lines} inserted before line {line}")


def is_entry(row: str) -> bool:
    """Whether a line heads an entry: `## 14:30 | …`."""
    return row.startswith("## ") and times.is_time(row[3:].partition("|")[0].strip())


def _tell_spacing(before: bytes, after: bytes) -> tuple[int, str]:
    pairs = zip(before.split(b"\n"), after.split(b"\n"), strict=False)
    line = next((n for n, (old, new) in enumerate(pairs, 1) if old != new), 1)
    plain = [data.replace(b"\r\n", b"\n") for data in (before, after)]
    if plain[1].startswith(plain[0]):
        return line, "the line ends change"
    return line, "blank lines, or blanks at the ends of lines, change"


def unite(after: bytes, sides: Sequence[bytes], *, own: bool) -> Difference:
    """What a merge has done to a log that several of its parents have changed.

    What all sides begin with stays at the beginning; what each has added follows whole and in its
    order; all else follows behind. `own` for a log of entries: there an entry is one piece, and
    where its time was taken it may have got another. Otherwise each line is.
    """
    kept, given = _list_items(after, own=own), [_list_items(side, own=own) for side in sides]
    shared = 0
    for one, *others in zip(*given, strict=False):
        if any(other[:2] != one[:2] for other in others):
            break
        if shared >= len(kept) or kept[shared][:2] != one[:2]:
            return Difference(CHANGED, one[2], f"line {one[2]} is changed", own)
        shared += 1
    kept, given = kept[shared:], [side[shared:] for side in given]
    times = frozenset(item[1] for item in kept)
    for side in given:
        line = _miss_item(side, kept, times)
        if line:
            said = f"line {line} of one side is not as it was"
            return Difference(CHANGED, line, said, own)
    line = _find_between(kept, given)
    if line:
        return Difference(INSERTED, line, f"line {line} is of neither side, and not at the end")
    return Difference(APPENDED)


def _list_items(data: bytes, *, own: bool) -> list[Item]:
    """The pieces of a log, in order."""
    rows = [row.rstrip() for row in data.decode("utf-8", "replace").split("\n")]
    if not own:
        return [(row, "", number) for number, row in enumerate(rows, 1) if row]
    entries = episodes.parse("\n".join(rows))
    first = entries[0].start if entries else len(rows) + 1
    found = [(row, "", number) for number, row in enumerate(rows[: first - 1], 1) if row]
    for one in entries:
        # What follows the time of an entry, so that the same words at another time compare.
        heading = rows[one.start - 1].partition("|")[2]
        words = "\n".join((heading, *rows[one.start : one.end]))
        found.append((_drop_times(words), one.time, one.start))
    return found


def _drop_times(words: str) -> str:
    """A text without the times in ids of entries: one that gets another time is called by it."""
    first, *rest = words.split("episode:")
    return "episode:".join((first, *(one.lstrip("0123456789-:") for one in rest)))


def _miss_item(side: Sequence[Item], kept: Sequence[Item], times: frozenset[str]) -> int:
    """The line of the first piece of a side that is not among what is kept; 0 if all are."""
    rest = iter(kept)
    for words, time, line in side:
        found = next((item for item in rest if item[0] == words), None)
        if found is None or (found[1] != time and time not in times):
            return line
    return 0


def _find_between(kept: Sequence[Item], given: Sequence[Sequence[Item]]) -> int:
    """The line of a piece that no side has, and that stands before one that a side has."""
    counts: dict[str, int] = {}
    for side in given:
        for words, _, _ in side:
            counts[words] = counts.get(words, 0) + 1
    strange = []
    for at, (words, _, _) in enumerate(kept):
        counts[words] = counts.get(words, 0) - 1
        if counts[words] < 0:
            strange.append(at)
    # What is strange is free behind all that the sides have added.
    tail = len(kept)
    while strange and strange[-1] == tail - 1:
        tail = strange.pop()
    return kept[strange[0]][2] if strange else 0
