"""Why a reflection proposes nothing, for the person who asked for one."""

from __future__ import annotations

from molt.memory.reflect.material import notebook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.draft import Draft

_MOST_DROPPED = 3
"""What was left out is told of so many; all of it is in `--json`."""
_LONGEST = 60
"""So many characters of an operation say which it is."""
_LIMITS = (
    "without a model only what is certain is proposed, and nothing out of running text or notes",
    "a model finds more: `molt reflect --brief` prints what it needs to know",
)
"""What a person has to know who wonders why nothing came of what was read."""


def explain_idle(made: Draft) -> Iterator[str]:
    """The rows that say of a draft without operations what it has read, what it has left out, and
    what no reflection reads.
    """
    found = made.material
    fresh, past, notes = found.count_entries(), found.records[-1:], found.notes
    said, heard = len(found.heard.turns), len(found.heard.read)
    if heard and not fresh and not notes.read:
        talks = f"{heard:,} ended session{'s' * (heard != 1)}"
        yield f"nothing to propose from {said:,} new turn{'s' * (said != 1)} of {talks}"
    elif notes.read and not fresh:
        name = "daily notes" if len(notes.read) > 1 else "daily note"
        yield f"nothing to propose from {len(notes.read):,} {name} of {notes.total:,}"
    elif fresh:
        yield f"nothing to propose from {fresh:,} new episode{'s' * (fresh != 1)}"
    elif past:
        yield f"nothing to propose: no new episode since {past[0].id}"
    else:
        yield "nothing to propose: there is no episode yet; `molt remember` writes them"
    for one, why in made.dropped[:_MOST_DROPPED]:
        yield f"left out: {_name_operation(one)}: {why}"
    if made.engine == "rules" and (fresh or heard or notebook.list_dated(found.tree)):
        yield from _LIMITS
    if notes.left:
        yield f"{notes.left:,} daily notes wait for later reflections"
    if left := found.heard.left:
        yield f"{left:,} session{'s wait' if left != 1 else ' waits'} for later reflections"


def _name_operation(one: Operation) -> str:
    """An operation by its kind and the first words that it is about."""
    rows = [row for name in ("add", "replace", "drop") for row in one.rows(name)]
    said = [text for row in (one.args, *rows) for text in row.values() if isinstance(text, str)]
    text = " ".join("".join(said[:1]).split())
    cut = f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text
    return f"{one.op} {cut}".rstrip()
