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
    from molt.memory.provenance.audit_lines import Line
    from molt.memory.why.lineage import Chapter
    from molt.memory.workspace import Workspace


def tell_story(ws: Workspace, ref: str) -> tuple[Chapter, ...]:
    """The story of a memory, a file or a place (by its id, path, citation or label), oldest first,
    or what a tombstone says of words. Raises NotFound where nothing does.
    """
    names = refs.find_memories(ws, ref)
    story = tuple(one for name in names for one in lineage.tell_story(ws, name))
    if not story:
        from molt.memory.forget import buried

        story = tuple(lineage.Chapter(line, "", "") for line in buried.trace_value(ws, ref))
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", _hint_at_file(ws, ref))
    return story


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
