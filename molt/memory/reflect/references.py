"""Which memory some words mean: ids as people and models write them."""

from __future__ import annotations

import re

from molt.formats import ids, paths
from molt.formats.prose import citations, notes
from molt.memory.graph import graph, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.reflect.material.material import ReflectionMaterial

_ENTRY = re.compile(r"(\d{4}-\d\d-\d\d)(?:\.md)?[\s:T#_|@]+(\d\d:\d\d(?::\d\d)?)")


class References:
    """Finds the ids of a material's memories in whatever form they are named."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        self._graph = graph.load(material.tree)
        self._known = material.memories
        self._notes = material.notebook
        self._pieces = material.notes.pieces
        # Models write the time of an entry without its seconds, or its words instead of its id.
        self._minutes: dict[str, list[str]] = {}
        self._texts: dict[str, str] = {}
        for one in material.memories.values():
            if one.id.startswith("episode:"):
                self._minutes.setdefault(one.id[:24], []).append(one.id)
            self._texts.setdefault(_fold(one.text), one.id)
        for piece in self._pieces:
            self._texts.setdefault(_fold(piece.text), piece.id)

    def resolve_id(self, text: str) -> str:
        """The id that some words mean; the words themselves where they mean none."""
        bare = text.strip().strip("[]()<>`'\"").removeprefix("source:").removeprefix("id:").strip()
        bare = bare.removeprefix("[[").removesuffix("]]").removeprefix("./")
        for one in (text, bare, ids.complete_id(bare)):
            if one in self._known or self._notes.find(one) is not None:
                return one
        # A bullet as it stands in its file names the entry that it is from, and means itself.
        return (
            self._texts.get(_fold(text.removeprefix("- ")), "")
            or self._texts.get(_fold(bare.removeprefix("- ")), "")
            or self._find_entry(bare)
            or self._find_line(bare)
            or self._find_file(bare)
            or self._find_entity(bare)
            or text
        )

    def _find_entry(self, text: str) -> str:
        found = _ENTRY.search(text)
        if found is None:
            return ""
        whole = ids.episode(found.group(1), found.group(2))
        if whole in self._known:
            return whole
        # Only where one entry of the minute is meant, and no other.
        near = self._minutes.get(whole[:24], [])
        wanted = found.group(2)
        fits = [one for one in near if one.startswith(whole) or f"{one[8:]}:00".endswith(wanted)]
        return fits[0] if len(fits) == 1 else ""

    def _find_line(self, text: str) -> str:
        """The piece of a note that a line is part of: `2026-03-04#L12`, or its words."""
        place = citations.parse_citation(text)
        if place is not None and place.first:
            path = f"memory/{place.day}.md" if place.day else place.path
            return self._notes.find_line(path, place.first)
        if not text.startswith(notes.PREFIX):
            return ""
        wanted = text.rpartition("#")[2]
        near = [one.id for one in self._pieces if one.id.endswith(f"#{wanted}")]
        return near[0] if len(near) == 1 else ""

    def _find_file(self, text: str) -> str:
        kind = paths.kind_of(text.partition("#")[0])
        if kind not in paths.FILE_KINDS:
            return ""
        folder = paths.STORE_OF_KIND[kind].folder
        memory = f"{kind}:{text.partition('#')[0].removeprefix(folder).removesuffix('.md')}"
        return memory if memory in self._known else ""

    def _find_entity(self, text: str) -> str:
        name = text.removeprefix("entity:").removeprefix("person:")
        if len(name) > 120 or not name:
            return ""
        stem = resolve.resolve_entity(self._graph, name)
        return ids.entity(stem) if stem and ids.entity(stem) in self._known else ""


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()
