"""mem0: a list of short memories, each with an id, a time and what is said about it beside it."""

from __future__ import annotations

import json
import uuid

from molt import untrusted
from molt.formats import bullets, entity, episodes, frontmatter, paths
from molt.hosts.adapters.shape import HISTORY, SCORES, Format, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from molt.hosts.adapters.shape import Files

FILE = "memories.json"
_NAMES = uuid.UUID("9e0f3c52-5f0b-4f0e-8c43-8a2f6f0f6d10")
"""The name space in which the ids of molt's memories are ids of mem0's, which are UUIDs."""
_KEY = "molt"


def _pack(notes: Sequence[Note]) -> dict[str, str]:
    rows = [row for one in notes for row in _list_rows(one)]
    edges = [
        {"source": f"{source}", "relationship": edge.word, "target": edge.target}
        for one in notes
        if paths.kind_of(one.path) == "entity"
        for source in (one.path.rpartition("/")[2].removesuffix(".md"),)
        for edge in entity.relations(one.text)
    ]
    data = {"results": rows, "relations": edges}
    return {FILE: json.dumps(data, ensure_ascii=False, indent=1) + "\n"}


def _list_rows(note: Note) -> list[dict[str, Any]]:
    """A file as memories; one that would not be the same again is a single one."""
    kind = paths.kind_of(note.path)
    parts = list(_split(note)) if kind in ("core", "episode") else []
    if parts and _join([one["metadata"][_KEY] | one for one in parts]) == note.text:
        return parts
    front = note.text[: len(note.text) - len(frontmatter.split_front_matter(note.text)[1])]
    body = note.text.removeprefix(front)
    stamp = str(frontmatter.metadata(note.text).get("updated") or "")
    name = f"{kind}:{note.path.rpartition('/')[2].removesuffix('.md')}"
    own = name if kind in paths.FILE_KINDS else note.path
    return [_make_row(own, body, stamp, {"path": note.path, "front": front})]


def _split(note: Note) -> Iterator[dict[str, Any]]:
    """The bullets of core memory, or the entries of a day, with the lines between them."""
    rows = note.text.split("\n")
    if paths.kind_of(note.path) == "core":
        found = [(one.id, one.start, one.end, "") for one in bullets.core_bullets(note.text)]
    else:
        day = paths.date_of(note.path) or ""
        parsed = episodes.parse(note.text, day)
        found = [(one.id, one.start, one.end, f"{day}T{one.stamp}") for one in parsed]
    at = 0
    for number, (name, start, end, stamp) in enumerate(sorted(found, key=lambda one: one[1])):
        first = start if stamp else start - 1
        lead = "- " if not stamp and rows[first].startswith("- ") else ""
        said = "\n".join(rows[first:end]).removeprefix(lead)
        place = {"path": note.path, "number": number, "head": rows[at:first], "lead": lead}
        at = end
        last = number == len(found) - 1
        yield _make_row(name, said, stamp, place | ({"tail": rows[at:]} if last else {}))


def _make_row(name: str, text: str, stamp: str, place: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": str(uuid.uuid5(_NAMES, name)), "memory": text}
    row["metadata"] = {_KEY: {"id": name, **place}}
    return row | ({"created_at": stamp, "updated_at": stamp} if stamp else {})


def _join(parts: Sequence[dict[str, Any]]) -> str:
    """The file of some pieces, each with the lines before it (`head`) and behind it (`tail`)."""
    rows: list[str] = []
    for one in parts:
        rows += _list_texts(one.get("head"))
        rows += f"{one.get('lead') or ''}{one['memory']}".split("\n")
        rows += _list_texts(one.get("tail"))
    return "\n".join(rows)


def _list_texts(value: object) -> list[str]:
    return [str(row) for row in value] if isinstance(value, list) else []


def _unpack(files: Files) -> tuple[Note, ...]:
    held: dict[str, list[dict[str, Any]]] = {}
    for row in _list_results(files):
        meta = row.get("metadata")
        own = meta.get(_KEY) if isinstance(meta, dict) else None
        if isinstance(own, dict) and isinstance(own.get("path"), str):
            held.setdefault(own["path"], []).append(own | {"memory": str(row.get("memory") or "")})
    return tuple(Note(path, _join_rows(parts)) for path, parts in sorted(held.items()))


def _join_rows(parts: list[dict[str, Any]]) -> str:
    if "number" not in parts[0]:
        return f"{parts[0].get('front') or ''}{parts[0]['memory']}"
    ordered = sorted(parts, key=lambda one: one["number"] if _is_number(one.get("number")) else 0)
    return _join(ordered)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _list_results(files: Files) -> list[dict[str, Any]]:
    try:
        data = untrusted.parse_json(next(iter(files.values()), "null"))
    except ValueError:
        return []
    found = data.get("results", data.get("memories")) if isinstance(data, dict) else data
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _knows(files: Files) -> bool:
    every = _list_results(files) if len(files) == 1 else []
    return bool(every) and all("memory" in one for one in every)


FORMAT = Format("mem0", "mem0", _knows, None, _pack, _unpack, (SCORES, HISTORY), whole=FILE)
