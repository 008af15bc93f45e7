"""Why nothing says something any more: it was forgotten, and a tombstone keeps it away."""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.meta import tombstones
from molt.memory.provenance.audit_lines import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace

_SAID = "forgotten, and kept from coming back by itself: a person's `molt remember` brings it back"


def trace_value(ws: Workspace, text: str) -> tuple[Line, ...]:
    """A line for each tombstone of what a text says, the oldest first."""
    known = tombstones.parse_tombstones(trees.read_text(ws.head(), paths.TOMBSTONES))
    found = sorted(tombstones.find_tombstones(text, known), key=lambda one: one.date)
    return tuple(
        Line(f"{one.date}T00:00Z", "FORGOTTEN", paths.TOMBSTONES, "—", "—", _SAID, "")
        for one in found
    )
