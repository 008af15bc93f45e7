"""Edges that another tool's graph/index.md has, and that no entity tells yet."""

from __future__ import annotations

from molt.formats import entity, paths
from molt.memory.graph.index_page import HEAD
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.trees import Edits, Tree


class IndexEdge(Value):
    """A row of the second table, as another tool has written it."""

    source: str
    word: str
    target: str
    note: str


def parse_edges(text: str) -> tuple[IndexEdge, ...]:
    """The edges that an index lists; none for one that molt has made of the entities."""
    if text.startswith(HEAD):
        return ()
    found: list[IndexEdge] = []
    for row in text.partition("## Edges")[2].split("\n"):
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        source, word, target, *rest = (*cells, "", "")
        named = all("--" in stem and not stem.startswith("-") for stem in (source, target))
        if row.startswith("|") and named and word:
            told = zip(("confidence", "since"), rest, strict=False)
            note = ", ".join(f"{key}: {value}" for key, value in told if value not in ("", "—"))
            found.append(IndexEdge(source, word, target, note))
    return tuple(found)


def add_edges(tree: Tree, edges: Iterable[IndexEdge]) -> Edits:
    """The entities with the edges that none of them has yet; one without a file is left out."""
    edits: Edits = {}
    for edge in edges:
        path = f"{paths.ENTITIES}{edge.source}.md"
        data = edits.get(path) or tree.read(path)
        if data is None:
            continue
        before = data.decode("utf-8", "surrogateescape")
        after = entity.add_relation(before, edge.word, edge.target, edge.note)
        if after != before:
            edits[path] = after.encode("utf-8", "surrogateescape")
    return edits
