"""CORE, EPI: core memory stays small, and the past stays written."""

from __future__ import annotations

from molt import tokens as token_counts
from molt.formats import bullets, episodes, ids, paths, sections
from molt.formats import message as messages
from molt.policy.engine import Example, Fault, Judged, Rule, files, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CORE = "MEMORY.md"
_DAY = "memory/episodes/2026-02-02.md"
_TITLE = "# 2026-02-02 — Episode Log\n"
_MARKERS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")
_ENTRY = "\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"


def _cap(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == _CORE and change.status != "D" for change in judged.changes):
        return
    data, cap = judged.new.read(_CORE) or b"", judged.config.core_cap
    # A token is at least one byte, so a small file needs no counting.
    if len(data) <= cap or judged.init:
        return
    count = judged.context.count_tokens or token_counts.count_tokens
    tokens = count(data.decode("utf-8", "replace"))
    if tokens > cap:
        # One that was adopted over the cap may be brought down step by step.
        before = judged.base.read(_CORE) or b""
        shrinks = len(before) > len(data) and count(before.decode("utf-8", "replace")) > tokens
        hint = "move what is no longer pressing into memory/, or shorten it"
        said = f"{tokens:,} tokens, {tokens - cap:,} over the cap of {cap:,}"
        yield Fault(_CORE, 0, said, hint, soft=shrinks)


def _blocks(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == _CORE for change in judged.changes):
        return
    before, after = _titles(text(judged.base, _CORE)), _titles(text(judged.new, _CORE))
    for block in bullets.BLOCKS:
        if block in before and block not in after:
            yield Fault(_CORE, 0, f"the block {block!r} is gone", f"keep `## {block}`")


def _titles(content: str) -> frozenset[str]:
    return frozenset(one.title for one in sections.parse_sections(content) if one.level == 2)


def _first_difference(before: bytes, after: bytes) -> int:
    pairs = zip(before.split(b"\n"), after.split(b"\n"), strict=False)
    return next((n for n, (old, new) in enumerate(pairs, 1) if old != new), 1)


def _lost(before: bytes, after: bytes) -> int:
    """The first line of one text that is not in the other, in order; 0 if all are."""
    rest = iter(after.split(b"\n"))
    for number, line in enumerate(before.split(b"\n"), 1):
        if line and not any(line == other for other in rest):
            return number
    return 0


def _append_only(judged: Judged) -> Iterator[Fault]:
    hint = "leave it as it was and append a correction entry"
    for change in judged.changes:
        if not episodes.is_episode_path(change.path) or _forgotten(judged):
            continue
        if change.status == "D":
            said = "an episode file is removed; episodes are only appended to"
            yield Fault(change.path, 0, said, hint)
            continue
        line = _changed_line(judged, change.path)
        if line:
            said = "an earlier entry changes; episodes are only appended to"
            yield Fault(change.path, line, said, hint)


def _changed_line(judged: Judged, path: str) -> int:
    """Where an episode file is more than its parents with lines appended; 0 if it is not."""
    after = judged.new.read(path) or b""
    if len(judged.context.parents) > 1:
        sides = (parent.read(path) or b"" for parent in judged.context.parents)
        return next((line for line in (_lost(side, after) for side in sides) if line), 0)
    before = judged.base.read(path) or b""
    return 0 if after.startswith(before) else _first_difference(before, after)


def _forgotten(judged: Judged) -> bool:
    """Whether this is a deletion that the user has confirmed; unknown without a message."""
    message = judged.message
    if message is None:
        return judged.actor == "bot:trigger-forget"
    confirmed = message.action == "DELETE" and messages.approval(message) == "approved"
    return confirmed and (judged.is_person or judged.actor == "bot:trigger-forget")


def _markers(judged: Judged) -> Iterator[Fault]:
    """What a merge left to be resolved: once committed, nobody could take it out again."""
    hint = "keep the entries of both sides, without it; a quoted one belongs into a code block"
    for change in files(judged, "episode"):
        known = text(judged.base, change.path).split("\n")
        rows = text(judged.new, change.path).split("\n")
        if not any(row.startswith(_MARKERS) for row in rows):
            continue
        for number, (row, quoted) in enumerate(
            zip(rows, sections.find_fences(rows), strict=True), 1
        ):
            if row.startswith(_MARKERS) and not quoted and row not in known:
                yield Fault(change.path, number, "a marker of a conflict is left", hint)


def _entries(judged: Judged) -> Iterator[Fault]:
    yield from _markers(judged)
    for change in files(judged, "episode"):
        if not change.path.startswith(paths.EPISODES):
            continue
        before, after = text(judged.base, change.path), text(judged.new, change.path)
        first = before.count("\n") + 1 if before else 0
        hint = "## HH:MM | TYPE | confidence:LEVEL | tags:[…]"
        found = [*episodes.malformed(after), *_loose(before, after), *_taken(after)]
        for line, why in sorted(found):
            if line >= first:
                yield Fault(change.path, line, why, hint, soft=judged.is_person)


def _loose(before: str, after: str) -> Iterator[tuple[int, str]]:
    """What is appended to an earlier entry and is none of its own."""
    if not after.startswith(before) or not episodes.parse(before):
        return
    start = before.count("\n") + 1
    rows = after[len(before) :].split("\n")
    number = next((n for n, row in enumerate(rows) if row.strip()), None)
    if number is not None and not rows[number].startswith("## "):
        yield start + number, "text is added to an earlier entry"


def _taken(content: str) -> Iterator[tuple[int, str]]:
    """The entries whose time, and so whose id, an earlier one has."""
    seen: set[str] = set()
    for entry in episodes.parse(content):
        if entry.time in seen:
            yield entry.start, f"an entry has the time {entry.time} already; add seconds"
        seen.add(entry.time)


def _dated(judged: Judged) -> Iterator[Fault]:
    for change in files(judged, "episode"):
        date, content = episodes.date_of(change.path), text(judged.new, change.path)
        if date is None:
            if change.status == "A":
                hint = "memory/episodes/YYYY-MM-DD.md"
                yield Fault(change.path, 0, "an episode file is named for a date", hint)
            continue
        known = text(judged.base, change.path).split("\n")
        for number, row in enumerate(content.split("\n"), 1):
            other = row[2:12]
            if row.startswith("# ") and ids.is_date(other) and other != date and row not in known:
                yield Fault(change.path, number, f"entries of {other}", f"the file of {other}")


RULES = (
    Rule(
        "CORE001",
        "core cap",
        "error",
        _cap,
        "The context window: core memory is always loaded.",
        Example({}, {_CORE: "# small\n"}),
        Example({}, {_CORE: "word " * 3500}),
    ),
    Rule(
        "CORE002",
        "core blocks",
        "warning",
        _blocks,
        "The four blocks that agents rely on.",
        Example({_CORE: "## Identity\n"}, {_CORE: "## Identity\n- a\n"}),
        Example({_CORE: "## Identity\n"}, {_CORE: "# nothing\n"}),
    ),
    Rule(
        "EPI001",
        "append only",
        "error",
        _append_only,
        "The past: what happened stays written.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}),
        Example({_DAY: _TITLE + _ENTRY}, {_DAY: _TITLE + _ENTRY.replace("words", "other")}),
    ),
    Rule(
        "EPI002",
        "well-formed entries",
        "error",
        _entries,
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
        _dated,
        "That a day can be found by its name.",
        Example({}, {_DAY: _TITLE + _ENTRY}),
        Example({}, {"memory/episodes/monday.md": _TITLE + _ENTRY}),
    ),
)
