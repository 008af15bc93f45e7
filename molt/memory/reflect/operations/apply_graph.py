"""What a reflection does to the graph: entities, facts, relations."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, facts, fields, frontmatter, ids, lines, origin, paths
from molt.formats import entity as entity_notes
from molt.memory.graph import resolve
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.reflect.operations.applied import Applied, Outdated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.operations.applied import ReflectionStamp
    from molt.trees import Tree


LOOSE = "relates-to"
"""The relation of what hangs together in a way that no other word says."""


def find_entity(tree: Tree, name: str, stamp: ReflectionStamp) -> str:
    """The known entity that a name means; empty for none."""
    graphs = stamp.graphs or SuccessiveGraphs()
    return resolve.resolve_entity(graphs.load(tree), name) or ""


def cite(text: str, evidence: tuple[str, ...]) -> str:
    """A fact with the first of the memories that it is from, in brackets at its end."""
    said = " ".join(text.split())
    if facts.strip_asides(said) != said or not evidence:
        return said
    return f"{said} (source: {evidence[0]})"


def upsert_entity(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """A new entity, or what is new about one."""
    name = one.text("entity")
    stem = find_entity(tree, name, stamp)
    if stem:
        text = _extend(_read(tree, stem), one, stamp)
        return _applied(stem, text, "EDIT")
    stem, text = _make_entity(tree, one, stamp)
    if tree.entry(_path(stem)) is not None:
        raise Outdated(f"{stem} is there, under another name")
    return _applied(stem, text, "CREATE")


def _make_entity(tree: Tree, one: Operation, stamp: ReflectionStamp) -> tuple[str, str]:
    kind, label = _split_name(one.text("entity"), stamp)
    stem = entity_notes.find_stem(tree, kind, label)
    known = tuple(cite(fact, one.evidence) for fact in one.texts("facts"))
    made = entity_notes.Entity(
        stem,
        kind,
        label,
        aliases=_others(one.texts("aliases"), label),
        tags=one.texts("tags"),
        created=stamp.date,
        updated=stamp.date,
        summary=" ".join(one.text("summary").split()),
        facts=known,
        source="reflection",
        origin=origin.class_of("reflection"),
    )
    return stem, entity_notes.render_entity(made)


def _others(names: tuple[str, ...], label: str) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name.casefold() != label.casefold())


def _split_name(name: str, stamp: ReflectionStamp) -> tuple[str, str]:
    """Type and label of a new entity. Raises Outdated for a name that has none, or an unknown
    type.
    """
    kind, colon, label = name.removeprefix("entity:").partition(":")
    if not colon:
        kind, colon, label = name.removeprefix("entity:").partition("--")
    kind, label = kind.strip().lower(), " ".join(label.split()).strip("\"' ")
    known = (*entity_notes.ENTITY_TYPES, *stamp.config.graph_types)
    if not colon or not any(map(str.isalnum, label)):
        raise Outdated(f"no entity {name!r}; a new one is TYPE:LABEL")
    if kind not in known:
        raise Outdated(f"no type {kind!r}; one of {', '.join(known)}")
    if any(mark in label for mark in ("[[", "]]", "\x7f")) or not label.isprintable():
        raise Outdated(f"{label!r} is no name")
    return kind, label


def _extend(text: str, one: Operation, stamp: ReflectionStamp) -> str:
    """The note of an entity with what is new of it; a summary only where it has none."""
    known = entity_notes.parse_entity(text, "")
    fresh = text
    for fact in one.texts("facts"):
        if not _says(fresh, fact):
            fresh = facts.add_fact(fresh, cite(fact, one.evidence), stamp.date)
    for key in ("aliases", "tags"):
        fresh = _add_words(fresh, key, one.texts(key), known.label)
    if (said := " ".join(one.text("summary").split())) and not known.summary:
        fresh = _put_summary(fresh, said)
    return frontmatter.set_updated(fresh, stamp.date) if fresh != text else text


def _put_summary(text: str, said: str) -> str:
    """The note with a summary where it has none."""
    found = bullets.section(text, "Summary")
    if found is not None:
        return lines.splice_lines(text, found.start, found.start, [said])
    made = bullets.add_bullet(text, "Summary", said, entity_notes.ENTITY_SECTIONS)
    return made.replace(f"## Summary\n- {said}\n", f"## Summary\n{said}\n", 1)


def _add_words(text: str, key: str, words: tuple[str, ...], label: str) -> str:
    known = fields.text_list(frontmatter.metadata(text), key)
    taken = {word.casefold() for word in (*known, label)}
    fresh = [word for word in dict.fromkeys(words) if word.casefold() not in taken]
    return frontmatter.set_field(text, key, [*known, *fresh]) if fresh else text


def _says(text: str, fact: str) -> bool:
    """Whether an entity has a fact already, whatever its source."""
    wanted = facts.strip_asides(" ".join(fact.split())).casefold()
    every = (one.text for one in bullets.bullets(text, "Facts"))
    return any(facts.strip_asides(" ".join(one.split())).casefold() == wanted for one in every)


def add_fact(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """One more fact of an entity, which is made where it is new."""
    stem = find_entity(tree, one.text("entity"), stamp)
    said = facts.date_fact(" ".join(one.text("fact").split()), one.text("since"), one.text("until"))
    if not stem:
        made = one.replace(args={"entity": one.text("entity"), "facts": [said]})
        return upsert_entity(tree, made, stamp)
    text = _read(tree, stem)
    if not _says(text, said):
        text = facts.add_fact(text, cite(said, one.evidence), stamp.date)
    return _applied(stem, text, "EDIT")


def supersede_fact(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """A fact struck through, with what holds now beside it."""
    stem = _require(tree, one.text("entity"), stamp)
    by = one.text("by")
    now = cite(by, one.evidence) if by else ""
    before = _read(tree, stem)
    text = facts.supersede_fact(before, one.text("fact"), one.text("since") or stamp.date, now)
    if text == before:
        raise Outdated(f"{stem} has no fact {one.text('fact')!r} that holds")
    return _applied(stem, text, "EDIT")


def add_relation(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """An edge in the file of its first entity."""
    first, before = _require_end(tree, one, "from", stamp)
    last, other = _require_end(tree, one, "to", stamp)
    if first == last:
        raise Outdated(f"a relation of {first} to itself")
    words = entity_notes.parse_relation_words(trees.read_text(tree, paths.RELATIONS))
    word, note = (
        ids.slug(one.text("relation")),
        f"confidence: {one.confidence}, since: {stamp.date}",
    )
    if words and word not in words:
        # A word that relations.md does not define is kept beside the one that says least.
        if LOOSE not in words:
            raise Outdated(f"no relation {word!r}; `memory/graph/relations.md` has the known ones")
        word, note = LOOSE, f"{note}, as: {word}"
    text = entity_notes.add_relation(before, word, last, note)
    made = _applied(first, text, "EDIT")
    if tree.entry(_path(last)) is None:
        made = made.replace(edits={**made.edits, _path(last): other.encode()})
    return made.replace(memories=(ids.entity(first), ids.entity(last)))


def _require_end(tree: Tree, one: Operation, name: str, stamp: ReflectionStamp) -> tuple[str, str]:
    """Return the stem and the note of an end of a relation, which is made where it is new. Raises
    Outdated where it cannot be.
    """
    stem = find_entity(tree, one.text(name), stamp)
    if stem:
        return stem, _read(tree, stem)
    bare = one.replace(args={"entity": one.text(name)})
    try:
        return _make_entity(tree, bare, stamp)
    except Outdated as error:
        raise Outdated(f"no entity {one.text(name)!r}") from error


def merge_entities(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """Two entities as one; their scores follow when the reflection is approved."""
    # What merges the sections of two notes is a tenth of the modules of an approval.
    from molt.memory.graph import unite

    into, other = (_require(tree, one.text(name), stamp) for name in ("into", "other"))
    if into == other:
        raise Outdated(f"{one.text('other')} is {into} already")

    def may_edit(path: str) -> bool:
        return unite.may_point_links(path, person=False)

    moved = unite.merge_entity(tree, into, other, stamp.date, may_edit=may_edit)
    edits = {path: data for path, data in moved.edits.items() if path != paths.SCORES}
    named = (ids.entity(into), ids.entity(other))
    return Applied(edits, moved.path, "MERGE", named)


def _require(tree: Tree, name: str, stamp: ReflectionStamp) -> str:
    stem = find_entity(tree, name, stamp)
    if not stem:
        raise Outdated(f"no entity {name!r}")
    return stem


def _path(stem: str) -> str:
    return f"{paths.ENTITIES}{stem}.md"


def _read(tree: Tree, stem: str) -> str:
    return trees.read_strict(tree, _path(stem))


def _applied(stem: str, text: str, action: str) -> Applied:
    return Applied({_path(stem): text.encode()}, _path(stem), action, (ids.entity(stem),))
