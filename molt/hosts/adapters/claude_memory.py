"""Claude Code's own memory: a folder of topics with a name, a line of description and a type, and
MEMORY.md, which lists them and of which the beginning is always read.
"""

from __future__ import annotations

import json

from molt.formats import frontmatter, paths
from molt.hosts.adapters import foreign_notes, markdown, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format, Lack

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Mapping, Sequence

    from molt.hosts.adapters.shape import Files, Note
    from molt.memory.write.import_sources import SourceContent

_INDEX = "MEMORY.md"
_MOST_LINES, _MOST_BYTES = 200, 25_000
"""How much of the index the program reads at the start of a session."""
_TYPES = {"person": "user", "preference": "user", "project": "project"}


def _list_keys(path: str, text: str, place: str) -> tuple[tuple[str, str], ...]:
    kind = paths.kind_of(path)
    said = str(frontmatter.metadata(text).get("type", ""))
    type_ = {"core": "user", "procedure": "feedback"}.get(kind, _TYPES.get(said, "reference"))
    return (
        ("name", json.dumps(place.removesuffix(".md"), ensure_ascii=False)),
        ("description", json.dumps(places.describe_note(path, text), ensure_ascii=False)),
        ("metadata", f"{{type: {type_}}}"),
    )


def _list_extra(notes: Sequence[Note], where: Mapping[str, str]) -> dict[str, str]:
    rows = ["# Memory", "", *places.list_links(notes, where)]
    return {_INDEX: "\n".join(rows) + "\n"}


def _measure(files: Files) -> tuple[Lack, ...]:
    text = files.get(_INDEX, "")
    if text.count("\n") <= _MOST_LINES and len(text.encode()) <= _MOST_BYTES:
        return ()
    why = f"Claude Code reads {_MOST_LINES} lines or {_MOST_BYTES:,} bytes of it at a start"
    return (Lack("the end of the index MEMORY.md", why),)


def _knows(files: Files) -> bool:
    topics = [text for name, text in files.items() if "/" not in name and name != _INDEX]
    fronts = [frontmatter.metadata(text) for text in topics]
    told = [one for one in fronts if "name" in one and "description" in one]
    return _INDEX in files and len(told) > 0 and 2 * len(told) >= len(fronts)


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Its topics as notes; the index says nothing that they do not say, but where it is all."""
    topics = {name: text for name, text in files.items() if name != _INDEX}
    return foreign_notes.take_notes(topics or files)


STYLE = markdown.Style(
    places.place_flat,
    _list_keys,
    list_extra=_list_extra,
    reserved=(_INDEX,),
)
FORMAT = Format(
    "claude-memory",
    "Claude Code's memory",
    _knows,
    _read,
    lambda notes: markdown.pack_notes(STYLE, notes),
    lambda files: markdown.unpack_notes(STYLE, files),
    (SCORES, HISTORY),
    _measure,
)
