"""Why a reflection proposes nothing, for the person who asked for one."""

from __future__ import annotations

from molt.formats import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.reflect.draft import Draft
    from molt.memory.reflect.material import ReflectionMaterial

_MOST_DROPPED = 3
"""What was left out is told of so many; all of it is in `--json`."""


def explain_idle(made: Draft) -> Iterator[str]:
    """The rows that say of a draft without operations what it has read, what it has left out, and
    what no reflection reads.
    """
    found = made.material
    fresh, past = len(found.fresh), found.records[-1:]
    if fresh:
        yield f"nothing to propose from {fresh:,} new episode{'s' * (fresh != 1)}"
    elif past:
        yield f"nothing to propose: no new episode since {past[0].id}"
    else:
        yield "nothing to propose: there is no episode yet; `molt remember` writes them"
    for _, why in made.dropped[:_MOST_DROPPED]:
        yield f"left out: {why}"
    if notes := _count_plain_notes(found):
        said = "daily notes hold" if notes > 1 else "daily note holds"
        yield f"{notes:,} {said} no episodes: a search reads such notes, a reflection does not"


def _count_plain_notes(material: ReflectionMaterial) -> int:
    """How many notes are named for a day and hold no episode."""
    told = {one.id[8:18] for one in material.memories.values() if one.id.startswith("episode:")}
    return sum(
        path.endswith(".md") and (paths.date_of(path) or "") not in told
        for path in material.tree.entries()
        if paths.kind_of(path) == "episode"
    )
