"""MemFS, the memory of Letta's agents: a repository whose notes at the top are always in the
prompt, and of a folder that it has an index, MEMORY.md. Before, it was what stood below `system/`.

Letta's own hook takes no commit in which a note has front matter of other keys than two, is larger
or lies deeper than below. So what molt's mark stands in is the beginning of the note's words.
"""

from __future__ import annotations

import json

from molt.formats import frontmatter
from molt.hosts.adapters import foreign_notes, marks, places
from molt.hosts.adapters.shape import HISTORY, SCORES, Format, Lack, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Mapping, Sequence

    from molt.hosts.adapters.shape import Files
    from molt.memory.write.import_sources import SourceContent

_INDEX = "MEMORY.md"
_CORE = "core-memory.md"
_KEYS = frozenset(("name", "description"))
_BEFORE = "system/"
_FOLDERS = ("episodes", "entities", "procedures", "vault", "imported", "notes")
_MOST = 20_000
"""Characters of a file (`maxFileCharacters`)."""
_LISTED = _MOST - 100
"""Characters of an index, less the line that says how many more there are."""


def _place(path: str) -> str:
    """The place of a file; none is in a folder of a folder, which would want an index as well."""
    folder, _, name = places.place_in_folders(path, _CORE).partition("/")
    return f"{folder}/{name.replace('/', '--')}" if name else folder


def _pack(notes: Sequence[Note]) -> dict[str, str]:
    reserved = (_INDEX, *(f"{folder}/{_INDEX}" for folder in _FOLDERS))
    where = places.choose_places((one.path for one in notes), _place, reserved)
    return {where[one.path]: _render(one) for one in notes} | _list_indices(notes, where)


def _render(note: Note) -> str:
    said = (places.name_note(note.path, note.text), places.describe_note(note.path, note.text))
    name, about = (json.dumps(one, ensure_ascii=False) for one in said)
    marked = marks.add_mark(note.text, note.path, ())
    return f"---\nname: {name}\ndescription: {about}\n---\n{marked}"


def _list_indices(notes: Sequence[Note], where: Mapping[str, str]) -> dict[str, str]:
    """An index at the top and in each folder."""
    held: dict[str, list[Note]] = {}
    for one in notes:
        held.setdefault(where[one.path].rpartition("/")[0], []).append(one)
    top = places.list_links(held.pop("", []), where)
    folders = [(name, len(held[name])) for name in _FOLDERS if name in held]
    top += [f"- [{name.title()}]({name}/{_INDEX}) — files: {count}" for name, count in folders]
    made = {_INDEX: _render_index("Memory", top)}
    for name, every in held.items():
        inside = {one.path: where[one.path].removeprefix(f"{name}/") for one in every}
        made[f"{name}/{_INDEX}"] = _render_index(name.title(), places.list_links(every, inside))
    return made


def _render_index(title: str, rows: Sequence[str]) -> str:
    text = f"# {title}\n\n"
    for number, row in enumerate(rows):
        if len(text) + len(row) > _LISTED:
            return f"{text}- and {len(rows) - number} more in this folder\n"
        text += f"{row}\n"
    return text


def _unpack(files: Files) -> tuple[Note, ...]:
    """The notes of files that have a mark, in their words or where molt once put it: in front."""
    told = {name: text for name, text in sorted(files.items()) if name.endswith(".md")}
    bodies = [
        text if marks.find_mark(text) else frontmatter.split_front_matter(text)[1]
        for text in told.values()
    ]
    return tuple(
        Note(path, marks.remove_mark(body)) for body in bodies if (path := marks.find_mark(body))
    )


def _knows(files: Files) -> bool:
    """Whether the notes at the top have the two keys and no other, beside an index that has none;
    or a note of the earlier layout describes itself.
    """
    top = [text for name, text in files.items() if "/" not in name and name != _INDEX]
    fronts = [frontmatter.metadata(text) for text in top]
    plain = not frontmatter.metadata(files.get(_INDEX, "---\n"))
    now = _INDEX in files and plain and all(one.keys() == _KEYS for one in fronts)
    before = [text for name, text in files.items() if name.startswith(_BEFORE)]
    described = any("description" in frontmatter.metadata(text) for text in before)
    return (now and bool(fronts)) or described


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """Every file as a note, skills too: what an agent is to do, nobody here has approved. An index
    that only lists says nothing that they do not say.
    """
    told = {name: text for name, text in files.items() if not _only_lists(name, text)}
    return foreign_notes.take_notes(told)


def _only_lists(name: str, text: str) -> bool:
    rows = (row.strip() for row in text.split("\n"))
    lists = all(not row or row.startswith(("#", "- [", "- and ")) for row in rows)
    return name.rpartition("/")[2] == _INDEX and lists


def _measure(files: Files) -> tuple[Lack, ...]:
    large = (name for name, text in files.items() if len(text) > _MOST)
    why = f"Letta commits {_MOST:,} characters of a file; `.memfs.config.json` there allows more"
    return tuple(Lack(name, why) for name in large)


FORMAT = Format(
    "memfs", "MemFS (Letta)", _knows, _read, _pack, _unpack, (SCORES, HISTORY), _measure
)
