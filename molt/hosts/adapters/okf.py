"""OKF 0.2, the Open Knowledge Format: concepts with a type, ordinary links, an index."""

from __future__ import annotations

import json
import re

from molt.formats import frontmatter, paths
from molt.formats.fields import text_field
from molt.hosts.adapters import foreign_notes, markdown, pages, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format, Lack

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Mapping, Sequence

    from molt.hosts.adapters.shape import Files, Note
    from molt.memory.write.import_sources import SourceContent

_INDEX, _LOG = "index.md", "log.md"
_VERSION = "okf_version"
_WIKI = re.compile(r"(?<!!)\[\[([^\[\]|#\n]+)(?:\|([^\[\]|\n]+))?\]\]")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]+)\]\(/((?:[^()\s]+/)?)([^()/\s]+)\.md\)")
_ANY_LINK = re.compile(r"(?<!!)\[[^\[\]\n]*\]\(([^()\s]+\.md)(?:#[^()\s]*)?\)")
_KINDS = {"core": "core-memory", "episode": "episode-log"}
_TIMES = Lack("times with a zone", "an entry says its minute; the zone is the workspace's")


def _list_keys(path: str, text: str, _place: str) -> tuple[tuple[str, str], ...]:
    return (
        ("type", _KINDS.get(paths.kind_of(path), "note")),
        ("title", json.dumps(places.name_note(path, text), ensure_ascii=False)),
        ("description", json.dumps(places.describe_note(path, text), ensure_ascii=False)),
    )


def _dress(_path: str, text: str, where: Mapping[str, str]) -> str:
    """Wikilinks as links from the top of the bundle."""
    stems = {one.rpartition("/")[2].removesuffix(".md"): one for one in where.values()}

    def link(found: re.Match[str]) -> str:
        place = stems.get(found[1])
        fits = place and not re.search(r"[()\s]", place)
        return f"[{found[2] or found[1]}](/{place})" if fits else found[0]

    return _WIKI.sub(link, text)


def _undress(_path: str, text: str) -> str:
    def link(found: re.Match[str]) -> str:
        shown = "" if found[1] == found[3] else f"|{found[1]}"
        return f"[[{found[3]}{shown}]]"

    return _LINK.sub(link, text)


def _list_extra(notes: Sequence[Note], where: Mapping[str, str]) -> dict[str, str]:
    rows = ["---", f'{_VERSION}: "0.2"', "---"]
    heading = None
    for one in sorted(notes, key=lambda one: ("/" in where[one.path], where[one.path])):
        place = where[one.path]
        folder = place.rpartition("/")[0]
        if folder != heading:
            heading = folder
            rows += ["", f"# {folder or 'Memory'}"]
        name = places.name_note(one.path, one.text)
        rows.append(f"* [{name}](/{place}) - {places.describe_note(one.path, one.text)}")
    return {_INDEX: "\n".join(rows) + "\n"}


def _is_concept(name: str) -> bool:
    return name.endswith(".md") and name.rpartition("/")[2] not in (_INDEX, _LOG)


def _knows(files: Files) -> bool:
    return _VERSION in frontmatter.metadata(files.get(_INDEX, ""))


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Each concept as it is, under its own name, and as an entity with its links."""
    concepts = {name: text for name, text in sorted(files.items()) if _is_concept(name)}
    made, remarks = pages.make_entities(
        [_read_page(name, text) for name, text in concepts.items()], linked=True
    )
    return foreign_notes.take_notes(concepts).replace(entities=made, remarks=remarks)


def _read_page(name: str, text: str) -> pages.Page:
    front = frontmatter.metadata(text)
    page = pages.read_page(name, text)
    links = tuple(("relates-to", _follow_link(name, one)) for one in _ANY_LINK.findall(text))
    return page.replace(
        title=text_field(front, "title") or page.title,
        summary=text_field(front, "description") or page.summary,
        links=(*page.links, *(one for one in links if one[1])),
    )


def _follow_link(name: str, link: str) -> str:
    """To which concept a link of another one leads; empty where that is outside."""
    if "://" in link:
        return ""
    parts = [] if link.startswith("/") else name.split("/")[:-1]
    for part in link.strip("/").split("/"):
        if part == ".." and not parts:
            return ""
        parts = parts[:-1] if part == ".." else parts if part in (".", "") else [*parts, part]
    return "/".join(parts)


STYLE = markdown.Style(
    lambda path: places.place_in_folders(path, "core-memory.md"),
    _list_keys,
    _dress,
    _undress,
    _list_extra,
    (_INDEX, _LOG),
)
FORMAT = Format(
    "okf",
    "OKF 0.2",
    _knows,
    _read,
    lambda notes: markdown.pack_notes(STYLE, notes),
    lambda files: markdown.unpack_notes(STYLE, files),
    (SCORES, HISTORY, _TIMES),
)
