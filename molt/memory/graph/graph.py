"""The knowledge graph: entities and their relations, as the files of a tree have them."""

from __future__ import annotations

from molt import errors
from molt.formats import bullets, ids, paths
from molt.formats import entity as entity_notes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping
    from typing import Any

    from molt.trees import Tree

    Cache = MutableMapping[str, bytes]
    Row = tuple[Any, ...]

_CACHE = "graph-1"
GENERIC = frozenset(
    (
        "a",
        "an",
        "and",
        "for",
        "in",
        "of",
        "on",
        "our",
        "the",
        "app",
        "flow",
        "project",
        "service",
        "system",
        "tool",
    )
)
"""Words that tell no two names apart."""

_FUZZY = 5


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


class Graph(Value):
    """All entities by id, in order; edges may lead to entities that are not there."""

    nodes: dict[str, Node]

    @property
    def edges(self) -> tuple[GraphEdge, ...]:
        """All relations, in the order of the entities that hold them."""
        return tuple(edge for node in self.nodes.values() for edge in node.edges)


class GraphStep(Value):
    """An entity at a distance from another one, and the edge that led there."""

    id: str
    hops: int
    edge: GraphEdge


def load(tree: Tree, cache: Cache | None = None) -> Graph:
    """The graph of a tree. With a `cache`, only files that changed are parsed."""
    import marshal

    known: dict[str, Row] = {}
    if cache is not None and (kept := cache.get(_CACHE)) is not None:
        try:
            known = marshal.loads(kept)  # noqa: S302 written below, private to the clone
        except (EOFError, ValueError, TypeError):
            known = {}
    rows: dict[str, Row] = {}
    nodes: dict[str, Node] = {}
    files = _list_files(tree)
    fresh = {path: oid for path, oid in files.items() if _make_key(path, oid) not in known}
    prefetch = getattr(tree, "prefetch", None)
    if prefetch is not None:
        prefetch(fresh)
    for path, oid in files.items():
        stem, key = _parse_stem(path), _make_key(path, oid)
        rows[key] = known.get(key) or _parse_row(tree, path, stem)
        nodes[stem] = _make_node(stem, rows[key])
    if cache is not None and rows.keys() != known.keys():
        cache[_CACHE] = marshal.dumps(rows)
    return Graph(nodes)


def _list_files(tree: Tree) -> dict[str, str]:
    """Path and blob id of each entity, from one listing: asking for each takes minutes."""
    found = {
        path: entry.oid
        for path, entry in tree.entries().items()
        if path.startswith(paths.ENTITIES) and path.endswith(".md")
    }
    return {path: found[path] for path in sorted(found) if "/" not in _parse_stem(path)}


def _parse_stem(path: str) -> str:
    return path[len(paths.ENTITIES) : -3]


def _make_key(path: str, oid: str) -> str:
    return f"{oid} {_parse_stem(path)}"


def _parse_row(tree: Tree, path: str, stem: str) -> Row:
    one = entity_notes.parse_entity((tree.read(path) or b"").decode("utf-8", "replace"), stem)
    edges = tuple((edge.word, edge.target, edge.note) for edge in one.relations)
    return one.type, one.label, one.aliases, one.created, one.pinned, edges


def _make_node(stem: str, row: Row) -> Node:
    kind, label, aliases, created, pinned, edges = row
    made = tuple(GraphEdge(stem, *edge) for edge in edges)
    return Node(stem, kind, label, aliases, created, pinned, made)


def resolve_entity(
    graph: Graph, ref: str, *, kind: str = "", similarity: float = 1.0
) -> str | None:
    """The id of the entity that a text means: an id, a label, an alias, or one much alike.

    With `kind` only entities of that type are meant. Below a `similarity` of 1, of 0 to 1, the
    most similar name counts that reaches it. None where nothing is meant.
    """
    stem = ref.removeprefix("entity:").strip()
    if stem in graph.nodes and kind in ("", graph.nodes[stem].type):
        return stem
    if not kind and ":" in stem:
        kind, _, stem = (part.strip() for part in stem.partition(":"))
    wanted = [node for node in graph.nodes.values() if kind in ("", node.type)]
    slug = ids.slug(stem)
    for node in wanted:
        if slug in (node.id.partition("--")[2], *map(ids.slug, node.names)):
            return node.id
    if similarity >= 1.0:
        return None
    scored = (
        (max(compare_names(stem, name, node.type) for name in node.names), node.id)
        for node in wanted
    )
    score, best = max(scored, default=(0.0, ""))
    return best if score >= similarity else None


