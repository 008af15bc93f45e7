"""EPI: the past stays written."""

from __future__ import annotations

from molt.formats import episodes, paths, sections, times
from molt.formats import message as messages
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.episodes import Episode

_DAY = "memory/episodes/2026-02-02.md"
_TITLE = "# 2026-02-02 — Episode Log\n"
_MARKERS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")
_ENTRY = "\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"


def _find_first_difference(before: bytes, after: bytes) -> int:
    pairs = zip(before.split(b"\n"), after.split(b"\n"), strict=False)
    return next((n for n, (old, new) in enumerate(pairs, 1) if old != new), 1)


def _find_lost_line(before: bytes, after: bytes) -> int:
    """The first line of one text that is not in the other, in order; 0 if all are."""
    rest = iter(after.split(b"\n"))
    for number, line in enumerate(before.split(b"\n"), 1):
        if line and not any(line == other for other in rest):
            return number
    return 0


def _check_append_only(judged: Judged) -> Iterator[Fault]:
    hint = "leave it as it was and append a correction entry"
    for change in judged.changes:
        if not paths.is_episode_path(change.path) or _is_confirmed_deletion(judged):
            continue
        if change.status == "D":
            said = "an episode file is removed; episodes are only appended to"
            yield Fault(change.path, 0, said, hint)
            continue
        line = _find_changed_line(judged, change.path)
        if line:
            said = "an earlier entry changes; episodes are only appended to"
            yield Fault(change.path, line, said, hint)


def _find_changed_line(judged: Judged, path: str) -> int:
    """Where an episode file is more than its parents with lines appended; 0 if it is not."""
    after = judged.new.read(path) or b""
    if len(judged.context.parents) > 1:
        sides = (parent.read(path) or b"" for parent in judged.context.parents)
        return next((line for line in (_find_lost_line(side, after) for side in sides) if line), 0)
    before = judged.base.read(path) or b""
    return 0 if after.startswith(before) else _find_first_difference(before, after)


def _is_confirmed_deletion(judged: Judged) -> bool:
    """Whether this is a deletion that the user has confirmed; unknown without a message."""
    message = judged.message
    if message is None:
        return judged.actor == "bot:trigger-forget"
    confirmed = message.action == "DELETE" and messages.approval(message) == "approved"
    return confirmed and (judged.is_person or judged.actor == "bot:trigger-forget")


def _check_conflict_markers(judged: Judged) -> Iterator[Fault]:
    """What a merge left to be resolved: once committed, nobody could take it out again."""
    hint = "keep the entries of both sides, without it; a quoted one belongs into a code block"
    for change in changed_files(judged, "episode"):
        known = read_text(judged.base, change.path).split("\n")
        rows = read_text(judged.new, change.path).split("\n")
        if not any(row.startswith(_MARKERS) for row in rows):
            continue
        for number, (row, quoted) in enumerate(
            zip(rows, sections.find_fences(rows), strict=True), 1
        ):
            if row.startswith(_MARKERS) and not quoted and row not in known:
                yield Fault(change.path, number, "a marker of a conflict is left", hint)


def _check_entries(judged: Judged) -> Iterator[Fault]:
    yield from _check_conflict_markers(judged)
    for change in changed_files(judged, "episode"):
        if not change.path.startswith(paths.EPISODES):
            continue
        before, after = read_text(judged.base, change.path), read_text(judged.new, change.path)
        first = before.count("\n") + 1 if before else 0
        hint = "## HH:MM | TYPE | confidence:LEVEL | tags:[…]"
        found = [*episodes.find_malformed(after), *_find_loose_text(before, after)]
        for line, why in sorted(found):
            if line >= first:
                yield Fault(change.path, line, why, hint, soft=judged.is_person)
        # A rebase can bring an entry to a second that another has taken meanwhile.
        for line, why in _find_taken_times(after):
            if line >= first:
                yield Fault(change.path, line, why, "`molt remember` takes a free one", soft=True)
        if len(judged.context.parents) > 1:
            hint = "`git checkout --merge` the file while the merge is open, then `molt resolve`"
            for said in _find_fused_entries(before, after):
                yield Fault(change.path, 0, said, hint)


def _find_loose_text(before: str, after: str) -> Iterator[tuple[int, str]]:
    """What is appended to an earlier entry and is none of its own."""
    if not after.startswith(before) or not episodes.parse(before):
        return
    start = before.count("\n") + 1
    rows = after[len(before) :].split("\n")
    number = next((n for n, row in enumerate(rows) if row.strip()), None)
    if number is not None and not rows[number].startswith("## "):
        yield start + number, "text is added to an earlier entry"


def _find_taken_times(content: str) -> Iterator[tuple[int, str]]:
    """The entries whose time an earlier one has, by which they are not found."""
    for entry in episodes.parse(content):
        if entry.told:
            said = f"an entry has the time {entry.time} already; this one is read as {entry.told}"
            yield entry.start, said


def _find_fused_entries(merged: str, after: str) -> Iterator[str]:
    """The entries of a clean merge that are none any more: where two clones wrote under one
    heading, whoever keeps the lines of both makes one memory of two.
    """
    whole = {_drop_place(entry) for entry in episodes.parse(after)}
    for entry in episodes.parse(merged):
        marked = any(row.startswith(_MARKERS) for row in entry.text.split("\n"))
        if not marked and _drop_place(entry) not in whole:
            yield f"the entry of {entry.stamp} is not whole: two may have become one"


def _drop_place(entry: Episode) -> Episode:
    return entry.replace(time="", told="", start=0, end=0)


def _check_dates(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "episode"):
        date, content = paths.date_of(change.path), read_text(judged.new, change.path)
        if date is None:
            if change.status == "A":
                hint = "memory/episodes/YYYY-MM-DD.md"
                yield Fault(change.path, 0, "an episode file is named for a date", hint)
            continue
        known = read_text(judged.base, change.path).split("\n")
        for number, row in enumerate(content.split("\n"), 1):
            other = row[2:12]
            if row.startswith("# ") and times.is_date(other) and other != date and row not in known:
                yield Fault(change.path, number, f"entries of {other}", f"the file of {other}")


RULES = (
    Rule(
        "EPI001",
        "append only",
        "error",
        _check_append_only,
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
