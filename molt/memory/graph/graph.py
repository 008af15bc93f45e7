"""The knowledge graph: entities and their relations, as the files of a tree have them."""

from __future__ import annotations

from functools import cached_property, partial

from molt.formats.entity import Entity, Relation
from molt.memory.graph import table as tables
from molt.memory.visible import forgotten
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from molt.memory.graph.table import Cache, NodeRow, SortedLines
    from molt.trees import Tree

# Above so many questions for the edges of an entity, one look at all of them is shorter.
_FEW = 50


class GraphEdge(Value):
    """A relation from one entity to another; `note` is what is said about it."""

    source: str
    word: str
    target: str
    note: str = ""

    def field(self, name: str) -> str:
        """What the note says of one thing, such as `confidence`; empty for nothing."""
        for part in self.note.split(","):
            key, colon, value = part.partition(":")
            if colon and key.strip().casefold() == name:
                return value.strip()
        return ""


class Node(Value):
    """An entity as the graph knows it; `id` is the name of its file without `.md`."""

    id: str
    type: str
    label: str
    aliases: tuple[str, ...] = ()
    created: str = ""
    pinned: bool = False
    edges: tuple[GraphEdge, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called."""
        return (self.label, *self.aliases)


class Graph:
    """Entities and their relations; edges may lead to entities that are not there.

    Nothing is taken apart before it is asked for.
    """

    def __init__(self, names: Callable[[], SortedLines], rows: Callable[[], SortedLines]) -> None:
        self._load_names = names
        self._load_rows = rows
        self._nodes: dict[str, Node] | None = None
        self._asked = 0
        self._touching: dict[str, list[GraphEdge]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.rows.text == other.rows.text

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def names(self) -> SortedLines:
        """The lines that say what entities are called."""
        return self._load_names()

    @cached_property
    def rows(self) -> SortedLines:
        """The lines with all else."""
        return self._load_rows()

    @property
    def nodes(self) -> Mapping[str, Node]:
        """All entities by id, in order."""
        if self._nodes is None:
            every = map(tables.parse_row, self.rows.lines())
            self._nodes = {row.stem: _make_node(row) for row in every}
        return self._nodes

    @property
    def edges(self) -> tuple[GraphEdge, ...]:
        """All relations, in the order of the entities that hold them."""
        return tuple(edge for node in self.nodes.values() for edge in node.edges)

    def find_node(self, stem: str) -> Node | None:
        """An entity by its id."""
        if self._nodes is not None:
            return self._nodes.get(stem)
        line = self.rows.find_line(stem)
        return _make_node(tables.parse_row(line)) if line else None

    def only(self, stem: str) -> Graph:
        """The graph of one entity alone."""
        names, row = self.names.find_line(stem), self.rows.find_line(stem)
        return _hold_lines([names], [row])

    def list_leading(self, stems: Iterable[str]) -> dict[str, str]:
        """The lines of the entities with a relation to one of some, by id."""
        lines = (line for stem in stems for line in self.rows.find_lines(tables.edge_mark(stem)))
        return {tables.parse_row(line).stem: line for line in lines}

    def edges_of(self, stem: str) -> tuple[GraphEdge, ...]:
        """The relations that lead from or to an entity, in the order of those that hold them."""
        self._asked += 1
        if self._asked <= _FEW:
            held = self.rows.find_lines(tables.edge_mark(stem))
            lines = dict.fromkeys((*held, self.rows.find_line(stem)))
            nodes = [_make_node(tables.parse_row(line)) for line in lines if line]
            nodes.sort(key=lambda node: f"{node.id}.md")
            every = (edge for node in nodes for edge in node.edges)
            return tuple(edge for edge in every if stem in (edge.source, edge.target))
        if not self._touching:
            for edge in self.edges:
                for end in dict.fromkeys((edge.source, edge.target)):
                    self._touching.setdefault(end, []).append(edge)
        return tuple(self._touching.get(stem, ()))


class GraphStep(Value):
    """An entity at a distance from another one, and the edge that led there."""

    id: str
    hops: int
    edge: GraphEdge


def load(tree: Tree, cache: Cache | None = None) -> Graph:
    """The graph of a tree. With a `cache`, only files that changed are parsed."""
    names = partial(tables.load_lines, tree, tables.NAMES, cache)
    return Graph(names, partial(tables.load_lines, tree, tables.ROWS, cache))


def load_shown(tree: Tree, head: Tree, cache: Cache | None = None) -> Graph:
    """The graph of a tree as people see it: without what the scores of `head` call forgotten."""
    gone = forgotten.list_forgotten(head, cache)
    kind = "entity:"
    stems = (one.removeprefix(kind) for one in gone if one.startswith(kind))
    return hide_entities(load(tree, cache), stems)


def hide_entities(graph: Graph, stems: Iterable[str]) -> Graph:
    """The graph without some entities, and without the relations that lead to them."""
    gone = frozenset(stems)
    if not gone:
        return graph

    def hide_names() -> SortedLines:
        shown = tables.SortedLines(graph.names.text)
        shown.put(dict.fromkeys(gone, ""))
        return shown

    def hide_rows() -> SortedLines:
        shown = tables.SortedLines(graph.rows.text)
        held = {line for stem in gone for line in shown.find_lines(tables.edge_mark(stem))}
        nodes = map(_make_node, map(tables.parse_row, held))
        fresh = {node.id: _render_without(node, gone) for node in nodes}
        shown.put({**fresh, **dict.fromkeys(gone, "")})
        return shown

    return Graph(hide_names, hide_rows)


def _render_without(node: Node, gone: frozenset[str]) -> str:
    """The line of an entity without its relations to some others."""
    kept = (edge for edge in node.edges if edge.target not in gone)
    edges = tuple(Relation(edge.word, edge.target, edge.note) for edge in kept)
    about = Entity(node.id, node.type, node.label, node.aliases, created=node.created)
    return tables.render_row(node.id, about.replace(pinned=node.pinned, relations=edges))


def make_graph(entities: Iterable[tuple[str, Entity]]) -> Graph:
    """A graph of some entities by their ids."""
    every = list(entities)
    names = (tables.render_names(stem, one) for stem, one in every)
    return _hold_lines(names, (tables.render_row(stem, one) for stem, one in every))


def hold_rows(rows: Iterable[str]) -> Graph:
    """A graph of some lines of `ROWS`, in which nothing is found by name."""
    return _hold_lines((), rows)


def _hold_lines(names: Iterable[str], rows: Iterable[str]) -> Graph:
    named = tables.sort_lines(filter(None, names))
    held = tables.sort_lines(filter(None, rows))
    return Graph(lambda: named, lambda: held)


def _make_node(row: NodeRow) -> Node:
    edges = tuple(GraphEdge(row.stem, *edge) for edge in row.edges)
    return Node(row.stem, row.type, row.label, row.aliases, row.created, row.pinned, edges)


def find_neighbours(graph: Graph, entity: str, hops: int = 1) -> tuple[GraphStep, ...]:
    """The entities that edges of either direction lead to, nearest first; only those there are."""
    found: dict[str, GraphStep] = {}
    front = [entity]
    for distance in range(1, hops + 1):
        reached: list[str] = []
        for here in front:
            for one in graph.edges_of(here):
                there = one.target if one.source == here else one.source
                if there != entity and there not in found and graph.find_node(there):
                    found[there] = GraphStep(there, distance, one)
                    reached.append(there)
        front = reached
    return tuple(found.values())


def find_path(graph: Graph, start: str, end: str) -> tuple[GraphEdge, ...] | None:
    """A shortest way between two entities along edges of either direction; None without one."""
    if start == end:
        return ()
    steps: Mapping[str, GraphStep] = {
        step.id: step for step in find_neighbours(graph, start, max(1, len(graph.nodes)))
    }
    way: list[GraphEdge] = []
    at = end
    while at != start:
        step = steps.get(at)
        if step is None:
            return None
        way.append(step.edge)
        at = step.edge.source if step.edge.target == at else step.edge.target
    return tuple(reversed(way))
