"""The story of a memory: what was done to it, or that it was forgotten."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from molt import errors
from molt.formats import ids
from molt.memory import refs
from molt.memory.provenance import audit_lines
from molt.memory.why import lineage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from molt.memory.provenance.audit_lines import Line
    from molt.memory.why.lineage import Chapter
    from molt.memory.workspace import Workspace


_SHOWN = 10
"""Memories that are listed of those that say some words."""


def tell_story(ws: Workspace, ref: str) -> tuple[Chapter, ...]:
    """The story of a memory, a file or a place (by its id, path, citation, label, or words that it
    alone says), oldest first, or what a tombstone says of words. Raises NotFound where nothing
    does, with what says the words where several do.
    """
    names = refs.find_memories(ws, ref)
    story = _join_stories(ws, names)
    return story or _tell_by_words(ws, ref)


def _join_stories(ws: Workspace, names: Iterable[str]) -> tuple[Chapter, ...]:
    return tuple(one for name in names for one in lineage.tell_story(ws, name))


def _tell_by_words(ws: Workspace, ref: str) -> tuple[Chapter, ...]:
    from molt.memory.forget import buried, matches

    story = tuple(lineage.Chapter(line, "", "") for line in buried.trace_value(ws, ref))
    if story or refs.is_id(ref) or not ref.strip():
        return story or _refuse(ws, ref)
    # A fact of a note is told with it.
    said = matches.find_matches(ws, ws.files(), matches.Wanted(text=ref))
    found = {one.id.partition("#")[0]: one.text for one in reversed(said)}
    if len(found) < 2:
        return _join_stories(ws, found) or _refuse(ws, ref)
    names = sorted(found)
    rows = [f"\n  {name}  {lineage.veil_words(ws, found[name])}" for name in names[:_SHOWN]]
    rest = f"\n  and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    told = f"{len(found):,} memories say {ref!r}:{''.join(rows)}{rest}"
    raise errors.NotFound(told, f"`molt why {names[0]}` tells of the first")


def _refuse(ws: Workspace, ref: str) -> NoReturn:
    raise errors.NotFound(f"no commit names {ref!r}", _hint_at_file(ws, ref))


def list_newest(ws: Workspace, limit: int) -> tuple[Line, ...]:
    """The newest commits, as lines of the audit log; older ones are not read."""
    commits = ws.repo.log_newest("HEAD", "--")
    return tuple(islice(audit_lines.make_newest(ws.repo, commits), limit))


def _hint_at_file(ws: Workspace, ref: str) -> str:
    """Where the story of what no commit names is told, as of what was imported or adopted."""
    if ref.startswith(f"{ids.TURN}:"):
        return f"`molt get {ref}` tells what was said; nothing that was approved rests on it"
    path = ref
    with suppress(ValueError):
        path = ids.path_of(ref)
    known = ws.head().entry(path) is not None
    return f"`molt log --file {path}` tells of its file" if known else "`molt search` gives ids"
