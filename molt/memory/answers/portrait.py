"""An entity with all that is known of it: its file, its relations, and what is near."""

from __future__ import annotations

from molt.formats import ids
from molt.memory import shown
from molt.memory.answers import get
from molt.memory.graph import graph as graphs
from molt.memory.graph import resolve
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.answers.get import Passage
    from molt.memory.graph.graph import GraphEdge, GraphStep, Node
    from molt.memory.workspace import Workspace


class Portrait(Value):
    """An entity: its node, its file, the relations of either direction, and its neighbours with
    what they are called, nearest first.
    """

    node: Node
    file: Passage
    edges: tuple[GraphEdge, ...]
    near: tuple[tuple[GraphStep, str], ...]


def draw_entity(ws: Workspace, name: str, hops: int = 1) -> Portrait:
    """What is known of an entity by its id, label or alias, and what is so many hops around it.
    Raises NotFound with the nearest names.
    """
    files, head = shown.hide_held(ws, ws.files()), shown.hide_held(ws, ws.head())
    known = graphs.load_shown(files, head, ws.repo.cache)
    stem = resolve.require_entity(known, name.removeprefix("entity:"), ws.config.graph_ask)
    steps = graphs.find_neighbours(known, stem, hops)
    near = tuple((step, _name_node(known.find_node(step.id))) for step in steps)
    node = known.find_node(stem) or graphs.Node(stem, "", stem)
    return Portrait(node, get.get_passage(ws, ids.entity(stem)), known.edges_of(stem), near)


def _name_node(node: Node | None) -> str:
    return node.label if node else ""
