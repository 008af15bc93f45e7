"""Notes and records of other tools become episodes, in one transaction for each source."""

from __future__ import annotations

import json
import os

from molt import errors, untrusted
from molt.formats import episodes, frontmatter, ids, times, tombstones
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.formats.fields import pinned_flag, text_field
from molt.formats.origin import BROUGHT, FIELD, IMPORTED
from molt.policy import secrets, texts
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from molt.memory.workspace import Workspace
    from molt.trees import Edits, Tree

NOTES = IMPORTED
_FIELDS = ("speaker", "session", "title")
_READ = (
    'it reads lines such as {"text": "…", "date": "2026-02-03"}, Markdown and folders of it, text, '
    "transcripts, and exports of ChatGPT, Claude and mem0"
)
# A damaged note has a few odd characters; of an image or archive about a third are.
_MOST_ODD = 0.05
_FEW_ODD = 10


class ImportRecord(Value):
    """One thing to bring in: when (`YYYY-MM-DD`, `HH:MM`; both empty where it is no event), its
    words, its id at the source, and who said it where, under which title; `odd` is how many
    characters were taken out that no memory may hold.
    """

    date: str
    time: str
    text: str
    origin: str
    fields: tuple[tuple[str, str], ...] = ()
    odd: int = 0


class Imported(Value):
    """What came of one source: memory id for each record, by the record's own id; the new path
    for each Markdown file, by its own. `left` is what the write could not do, if anything;
    `odd` counts the characters that were taken out, `skipped` names files that are no text.
    """

    source: str
    memories: dict[str, str]
    commit: str | None
    left: str = ""
    odd: int = 0
    skipped: tuple[str, ...] = ()