def compare_names(one: str, other: str, kind: str = "") -> float:
    """How similar two names are, from 0 to 1: the share of their letters in words they share.

    Names with other numbers are never alike (`Python 2`, `Python 3`), and those of people are
    made of the same words or not (`Anna`, `Hanna`).
    """
    first, second = ids.slug(one).split("-"), ids.slug(other).split("-")
    if (
        _list_numbers(first)
        and _list_numbers(second)
        and _list_numbers(first) != _list_numbers(second)
    ):
        return 0.0
    own: list[str] = []
    rest, shared = list(second), 0.0
    for word in first:
        twin = next((each for each in rest if _is_same_word(word, each, kind == "person")), None)
        if twin is None:
            own.append(word)
        else:
            rest.remove(twin)
            shared += _weigh_word(word) + _weigh_word(twin)
    # Each has a word that the other has not (`plan a`, `plan b`), or one has a number.
    if (own and rest and not GENERIC.issuperset((*own, *rest))) or _list_numbers((*own, *rest)):
        return 0.0
    return min(1.0, shared / sum(map(_weigh_word, (*first, *second))))


def parse_relation(relation: str) -> tuple[str, str, str]:
    """Subject, word and object of a relation; a label with spaces stands in quotes.

    Raises Usage where it is none.
    """
    import shlex

    try:
        words = shlex.split(relation)
    except ValueError:
        words = []
    if len(words) < 3:
        hint = "such as: project--molt uses tool--git, or: 'My App' uses Git"
        raise errors.Usage(f"{relation!r} is no relation", hint)
    return words[0], normalize_word(" ".join(words[1:-1])), words[-1]


def normalize_word(text: str) -> str:
    """A relation's word in the form that files have. Raises Usage where it is none."""
    if not any(map(str.isalnum, text)):
        raise errors.Usage(f"{text!r} is no word for a relation", "such as depends-on")
    return ids.slug(text)


def _list_numbers(words: Iterable[str]) -> tuple[str, ...]:
    digits = ("".join(char for char in word if char.isdigit()) for word in words)
    return tuple(filter(None, digits))


def _weigh_word(word: str) -> float:
    return len(word) * (0.2 if word in GENERIC else 1.0)


def _is_same_word(one: str, other: str, exactly: bool) -> bool:
    if one == other:
        return True
    if exactly:
        return False
    bare, plain = one.rstrip("0123456789"), other.rstrip("0123456789")
    if bare and bare == plain:
        return True
    if min(len(one), len(other)) < _FUZZY:
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other).ratio() >= 0.85


def require_entity(graph: Graph, ref: str, similarity: float = 1.0) -> str:
    """`resolve`. Raises NotFound with the nearest names where nothing is meant."""
    found = resolve_entity(graph, ref, similarity=similarity)
    if found is not None:
        return found
    from difflib import get_close_matches

    near = get_close_matches(ref.casefold(), list(graph.nodes), n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "`molt graph show` lists them"
    raise errors.NotFound(f"no entity {ref!r}", hint)


def find_neighbours(graph: Graph, entity: str, hops: int = 1) -> tuple[GraphStep, ...]:
    """The entities that edges of either direction lead to, nearest first; only those there are."""
    found: dict[str, GraphStep] = {}
    edge = _Edges(graph)
    front = [entity]
    for distance in range(1, hops + 1):
        reached: list[str] = []
        for here in front:
            for one in edge.of(here):
                there = one.target if one.source == here else one.source
                if there != entity and there not in found and there in graph.nodes:
                    found[there] = GraphStep(there, distance, one)
                    reached.append(there)
        front = reached
    return tuple(found.values())


class _Edges:
    """The edges that touch each entity."""

    def __init__(self, graph: Graph) -> None:
        self._of: dict[str, list[GraphEdge]] = {}
        for edge in graph.edges:
            for end in dict.fromkeys((edge.source, edge.target)):
                self._of.setdefault(end, []).append(edge)

    def of(self, entity: str) -> list[GraphEdge]:
        return self._of.get(entity, [])


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


def add_word(text: str, word: str, section: str, meaning: str = "") -> str:
    """The text of relations.md with a word in a section; unchanged if it has that word."""
    if word in entity_notes.parse_relation_words(text):
        return text
    start = text or "# Relation Types\n"
    return bullets.add_bullet(start, section, f"`{word}` — {meaning or 'added here'}")
