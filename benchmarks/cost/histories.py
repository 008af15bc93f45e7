"""Histories as an agent makes them in years: one commit a memory, written by `git fast-import`.

What is written is text in the formats that `docs/formats.md` documents, so that these workspaces
need nothing of molt's code; that they keep its rules, `molt verify` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

PER_DAY = 100
"""Memories a day. More would make the files longer and the commits slower to write; fewer, more
files than years have days."""
HALF = 200
"""Every so many days back half of the memories have been used last."""


class Memory(NamedTuple):
    """One episode: its id, its file, and the second at which it was written."""

    id: str
    path: str
    time: int


def place_memory(number: int, count: int, today: date) -> Memory:
    """Where the memory of a number stands, of so many that end yesterday."""
    days = -(-count // PER_DAY)
    at, minute = divmod(number, PER_DAY)
    day = today - timedelta(days=days - at)
    # From 8 in the morning, every nine minutes: a hundred end before midnight.
    hour, minute = divmod(480 + minute * 9, 60)
    moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
    clock = f"{hour:02}:{minute:02}"
    path = f"memory/episodes/{day}.md"
    return Memory(f"episode:{day}:{clock}", path, int(moment.timestamp()))


def write_episodes(texts: Iterable[str], count: int, today: date) -> Iterator[bytes]:
    """Commits of one memory each, for `git fast-import`."""
    file, path = "", ""
    for number, text in enumerate(texts):
        memory = place_memory(number, count, today)
        action = "APPEND" if memory.path == path else "CREATE"
        if action == "CREATE":
            path, file = memory.path, f"# {memory.id.split(':')[1]} — Episode Log\n"
        clock = memory.id.split(":", 2)[2]
        file += f"\n## {clock} | fact | confidence:high | tags:[] | source:user-explicit\n{text}\n"
        message = write_message(action, path, text, memory.id)
        yield write_commit(message, memory.time, {path: file}, first=not number)


def write_message(action: str, path: str, text: str, memory: str = "") -> str:
    """The message of a commit that molt has made."""
    named = f"Memory-Id: {memory}\n" if memory else ""
    summary = text[:60].strip()
    return (
        f"[{action}] {path} — {summary}\n\n"
        f"Actor: bot:main\nApproval: auto\nTrigger: molt remember\n{named}Route-Engine: rules\n"
    )


def write_commit(message: str, time: int, files: dict[str, str], *, first: bool) -> bytes:
    """One commit; the first one comes after what the branch holds already."""
    parts = [
        b"commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\n" % time,
        _write_data(message),
        b"from refs/heads/main^0\n" if first else b"",
    ]
    for path, text in files.items():
        parts += [b"M 100644 inline %s\n" % path.encode(), _write_data(text)]
    return b"".join(parts)


def _write_data(text: str) -> bytes:
    data = text.encode()
    return b"data %d\n%s\n" % (len(data), data)


def write_scores(memories: Iterable[tuple[str, int, str]], now: int) -> str:
    """The scores of memories (id, second of writing, store), used now and then in the last year.

    Half of them were used in the last HALF days, so that neither all nor none have faded.
    """
    entries = {}
    for number, (memory, created, store) in enumerate(memories):
        # A number of days that jumps about, without chance.
        last = max(created, now - (number * 37 % (2 * HALF)) * 86_400)
        weight = 1.2 if store == "semantic" else 0.8
        entries[memory] = {
            "access_count": number % 5 + 1,
            "base_relevance": 1.0,
            "created": _write_time(created),
            "current_score": 0.5,
            "last_accessed": _write_time(last),
            "pinned": False,
            "status": "active",
            "store": store,
            "type_weight": weight,
        }
    return json.dumps({"entries": entries, "version": 1}, indent=2, sort_keys=True) + "\n"


def _write_time(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def name_entity(number: int) -> str:
    """The id of an entity, as its file is called."""
    return f"concept--thing-{number:05}"


def write_entity(number: int, text: str, count: int, today: date) -> str:
    """An entity with one fact and two relations to others of so many."""
    label = f"Thing {number:05} {text.split(' ')[0][:12]}"
    others = (name_entity((number * 31 + step) % count) for step in (7, 101))
    relations = "".join(f"- uses [[{other}]] (confidence: high)\n" for other in others)
    return (
        f"---\nid: {name_entity(number)}\ntype: concept\nlabel: {json.dumps(label)}\n"
        f"aliases: []\ntags: []\ncreated: {today}\nupdated: {today}\npinned: false\n---\n"
        f"# {label}\n\n## Summary\n\n## Facts\n- {text}\n\n## Timeline\n\n## Open Questions\n\n"
        f"## Relations\n{relations}"
    )