class _Found(Value):
    """What a source holds: its records, its notes (name, text), the characters that were taken
    out, and the files that are no text.
    """

    records: tuple[ImportRecord, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    odd: int = 0
    skipped: tuple[str, ...] = ()


def _read_jsonl(path: str, group: str) -> tuple[tuple[ImportRecord, ...], int]:
    """The records of a file with one JSON object a line: `text`, and where there is one `id`,
    `date`, `group`, `session`, `speaker`, `title`; and how many characters were taken out.

    Raises NotFound, or Usage that names the first line that is none. With `group` only its
    records are taken.
    """
    whole, odd = _read_text(path)
    rows = whole.split("\n")
    found = []
    for number, row in enumerate(rows, 1):
        if row.strip():
            data = _parse_object(path, number, row)
            if not group or data.get("group") == group:
                found.append(_make_record(path, number, data))
    return tuple(found), odd + sum(one.odd for one in found)


def _read_text(path: str) -> tuple[str, int]:
    """The text of a file without its odd characters, and how many these were.

    Raises NotFound, or Usage for one that is no text.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        raise errors.NotFound(f"no file {path}", _READ) from error
    except OSError as error:
        raise errors.Usage(f"cannot read {path}: {error.strerror}", _READ) from error
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", "replace" if wide else "surrogateescape")
    plain, odd = texts.take_out_odd(text)
    if odd > max(_FEW_ODD, _MOST_ODD * len(text)):
        raise errors.Usage(f"{path} is no text", _READ)
    return plain, odd


def _parse_object(path: str, number: int, row: str) -> dict[str, Any]:
    try:
        data = untrusted.parse_json(row)
    except ValueError as error:
        raise errors.Usage(f"{path}:{number}: not JSON: {error}", _READ) from error
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise errors.Usage(f"{path}:{number}: not an object with a text", _READ)
    return data


def _make_record(path: str, number: int, data: dict[str, Any]) -> ImportRecord:
    stamp = str(data.get("date") or "")
    date, time = stamp[:10], stamp[11:16]
    if stamp and not times.is_date(date):
        raise errors.Usage(f"{path}:{number}: {stamp!r} is no date", "such as 2026-02-03T14:30")
    clock = time if times.is_time(time) else "00:00"
    # What others wrote down is taken in without its secrets and without what no memory may hold:
    # one of them would refuse the rest.
    odd = 0
    clean: dict[str, str] = {}
    for key in (*_FIELDS, "id", "text"):
        clean[key], more = texts.take_out_odd(str(data.get(key) or ""))
        odd += more
    fields = tuple((key, clean[key].strip()) for key in _FIELDS if clean[key].strip())
    text = secrets.redact(clean["text"])
    return ImportRecord(date, clock, text, clean["id"] or str(number), fields, odd)


def import_source(
    ws: Workspace,
    path: str,
    *,
    group: str = "",
    dry_run: bool = False,
    now: datetime | None = None,
) -> Imported:
    """Commit the records of a JSON-lines file, one memory a record, in order: as episodes, or
    as notes below `memory/imported/` where they have no date. A Markdown file, or a folder of
    them, becomes such notes as well.

    What an earlier import of the same source brought in is left out, so a second run changes
    nothing. The day of `now` is noted with each episode, for then it became one. Raises NotFound
    and Usage for what cannot be read, and what the transaction raises.
    """
    source = _label_source(path)
    _refuse_own(ws, path)
    found = _read_source(path, group, source, now)
    day = now.strftime("%Y-%m-%d") if now else ""

    def make_change(tree: Tree) -> Change[dict[str, str]]:
        made: dict[str, str] = {}
        days = _add_episodes(tree, found.records, source, made, day=day)
        edits = days | _add_notes(tree, found.notes, source, made)
        paths = sorted(edits)
        file = paths[0] if len(paths) == 1 else f"{_find_folder(paths)}*"
        summary = f"{len(made)} memories from {source}"
        text = messages.render(
            "IMPORT",
            file,
            summary,
            messages.Provenance(ws.actor, approval="auto", trigger="molt import"),
        )
        return Change(edits, text, made)

    second = now.timestamp() if now else 0.0
    done = ws.commit(make_change, dry_run=dry_run, now=second)
    return Imported(source, done.made, done.oid, done.left, found.odd, found.skipped)


def _refuse_own(ws: Workspace, path: str) -> None:
    """Raises Usage for what is memory of this workspace already: it would be there twice."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(ws.repo.root))
    own = inside.replace(os.sep, "/")
    if own in (".", "memory", layout.CORE) or own.startswith("memory/"):
        raise errors.Usage(f"{path} is this workspace's own memory", "name another source")


def _read_source(path: str, group: str, source: str, now: datetime | None) -> _Found:
    """What a file or folder holds. Raises NotFound and Usage."""
    if os.path.isdir(path):
        return _read_folder(path)
    name, ending = os.path.splitext(os.path.basename(path))
    if ending.lower() in (".md", ".markdown", ".txt"):
        text, odd = _read_text(path)
        return _Found((), ((name, text),), odd)
    every, odd = _read_export(path, now) or _read_jsonl(path, group)
    return _Found(tuple(one for one in every if one.date), _make_notes(every, source), odd)


def _read_export(path: str, now: datetime | None) -> tuple[tuple[ImportRecord, ...], int] | None:
    """The records of an export of another program; None for what is none."""
    from datetime import UTC

    from molt.memory.write import exports

    whole, odd = _read_text(path)
    if path.lower().endswith(".json"):
        try:
            data = untrusted.parse_json(whole)
        except ValueError as error:
            raise errors.Usage(f"{path} is no JSON: {error}", _READ) from error
        found = exports.read_export(data, (now and now.tzinfo) or UTC)
        if found is None:
            raise errors.Usage(f"{path} is the export of no program that molt knows", _READ)
    else:
        session = os.path.splitext(os.path.basename(path))[0]
        found = exports.read_transcript(whole.split("\n"), session)
    if found is None:
        return None
    every = tuple(_make_record(path, number, row) for number, row in enumerate(found.rows, 1))
    return every, odd + sum(one.odd for one in every)


def _find_folder(paths: list[str]) -> str:
    return (os.path.commonpath(paths) if paths else "memory") + "/"


def _label_source(path: str) -> str:
    return "/".join(os.path.abspath(path).split(os.sep)[-2:]).replace(" ", "-")


def _read_folder(path: str) -> _Found:
    """The Markdown files below a folder; hidden ones and links are left out."""
    found: list[str] = []
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        every = (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))
        found += [one for one in every if not os.path.islink(one)]
    notes, skipped, odd = [], [], 0
    for one in found:
        name = os.path.relpath(one, path).replace(os.sep, "/")
        try:
            text, more = _read_text(one)
        except errors.Usage:
            # One file that only has the name of a note does not keep the others out.
            skipped.append(name)
            continue
        notes.append((name.removesuffix(".md"), text))
        odd += more
    return _Found((), tuple(notes), odd, tuple(skipped))


def _make_notes(records: tuple[ImportRecord, ...], source: str) -> tuple[tuple[str, str], ...]:
    return tuple(_render_note(one, source) for one in records if not one.date)


