"""Notes and records of other tools become episodes, in one transaction for each source."""

from __future__ import annotations

import json
import os

from molt import errors, formats
from molt.formats import episodes, ids
from molt.formats import message as messages
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.workspace import Workspace
    from molt.repo.transaction import Written
    from molt.trees import Edits, Tree


class Record(Value):
    """One thing to bring in: when (`YYYY-MM-DD`, `HH:MM`), its words, and its id at the source."""

    date: str
    time: str
    text: str
    origin: str


class Imported(Value):
    """What came of one source: memory id for each record, by the record's own id."""

    source: str
    memories: dict[str, str]
    commit: str | None


def read_jsonl(path: str, group: str = "") -> tuple[Record, ...]:
    """The records of a file with one JSON object a line: `id`, `text`, `date`, `group`.

    Raises NotFound, or Usage that names the first line that is none. With `group` only its
    records are taken.
    """
    try:
        with open(path, encoding="utf-8") as file:
            rows = file.read().split("\n")
    except FileNotFoundError as error:
        raise errors.NotFound(f"no file {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.Usage(f"cannot read {path}: {error}") from error
    found = []
    for number, row in enumerate(rows, 1):
        if row.strip():
            data = _object(path, number, row)
            if not group or data.get("group") == group:
                found.append(_record(path, number, data))
    return tuple(found)


def _object(path: str, number: int, row: str) -> dict[str, Any]:
    try:
        data = json.loads(row)
    except ValueError as error:
        raise errors.Usage(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise errors.Usage(f"{path}:{number}: not an object with a text")
    return data


def _record(path: str, number: int, data: dict[str, Any]) -> Record:
    stamp = str(data.get("date") or "")
    date, time = stamp[:10], stamp[11:16]
    if not ids.is_date(date):
        raise errors.Usage(f"{path}:{number}: no date such as 2026-02-03T14:30", "add `date`")
    clock = time if ids.is_time(time) else "00:00"
    return Record(date, clock, data["text"], str(data.get("id") or number))


def bring_in(ws: Workspace, path: str, *, group: str = "", dry_run: bool = False) -> Imported:
    """Commit the records of a JSON-lines file as episodes, one memory a record, in order.

    A record that an earlier import of the same file brought in is left out, so a second run
    changes nothing. Raises what `read_jsonl` and the transaction raise.
    """
    records = read_jsonl(path, group)
    source = _label(path)
    made: dict[str, str] = {}

    def edits(tree: Tree) -> Edits:
        made.clear()
        return _append(tree, records, source, made)

    def message(_tree: Tree, changed: Edits) -> str:
        paths = sorted(changed)
        file = paths[0] if len(paths) == 1 else f"{formats.EPISODES}*"
        summary = f"{len(made)} memories from {source}"
        return messages.render(
            "IMPORT", file, summary, actor=ws.actor, approval="auto", trigger="molt import"
        )

    done: Written = ws.commit(edits, message, dry_run=dry_run)
    return Imported(source, dict(made), done.oid)


def _label(path: str) -> str:
    return "/".join(os.path.abspath(path).split(os.sep)[-2:]).replace(" ", "-")


def _append(tree: Tree, records: tuple[Record, ...], source: str, made: dict[str, str]) -> Edits:
    days: dict[str, list[Record]] = {}
    for record in records:
        days.setdefault(record.date, []).append(record)
    edits: Edits = {}
    for date, of_day in days.items():
        path = f"{formats.EPISODES}{date}.md"
        before = (tree.read(path) or b"").decode("utf-8")
        text = _append_day(before, of_day, source, made)
        if text != before:
            edits[path] = text.encode()
    return edits


def _append_day(before: str, records: list[Record], source: str, made: dict[str, str]) -> str:
    known = episodes.parse(before, records[0].date)
    brought = {value for one in known for key, value in one.fields if key == "imported"}
    taken = {one.time for one in known}
    parts = [before] if before else [f"{episodes.title(records[0].date)}\n"]
    for record in records:
        origin = f"{source}#{record.origin}"
        if origin in brought:
            continue
        time = _free(record.time, taken)
        taken.add(time)
        entry = episodes.Episode(
            record.date, time, "event", "medium", (), "conversation", (("imported", origin),),
            record.text,
        )  # fmt: skip
        parts.append(episodes.render_entry(entry))
        made[record.origin] = entry.id
    if len(parts) == 1 and before:
        return before
    return "\n".join((parts[0].rstrip("\n") + "\n" if not before else parts[0], *parts[1:]))


def _free(time: str, taken: set[str]) -> str:
    """The time, or the next second that no entry has."""
    if time not in taken:
        return time
    clock = [*map(int, time.split(":")), 0][:3]
    seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
    for step in range(1, 86_400):
        late = (seconds + step) % 86_400
        text = f"{late // 3600:02}:{late % 3600 // 60:02}:{late % 60:02}"
        if text not in taken:
            return text
    raise errors.Failed("a day holds no more than 86,400 entries")
