"""What an import reads: records, Markdown and text, transcripts, exports of other programs."""

from __future__ import annotations

import codecs
import json
import os

from molt import errors, untrusted
from molt.formats import paths, times
from molt.formats.origin import FIELD
from molt.memory.write import exports, import_keys
from molt.policy import growth, secrets, texts
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from molt.formats.entity import Entity

READ = (
    'it reads lines such as {"text": "…", "date": "2026-02-03"}, Markdown and folders of it, text, '
    "transcripts, and exports of ChatGPT, Claude and mem0"
)
_NOTES = (".md", ".markdown", ".txt")
LARGE = f"is over {growth.LIMIT >> 20} MiB"
# A damaged note has a few odd characters; of an image or archive about a third are.
_MOST_ODD = 0.05
_FEW_ODD = 10


class ImportRecord(Value):
    """One thing to bring in: when (`YYYY-MM-DD`, `HH:MM`; both empty where it is no event), its
    words, its id at the source, and who said it where, under which title; `odd` is how many
    characters were taken out that no memory may hold, `key` an id that no other record of any
    file has, if there is one.
    """

    date: str
    time: str
    text: str
    origin: str
    fields: tuple[tuple[str, str], ...] = ()
    odd: int = 0
    key: str = ""


class SourceContent(Value):
    """What a source holds: its records, its notes (name, text), the characters that were taken
    out, and the files that are no text. With `named` the notes keep the names of their files,
    which links point to; those whose names are ids of their program are `keyed`. `entities` are
    what its types and links make of the graph; `remarks` say what of it does not come along.
    """

    records: tuple[ImportRecord, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    odd: int = 0
    skipped: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    named: bool = False
    keyed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def _read_jsonl(path: str, group: str) -> tuple[tuple[ImportRecord, ...], int]:
    """The records of a file with one JSON object a line: `text`, and where there is one `id`,
    `date`, `group`, `session`, `speaker`, `title`; and how many characters were taken out.

    Raises NotFound, or Usage that names the first line that is none. With `group` only its
    records are taken.
    """
    whole, odd = read_text(path)
    rows = whole.split("\n")
    found = []
    for number, row in enumerate(rows, 1):
        if row.strip():
            data = _parse_object(path, number, row)
            if not group or data.get("group") == group:
                found.append(make_record(path, number, data))
    return tuple(found), odd + sum(one.odd for one in found)


def read_text(path: str) -> tuple[str, int]:
    """The text of a file without its odd characters, and how many these were.

    Raises NotFound, or Usage for one that is no text.
    """
    data = _read_bytes(path)
    if data.startswith(texts.WIDE):
        return _read_wide(path, data)
    text = data.decode("utf-8-sig", "surrogateescape")
    stripped = _require_text(path, text, texts.take_out_odd(text))
    body = data.removeprefix(codecs.BOM_UTF8)
    if not stripped[1] or stripped[1] != len(body) - len(body.decode("ascii", "ignore")):
        return stripped
    # All that is odd is letters, none in UTF-8: they are of the code page that old programs write.
    return texts.take_out_odd(body.decode("cp1252", "surrogateescape"))


def _read_wide(path: str, data: bytes) -> tuple[str, int]:
    """The same of what begins as UTF-16 does. Two bytes of a program or an image are a sign of some
    script as well; but of thirty one is half of a pair, which in a text has its other half.
    """
    try:
        text = data[: len(data) // 2 * 2].decode("utf-16")
    except UnicodeDecodeError:
        raise errors.Usage(f"{path} is no text", READ) from None
    return _require_text(path, text, texts.take_out_odd(text))


def read_exact(path: str) -> tuple[str, int]:
    """The same, with what it begins with and how its lines end as they are."""
    text = _read_bytes(path).decode("utf-8", "surrogateescape")
    return _require_text(path, text, texts.strip_odd(text))


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise errors.NotFound(f"no file {path}", READ) from error
    except OSError as error:
        raise errors.unreadable(path, error, READ) from error


def _require_text(path: str, text: str, stripped: tuple[str, int]) -> tuple[str, int]:
    if stripped[1] > max(_FEW_ODD, _MOST_ODD * len(text)):
        raise errors.Usage(f"{path} is no text", READ)
    return stripped


def _parse_object(path: str, number: int, row: str) -> dict[str, Any]:
    try:
        data = untrusted.parse_json(row)
    except ValueError as error:
        raise errors.Usage(f"{path}:{number}: not JSON: {error}", READ) from error
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise errors.Usage(f"{path}:{number}: not an object with a text", READ)
    return data


def make_record(path: str, number: int, data: dict[str, Any]) -> ImportRecord:
    stamp = str(data.get("date") or "")
    date, time = stamp[:10], stamp[11:16]
    if stamp and not times.is_date(date):
        raise errors.Usage(f"{path}:{number}: {stamp!r} is no date", "such as 2026-02-03T14:30")
    clock = time if times.is_time(time) else "00:00"
    # What others wrote down is taken in without its secrets and without what no memory may hold:
    # one of them would refuse the rest.
    odd = 0
    clean: dict[str, str] = {}
    for key in (*import_keys.TOLD, "id", "text"):
        clean[key], more = texts.take_out_odd(str(data.get(key) or ""))
        odd += more
    fields = tuple((key, clean[key].strip()) for key in import_keys.TOLD if clean[key].strip())
    text = secrets.redact(clean["text"])
    return ImportRecord(date, clock, text, clean["id"] or str(number), fields, odd)


def read_source(path: str, group: str, source: str, now: datetime | None) -> SourceContent:
    """What a file or folder holds. Raises NotFound and Usage."""
    if os.path.isdir(path):
        return _read_folder(path, source, now)
    name, ending = os.path.splitext(os.path.basename(path))
    if ending.lower() in _NOTES:
        if _is_large(path):
            raise errors.Usage(f"{path} {LARGE}", "split it")
        text, odd = read_text(path)
        return SourceContent((), ((name, text),), odd)
    every, odd = _read_export(path, now) or _read_jsonl(path, group)
    return _sort_records(every, source).replace(odd=odd)


def _read_export(path: str, now: datetime | None) -> tuple[tuple[ImportRecord, ...], int] | None:
    """The records of an export of another program; None for what is none."""
    from datetime import UTC

    whole, odd = read_text(path)
    if path.lower().endswith(".json"):
        try:
            data = untrusted.parse_json(whole)
        except ValueError as error:
            raise errors.Usage(f"{path} is no JSON: {error}", READ) from error
        found = exports.read_export(data, (now and now.tzinfo) or UTC)
        if found is None:
            raise errors.Usage(f"{path} is the export of no program that molt knows", READ)
    else:
        session = os.path.splitext(os.path.basename(path))[0]
        found = exports.read_transcript(whole.split("\n"), session)
    if found is None:
        return None
    every = tuple(
        make_record(path, number, row).replace(key=row["key"])
        for number, row in enumerate(found.rows, 1)
    )
    return every, odd + sum(one.odd for one in every)


def list_files(path: str) -> tuple[list[str], list[str]]:
    """The Markdown files below a folder, and all others, by their paths in it. What is hidden, a
    link, a pipe or the like is neither: it is not for reading. A workspace below, which may be the
    one that imports, is one of the others (`NAME/`): it keeps its memory itself.
    """
    found: tuple[list[str], list[str]] = ([], [])
    for folder, inner, names in os.walk(path):
        if folder != path and paths.CONFIG in names:
            found[1].append(os.path.relpath(folder, path).replace(os.sep, "/") + "/")
            inner[:] = []
            continue
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            full = os.path.join(folder, name)
            # To open a pipe would wait for whoever writes to it.
            if not name.startswith(".") and os.path.isfile(full) and not os.path.islink(full):
                below = os.path.relpath(full, path).replace(os.sep, "/")
                found[not name.endswith(".md")].append(below)
    return found


def _read_folder(path: str, source: str, now: datetime | None) -> SourceContent:
    """Markdown and text as notes, transcripts and exports as records; what else is in a folder is
    told.
    """
    found, others = list_files(path)
    notes: list[tuple[str, str]] = []
    records: list[ImportRecord] = []
    skipped: list[str] = []
    large: list[str] = []
    odd = 0
    for name in (*found, *others):
        full = os.path.join(path, *name.split("/"))
        stem, ending = os.path.splitext(name)
        try:
            if ending.lower() in _NOTES:
                if _is_large(full):
                    large.append(f"{name} {LARGE}, and left out")
                    continue
                text, more = read_text(full)
                notes.append((stem, text))
            else:
                said, more = _read_inner(full, stem, now)
                records += said
        except errors.Usage:
            # One file that only has the name of a note does not keep the others out.
            skipped.append(name)
            continue
        odd += more
    made = _sort_records(tuple(records), source)
    every = (*notes, *made.notes)
    return made.replace(notes=every, odd=odd, skipped=tuple(skipped), remarks=tuple(large))


def _is_large(path: str) -> bool:
    """Whether a file is larger than any that memory may hold."""
    return os.path.isfile(path) and os.path.getsize(path) > growth.LIMIT


def _read_inner(path: str, stem: str, now: datetime | None) -> tuple[tuple[ImportRecord, ...], int]:
    """The records of a transcript or an export in a folder, told apart from others by the file's
    `stem` where their ids do not. Raises Usage for what is neither.
    """
    found = _read_export(path, now) if path.lower().endswith((".json", ".jsonl")) else None
    if found is None:
        raise errors.Usage(f"{path} is no transcript", READ)
    every, odd = found
    own = (one.origin if one.key == one.origin else f"{stem}:{one.origin}" for one in every)
    return tuple(one.replace(origin=name) for one, name in zip(every, own, strict=True)), odd


def _sort_records(records: tuple[ImportRecord, ...], source: str) -> SourceContent:
    """Records with a date as they are, and the others as notes."""
    undated = [one for one in records if not one.date]
    return SourceContent(
        tuple(one for one in records if one.date),
        tuple(_render_note(one, source) for one in undated),
        keyed=tuple(one.origin for one in undated if one.key),
    )


def _render_note(record: ImportRecord, source: str) -> tuple[str, str]:
    """A record without a date as a note: its id, and its text below what is known of it."""
    fields = dict(record.fields)
    front = {"label": fields.pop("title", ""), "imported": f"{source}#{record.origin}"}
    front |= {FIELD: "import", **fields}
    rows = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    return record.origin, "\n".join(("---", *rows, "---", record.text.rstrip("\n"), ""))