def _render_note(record: ImportRecord, source: str) -> tuple[str, str]:
    """A record without a date as a note: its id, and its text below what is known of it."""
    fields = dict(record.fields)
    front = {"label": fields.pop("title", ""), "imported": f"{source}#{record.origin}"}
    front |= {FIELD: "import", **fields}
    rows = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    return record.origin, "\n".join(("---", *rows, "---", record.text.rstrip("\n"), ""))


def _add_notes(
    tree: Tree, notes: tuple[tuple[str, str], ...], source: str, made: dict[str, str]
) -> Edits:
    folder = f"{NOTES}{ids.slug(source.removesuffix('.md'))}/"
    make_edits: Edits = {}
    taken: set[str] = set()
    gone = tombstones.Graveyard(_read_tombstones(tree))
    for name, text in notes:
        path = _choose_path(folder + "/".join(map(ids.slug, name.split("/"))), taken)
        taken.add(path)
        # What is there under this name already stays as it is.
        known = tree.entry(path) is not None or gone.find_said(text)
        if text.strip() and not known:
            make_edits[path] = _mark_note(secrets.redact(text)).encode()
            made[name] = path
    return make_edits


def _mark_note(text: str) -> str:
    """A note as it is, but for what it says of whose word it is, which is the import's, and that it
    is pinned, which here nobody has said. What says nothing of it is known by its folder.
    """
    front = frontmatter.metadata(text)
    if not any(key in front for key in (FIELD, "source", "pinned")):
        return text
    if text_field(front, "source"):
        text = frontmatter.set_field(text, "source", "import")
    if pinned_flag(front):
        text = frontmatter.set_field(text, "pinned", False)
    return frontmatter.set_field(text, FIELD, "import")


def _read_tombstones(tree: Tree) -> tuple[tombstones.Tombstone, ...]:
    text = (tree.read(layout.TOMBSTONES) or b"").decode("utf-8", "replace")
    return tombstones.parse_tombstones(text)


def _choose_path(place: str, taken: set[str]) -> str:
    """The path of a note, with a number where two names have one slug."""
    path, number = f"{place}.md", 1
    while path in taken:
        number += 1
        path = f"{place}-{number}.md"
    return path


def _add_episodes(
    tree: Tree, records: tuple[ImportRecord, ...], source: str, made: dict[str, str], *, day: str
) -> Edits:
    days: dict[str, list[ImportRecord]] = {}
    gone = tombstones.Graveyard(_read_tombstones(tree))
    # What a person wants forgotten does not come back with a file.
    for record in (one for one in records if not gone.find_said(one.text)):
        days.setdefault(record.date, []).append(record)
    make_edits: Edits = {}
    for date, of_day in days.items():
        path = f"{layout.EPISODES}{date}.md"
        before = (tree.read(path) or b"").decode("utf-8")
        text = _append_day(before, of_day, source, made, day=day)
        if text != before:
            make_edits[path] = text.encode()
    return make_edits


def _append_day(
    before: str, records: list[ImportRecord], source: str, made: dict[str, str], *, day: str
) -> str:
    date = records[0].date
    known = episodes.parse(before, date)
    brought = {value for one in known for key, value in one.fields if key == "imported"}
    clock = _Clock({one.time for one in known})
    parts = [before] if before else [f"{episodes.render_title(date)}\n"]
    for record in records:
        origin = f"{source}#{record.origin}"
        if origin in brought:
            continue
        noted = ((BROUGHT, day),) * bool(day)
        fields = (("imported", origin), *noted, (FIELD, "import"), *record.fields)
        entry = episodes.Episode(
            date,
            clock.take_time(record.time),
            "event",
            "medium",
            (),
            "conversation",
            fields,
            record.text,
        )
        parts.append(episodes.render_entry(entry))
        made[record.origin] = entry.id
    if len(parts) == 1 and before:
        return before
    return "\n".join(parts)


class _Clock:
    """The times of one day that are taken."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._next: dict[str, int] = {}

    def take_time(self, time: str) -> str:
        """The time, or the next second that no entry has; it is taken then."""
        found = time
        if time in self._taken:
            hours, minutes, seconds = [*map(int, time.split(":")), 0][:3]
            start = self._next.get(time, hours * 3600 + minutes * 60 + seconds + 1)
            for step in range(start, start + 86_400):
                late = step % 86_400
                found = f"{late // 3600:02}:{late // 60 % 60:02}:{late % 60:02}"
                if found not in self._taken:
                    self._next[time] = step + 1
                    break
            else:
                raise errors.Failed("a day holds no more than 86,400 entries")
        self._taken.add(found)
        return found
