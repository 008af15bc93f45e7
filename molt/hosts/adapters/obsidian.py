"""Obsidian: notes that link to each other by name, with properties, and one for each day."""

from __future__ import annotations

import json
import re

from molt import untrusted
from molt.formats import frontmatter, ids, paths, times
from molt.hosts.adapters import foreign_notes, markdown, pages, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Mapping

    from molt.hosts.adapters.shape import Files
    from molt.memory.write.import_sources import SourceContent

FOLDER = ".obsidian/"
DAILY = f"{FOLDER}daily-notes.json"
"""Where daily notes are, and how they are called, where that is not the default."""
_REFERENCE = re.compile(
    r"(?<![\w\[|:/-])(?:episode:\d{4}-\d\d-\d\d:\d\d:\d\d(?::\d\d)?|"
    r"(?:entity|procedure|vault):[^\s\[\]|#,;()]+)(?![\w:-])"
)
_LINK = re.compile(r"\[\[([^\[\]|\n]+)\|((?:episode|entity|procedure|vault):[^\[\]|\n]+)\]\]")
_TOKENS = (("YYYY", r"(?P<year>\d{4})"), ("MM", r"(?P<month>\d\d)"), ("DD", r"(?P<day>\d\d)"))


def _list_keys(path: str, text: str, place: str) -> tuple[tuple[str, str], ...]:
    name = places.name_note(path, text)
    stem = place.rpartition("/")[2].removesuffix(".md")
    return (("aliases", f"[{json.dumps(name, ensure_ascii=False)}]"),) * (name != stem)


def _dress(_path: str, text: str, where: Mapping[str, str]) -> str:
    """The ids of memories as links to the notes in which they are."""

    def link(found: re.Match[str]) -> str:
        place = where.get(ids.path_of(found[0]), "")
        stem = place.rpartition("/")[2].removesuffix(".md")
        return f"[[{stem}|{found[0]}]]" if stem else found[0]

    front, body = _split(text)
    return front + _REFERENCE.sub(link, body)


def _undress(_path: str, text: str) -> str:
    front, body = _split(text)
    return front + _LINK.sub(lambda found: found[2], body)


def _split(text: str) -> tuple[str, str]:
    """The front matter with its lines, and what stands below it."""
    body = frontmatter.split_front_matter(text)[1]
    return text[: len(text) - len(body)], body


def _knows(files: Files) -> bool:
    return any(name.startswith(FOLDER) for name in files)


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Its daily notes as episodes, all others as notes under their own names, which links point to,
    and what types and links say of them as the graph.
    """
    notes = {name: text for name, text in sorted(files.items()) if name.endswith(".md")}
    day_of = _read_daily(files.get(DAILY, ""))
    days = {name: (day_of(name), text) for name, text in notes.items() if day_of(name)}
    others = {name: text for name, text in notes.items() if name not in days}
    made, lost = pages.make_entities(
        [pages.read_page(name, text) for name, text in others.items()], linked=True
    )
    named = {name.rpartition("/")[2].removesuffix(".md") for name in days}
    remarks = tuple(one for one in lost if not any(repr(day) in one for day in named))
    found = foreign_notes.take_notes(others).replace(entities=made, remarks=remarks)
    plain = {
        name: (day, frontmatter.split_front_matter(text)[1]) for name, (day, text) in days.items()
    }
    return foreign_notes.take_days(found, plain)


def _read_daily(settings: str) -> Callable[[str], str]:
    """A function that gives the day of a note by its name, as the vault's settings have it."""
    try:
        told = untrusted.parse_json(settings) if settings else {}
    except ValueError:
        told = {}
    folder = str(told.get("folder") or "").strip("/") if isinstance(told, dict) else ""
    form = str(told.get("format") or "") if isinstance(told, dict) else ""
    shape = re.escape(form or "YYYY-MM-DD")
    for token, pattern in _TOKENS:
        shape = shape.replace(token, pattern, 1)
    whole = re.compile(f"{re.escape(f'{folder}/') if folder else ''}{shape}\\.md")
    dated = all(f"(?P<{part}>" in shape for part in ("year", "month", "day"))

    def find(name: str) -> str:
        found = whole.fullmatch(name) if dated else None
        day = "-".join(found.group("year", "month", "day")) if found else ""
        stem = name.rpartition("/")[2].removesuffix(".md")
        return day if times.is_date(day) else stem if times.is_date(stem) else ""

    return find


STYLE = markdown.Style(
    lambda path: places.place_in_folders(path, paths.CORE), _list_keys, _dress, _undress
)
FORMAT = Format(
    "obsidian",
    "Obsidian",
    _knows,
    _read,
    lambda notes: markdown.pack_notes(STYLE, notes),
    lambda files: markdown.unpack_notes(STYLE, files),
    (SCORES, HISTORY),
)
