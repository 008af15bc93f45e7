"""MemFS, the memory of Letta's agents: what is below `system/` is always in the prompt, of all else
its name and description.
"""

from __future__ import annotations

import json

from molt.formats import frontmatter
from molt.hosts.adapters import foreign_notes, markdown, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime

    from molt.hosts.adapters.shape import Files
    from molt.memory.write.import_sources import SourceContent

_SYSTEM = "system/"


def _list_keys(path: str, text: str, _place: str) -> tuple[tuple[str, str], ...]:
    said = json.dumps(places.describe_note(path, text), ensure_ascii=False)
    return (("description", said),)


def _knows(files: Files) -> bool:
    system = [text for name, text in files.items() if name.startswith(_SYSTEM)]
    return any("description" in frontmatter.metadata(text) for text in system)


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Every file as a note, skills too: what an agent is to do, nobody here has approved."""
    return foreign_notes.take_notes(files)


STYLE = markdown.Style(
    lambda path: places.place_in_folders(path, f"{_SYSTEM}core-memory.md"), _list_keys
)
FORMAT = Format(
    "memfs",
    "MemFS (Letta)",
    _knows,
    _read,
    lambda notes: markdown.pack_notes(STYLE, notes),
    lambda files: markdown.unpack_notes(STYLE, files),
    (SCORES, HISTORY),
)
