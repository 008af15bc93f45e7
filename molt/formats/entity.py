"""Entities of the graph: front matter, facts, timeline, relations."""

from __future__ import annotations

import itertools

from molt import trees
from molt.formats import facts, ids, lines, paths
from molt.formats.bullets import add_bullet
from molt.formats.fields import (
    bullet_lines,
    front_fields,
    list_words,
    pinned_flag,
    render_note,
    section_items,
    section_text,
    text_field,
    text_list,
    title_of,
)
from molt.formats.frontmatter import metadata
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.trees import Tree

ENTITY_TYPES = (
    *("person", "project", "concept", "tool", "place", "preference", "organization", "event"),
)
ENTITY_SECTIONS = facts.SECTIONS


class Relation(Value):
    """An edge: its word as a slug, the stem it points to, and what is said about it."""

    word: str
    target: str
    note: str = ""


class Entity(Value):
    """A node of the graph: its front matter and its sections."""

    id: str
    type: str
    label: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = False
    summary: str = ""
    facts: tuple[str, ...] = ()
    timeline: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    source: str = ""
    origin: str = ""


def relations(text: str) -> tuple[Relation, ...]:
    """The edges of an entity's `## Relations` list; one bullet may name several targets."""
    found: list[Relation] = []
    for item in section_items(text, "Relations"):
        word, _, rest = item.partition("[[")
        note = rest.rpartition("]]")[2].strip().removeprefix("(").removesuffix(")")
        found += [Relation(ids.slug(word), target, note) for target in list_targets(item)]
    return tuple(found)


def list_targets(item: str) -> list[str]:
    """The entities that a bullet of relations leads to, by their ids."""
    links = (link.partition("]]") for link in item.partition("[[")[2].split("[["))
    named = (target.partition("|")[0].partition("#")[0].strip() for target, end, _ in links if end)
    return [stem.rpartition("/")[2] for stem in named if stem]


def parse_entity(text: str, stem: str) -> Entity:
    """The entity in a file named `stem`.md; never raises."""
    return parse_node(text, stem).replace(
        summary=section_text(text, "Summary"),
        facts=section_items(text, "Facts"),
        timeline=section_items(text, "Timeline"),
        questions=section_items(text, "Open Questions"),
    )


def parse_node(text: str, stem: str) -> Entity:
    """The same without what a graph is not made of: summary, facts, timeline and questions."""
    data = metadata(text)
    kind, _, name = stem.partition("--")
    return Entity(
        id=text_field(data, "id", stem),
        type=text_field(data, "type", kind if name else ""),
        label=text_field(data, "label") or title_of(text, stem),
        aliases=text_list(data, "aliases"),
        tags=text_list(data, "tags"),
        created=text_field(data, "created"),
        updated=text_field(data, "updated"),
        pinned=pinned_flag(data),
        relations=relations(text),
        source=text_field(data, "source"),
        origin=text_field(data, "origin"),
    )


def find_stem(tree: Tree, kind: str, label: str) -> str:
    """The name of the file of an entity, which is there or not: its type and label as slugs. Where
    an older molt has named the file of another label so (`.NET`, for `Net`), it has a number.
    """
    own = ids.slug(label)
    plain = stem = f"{ids.slug(kind)}--{own}"
    for number in itertools.count(2):
        text = trees.read_text(tree, f"{paths.ENTITIES}{stem}.md")
        if not text:
            break
        one = parse_node(text, stem)
        named = own in map(ids.slug, (one.label, *one.aliases))
        # `net-2` may be the file of `Net 2`.
        if named or (stem == plain and not ids.is_unspelled(own, one.label)):
            break
        stem = f"{plain}-{number}"
    return stem


def find_name_fault(name: str) -> str:
    """Why a label or an alias would break the links and lists that it stands in; empty where it
    would not.
    """
    mark = next((mark for mark in _BREAKING if mark in name), "")
    if mark:
        return f"{mark!r} begins or ends a link"
    odd = next((char for char in name if lines.is_control(char)), "")
    return f"it holds the control character U+{ord(odd):04X}" if odd else ""


def require_name(name: str) -> None:
    """Raises ValueError for a label that would break the links and lists that it stands in."""
    if why := find_name_fault(name):
        raise ValueError(f"{name[:60]!r} is no name: {why}; leave that out")


_BREAKING = ("[[", "]]", "](")


def render_entity(entity: Entity) -> str:
    """The canonical text of an entity."""
    edges = [_render_relation(relation) for relation in entity.relations]
    lists = (entity.facts, entity.timeline, entity.questions, edges)
    contents = (list_words(entity.summary), *map(bullet_lines, lists))
    return render_note(
        front_fields(entity, entity.label), list(zip(ENTITY_SECTIONS, contents, strict=True))
    )


def _render_relation(relation: Relation) -> str:
    note = f" ({lines.one_line(relation.note)})" if relation.note else ""
    return f"{relation.word} [[{relation.target}]]{note}"


def add_relation(text: str, word: str, target: str, note: str = "") -> str:
    """The entity with an edge; unchanged if it has one of that word to that target."""
    if any((known.word, known.target) == (ids.slug(word), target) for known in relations(text)):
        return text
    edge = _render_relation(Relation(ids.slug(word), target, note))
    return add_bullet(text, "Relations", edge, ENTITY_SECTIONS)


def parse_relation_words(text: str) -> frozenset[str]:
    """The words that relations.md defines: those in backquotes before the dash of a bullet."""
    words: set[str] = set()
    for row in text.split("\n"):
        if row.startswith(("- ", "* ")):
            words.update(row.partition(" — ")[0].split("`")[1::2])
    return frozenset(words)
