"""What a person calls a memory: its id, a citation of an answer, or the label of an entity."""

from __future__ import annotations

from contextlib import suppress

from molt import trees
from molt.formats import bullets, episodes, ids, paths
from molt.formats.prose import citations
from molt.formats.prose.citations import CitedPlace
from molt.memory import inventory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.workspace import Workspace
    from molt.trees import Tree


_AROUND = "`'\"()[]{}<>,.;!?*"
_MOST_NAMED = 20
"""Names of memories that are looked up for one text."""


def find_memories(ws: Workspace, ref: str) -> tuple[str, ...]:
    """The ids of the memories that a text means: those at the lines that it cites, the entity that
    is called so, or the id itself. What means none comes back as it is.
    """
    ref = ids.complete_id(ref)
    place = citations.parse_citation(ref)
    if place is not None:
        return tuple(list_cited(ws.files(), place)) or (ref,)
    if ref.endswith(".md"):
        return (inventory.find_id(ref) or ref,)
    return (ref if is_id(ref) else find_labelled(ws, ws.files(), ref) or ref,)


def list_named(tree: Tree, text: str) -> Iterator[str]:
    """The ids of the memories of a tree that a text names by their ids or by links to them."""
    parts = (part.strip(_AROUND) for part in text.replace("]]", " ").replace("[[", " ").split())
    names = dict.fromkeys(filter(_may_name, map(ids.complete_id, parts)))
    for name in tuple(names)[:_MOST_NAMED]:
        with suppress(ValueError):
            if inventory.has_memory(tree, name):
                yield name


def _may_name(part: str) -> bool:
    return part.partition(":")[0] in paths.STORE_OF_KIND


def is_id(ref: str) -> bool:
    """Whether a text is an id of a memory, of one that there is or not."""
    try:
        ids.parse(ref)
    except ValueError:
        return False
    return True


def find_labelled(ws: Workspace, tree: Tree, name: str) -> str:
    """The id of the entity with a label or alias; empty where there is none."""
    # An id is read without the graph, whose modules take as long as the rest of that.
    from molt.memory.graph import graph, resolve

    found = resolve.resolve_entity(graph.load(tree, ws.repo.cache), name) if name.strip() else None
    return ids.entity(found) if found else ""


def find_place(tree: Tree, ref: str) -> CitedPlace | None:
    """Where an id, the path of a file, or a citation stands, with no lines for a whole file; None
    where the tree does not have it.
    """
    place = citations.parse_citation(ref)
    if place is None:
        path = ids.path_of(ref) if is_id(ref) else ref
        place = CitedPlace(path, day=paths.date_of(path) or "")
    place = find_day(tree, place)
    if tree.entry(place.path) is None:
        return None
    if place.first or ref in (place.path, inventory.find_id(place.path)):
        return place
    every = list_places(place.path, trees.read_text(tree, place.path))
    found = next((row for row in every if row[0] == ref), None)
    return place.replace(first=found[1], last=found[2]) if found else None


def find_day(tree: Tree, place: CitedPlace) -> CitedPlace:
    """A place in the log of a day where that is: adopted ones lie directly below `memory/`."""
    if place.day and tree.entry(place.path) is None:
        adopted = f"memory/{place.day}.md"
        return place.replace(path=adopted) if tree.entry(adopted) is not None else place
    return place


def list_cited(tree: Tree, place: CitedPlace) -> Iterator[str]:
    """The ids of the memories that have one of the lines of a place, in order."""
    place = find_day(tree, place)
    whole = inventory.find_id(place.path)
    if whole and tree.entry(place.path) is not None:
        yield whole
        return
    last = place.last or 1 << 30
    for name, start, end in list_places(place.path, trees.read_text(tree, place.path)):
        if start <= last and place.first <= end:
            yield name


def list_places(path: str, text: str) -> Iterator[tuple[str, int, int]]:
    """The memories of a file that holds several, each with its lines, from 1, inclusive."""
    date = paths.date_of(path)
    if date is not None:
        yield from ((one.id, one.start, one.end) for one in episodes.parse(text, date))
    elif path == paths.CORE:
        yield from ((one.id, one.start, one.end) for one in bullets.core_bullets(text))
