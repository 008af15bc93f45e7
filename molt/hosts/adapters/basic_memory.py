"""Basic Memory: notes with a title and a permalink, `- [category] observation` and
`- relation [[Target]]`.
"""

from __future__ import annotations

import json
import re

from molt.formats import bullets, frontmatter, lines, paths, sections
from molt.formats.entity import ENTITY_SECTIONS
from molt.formats.fields import text_field
from molt.hosts.adapters import foreign_notes, markdown, pages, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable

    from molt.hosts.adapters.shape import Files
    from molt.memory.write.import_sources import SourceContent

_CATEGORIES = {
    "Facts": "[fact] ",
    "Timeline": "[event] ",
    "Open Questions": "[question] ",
}
_OBSERVATION = re.compile(r"^\s*[-*] \[(?P<category>[^\[\]()\n]+)\] +(?P<text>\S.*)$")
_RELATION = re.compile(
    r'^\s*[-*] (?:"(?P<quoted>[^"\n]+)" |(?P<word>\S+) )?\[\[(?P<target>[^\[\]\n]+)\]\]'
)
_BOXES = frozenset((" ", "x", "X", "-"))
_MOST = 0.5
"""So many notes of a folder have a permalink, or it is of another program."""


def _list_keys(path: str, text: str, place: str) -> tuple[tuple[str, str], ...]:
    stem = place.rpartition("/")[2].removesuffix(".md")
    # It looks a note up by its permalink with single hyphens, as in `memory://tool-gate`.
    permalink = "-".join(filter(None, stem.split("-"))) or stem
    return (
        ("title", json.dumps(places.name_note(path, text), ensure_ascii=False)),
        ("type", "note"),
        ("permalink", json.dumps(permalink, ensure_ascii=False)),
    )


def _dress(path: str, text: str, _where: object) -> str:
    """The facts, events and questions of an entity as observations."""
    return _change_items(path, text, lambda said, mark: f"{mark}{said}")


def _undress(path: str, text: str) -> str:
    return _change_items(path, text, lambda said, mark: said.removeprefix(mark))


def _change_items(path: str, text: str, change: Callable[[str, str], str]) -> str:
    if paths.kind_of(path) != "entity":
        return text
    for title in ENTITY_SECTIONS:
        mark = _CATEGORIES.get(title)
        for one in bullets.bullets(text, title) if mark else ():
            row = lines.bare_lines(text)[one.start - 1]
            if row.startswith("- "):
                fresh = f"- {change(row[2:], mark or '')}"
                text = lines.splice_lines(text, one.start - 1, one.start, (fresh,))
    return text


def _knows(files: Files) -> bool:
    notes = [frontmatter.metadata(text) for name, text in files.items() if name.endswith(".md")]
    told = [one for one in notes if "permalink" in one and "title" in one]
    return bool(told) and len(told) > _MOST * len(notes)


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Each note as an entity with its observations and relations. A note that says more than these
    is kept as it is as well.
    """
    notes = {name: text for name, text in sorted(files.items()) if name.endswith(".md")}
    found = [_read_page(name, text) for name, text in notes.items()]
    more = {page.name: notes[page.name] for page in found if page.more}
    made, remarks = pages.make_entities(found)
    return foreign_notes.take_notes(more).replace(entities=made, remarks=remarks)


def _read_page(name: str, text: str) -> pages.Page:
    front = frontmatter.metadata(text)
    title = text_field(front, "title") or name.rpartition("/")[2].removesuffix(".md")
    facts: list[str] = []
    links: list[tuple[str, str]] = []
    more = False
    body = frontmatter.split_front_matter(text)[1].split("\n")
    for row, fenced in zip(body, sections.find_fences(body), strict=True):
        said, linked = (
            (_OBSERVATION.match(row), _RELATION.match(row)) if not fenced else (None, None)
        )
        if said and said["category"] not in _BOXES:
            facts.append(f"[{said['category'].strip()}] {said['text'].strip()}")
        elif linked:
            word = linked["quoted"] or linked["word"] or "links-to"
            links.append((word, linked["target"]))
        else:
            more = more or _says_more(row, title)
        links += [] if fenced else [("links-to", target) for target in pages.find_links(row)]
    return pages.read_page(name, text).replace(
        title=title,
        names=tuple(filter(None, (title, text_field(front, "permalink")))),
        facts=tuple(facts),
        links=tuple(links),
        more=more,
    )


def _says_more(row: str, title: str) -> bool:
    """Whether a line says what is no observation and no relation; the headings over them and the
    note's own title say nothing.
    """
    plain = row.strip()
    known = ("observations", "relations", title.casefold())
    return bool(plain) and not (plain[:1] == "#" and plain.strip("# ").casefold() in known)


STYLE = markdown.Style(
    lambda path: places.place_in_folders(path, "core-memory.md"), _list_keys, _dress, _undress
)
FORMAT = Format(
    "basic-memory",
    "Basic Memory",
    _knows,
    _read,
    lambda notes: markdown.pack_notes(STYLE, notes),
    lambda files: markdown.unpack_notes(STYLE, files),
    (SCORES, HISTORY),
)
