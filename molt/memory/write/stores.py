"""What is to be remembered becomes edits of one store."""

from __future__ import annotations

import re

from molt import errors, trees
from molt.formats import bullets, episodes, facts, frontmatter, ids, paths, procedure, scopes, vault
from molt.formats import entity as entity_notes
from molt.formats import origin as origins
from molt.memory.write import steps
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.memory.graph.graph import Graph
    from molt.memory.graph.table import Cache
    from molt.memory.write.route import Route
    from molt.trees import Edits, Tree


class Likeness(Value):
    """How alike (0 to 1) two names must be to mean one entity, and to ask whether they do."""

    same: float = 1.0
    ask: float = 1.0


EXACT = Likeness()
_NAMES = {
    "core": "a bullet of core memory",
    "episodic": "an episode",
    "procedural": "a procedure",
    "vault": "a vault file",
}
"""What a memory of a store is called in errors."""


class Placed(Value):
    """The edits that remember, the memory's id, its file, and the action.

    `related` are the ids of the entities whose files hold its relations; `taken` says which
    entity a label was taken for, where it is only like that one's, or may be; `again` that these
    words are there already, and nothing changes. `superseded` names the memory that it supersedes.
    """

    edits: Edits
    id: str
    path: str
    action: str
    related: tuple[str, ...] = ()
    taken: str = ""
    again: bool = False
    superseded: str = ""


def place_text(
    tree: Tree,
    route: Route,
    now: datetime,
    *,
    likeness: Likeness = EXACT,
    cache: Cache | None = None,
) -> Placed:
    """The edits that put a routed text into its store, relations included.

    `now` carries the workspace's zone. An entity that is as similar to a known one as `likeness`
    says is that one, or asks in its file whether it is; `cache` spares parsing all entities for
    it. Raises Usage for what the store cannot hold, and for relations of entities that are not
    there.
    """
    _check_days(route)
    try:
        route = _type_subject(route)
        named = route.entity
        known = _Known(tree, cache)
        route, alike = _resolve_entity(known, route, likeness)
        placed = _WRITERS[route.store](tree, route, now)
        if alike and route.entity != named:
            placed = placed.replace(taken=f"{named!r} was taken for {placed.id}")
        elif alike:
            placed = _ask_same(placed, alike)
        placed = _add_relations(tree, route, placed, now.strftime("%Y-%m-%d"), cache)
        placed = _add_edges(known, route, placed, now.strftime("%Y-%m-%d"), likeness)
        placed = _update_core(tree, route, _keep_scope(tree, route, placed))
    except ValueError as error:
        raise errors.Usage(str(error)) from error
    return placed


def _check_days(route: Route) -> None:
    """Raises Usage for days that the store cannot keep, or that end before they begin."""
    if route.until and route.store not in ("episodic", "procedural", "semantic"):
        raise errors.Usage(f"{_NAMES[route.store]} has no last day", "leave out --until")
    if route.since and route.store != "semantic":
        wrong = f"{_NAMES[route.store]} has no first day; only a fact of an entity has one"
        raise errors.Usage(wrong, "leave out --since, or add --entity TYPE:LABEL")
    if route.since and route.until and route.until < route.since:
        raise errors.Usage(f"{route.until} is before {route.since}", "--since DAY --until LATER")


class _Known:
    """The graph before a write, loaded once and only where it is asked for: the names of ten
    thousand entities take a tenth of all that a write does.
    """

    def __init__(self, tree: Tree, cache: Cache | None) -> None:
        self.tree = tree
        self._cache = cache
        self._graph: Graph | None = None

    def graph(self) -> Graph:
        """The entities of the tree."""
        if self._graph is None:
            from molt.memory.graph import graph

            self._graph = graph.load(self.tree, self._cache)
        return self._graph


def _type_subject(route: Route) -> Route:
    """Return the route with the type that a relation gives to the entity that was guessed."""
    _, _, label = route.entity.partition(":")
    for given in route.relations if route.guessed and label else ():
        named = re.search(rf"(?<![\w-])([\w-]+):{re.escape(label)}(?!\w)", given)
        if named:
            return route.replace(entity=f"{named[1]}:{label}")
    return route


def _resolve_entity(before: _Known, route: Route, likeness: Likeness) -> tuple[Route, str]:
    """The route with the known entity that its label means, if there is one, and the entity that
    the label is only like: the same, or where the route stays as it was, one that it may mean.
    """
    kind, _, label = route.entity.partition(":")
    if route.store != "semantic" or not label:
        return route, ""
    stem = entity_notes.find_stem(before.tree, kind, label)
    if before.tree.entry(f"{paths.ENTITIES}{stem}.md") is not None:
        return route, ""
    from molt.memory.graph import resolve

    known, kind = before.graph(), kind.strip()
    exact = resolve.resolve_entity(known, label, kind=kind)
    if not exact:
        named = resolve.list_named(known, label)
        # A concept is what a name is called of whose type nothing was known.
        same = len(named) == 1 and (route.guessed or named[0].startswith("concept--"))
        exact = named[0] if same else None
    if exact:
        return route.replace(entity=f"={exact}"), ""
    least = min(likeness.same, likeness.ask)
    if least >= 1.0:
        return route, ""
    wanted = "" if route.guessed else kind
    score, found = resolve.find_similar(known, label, kind=wanted, least=least)
    if score >= likeness.same:
        return route.replace(entity=f"={found}"), found
    return route, found if score >= likeness.ask else ""


def _ask_same(placed: Placed, other: str) -> Placed:
    """The edits with the question in the new file whether it is about the same as another one."""
    text = (placed.edits[placed.path] or b"").decode()
    asked = bullets.add_bullet(
        text, "Open Questions", f"Same as [[{other}]]?", entity_notes.ENTITY_SECTIONS
    )
    stem = placed.id.removeprefix("entity:")
    said = f"{stem} may be {other}: if it is, `molt graph merge {other} {stem}`"
    return placed.replace(edits={**placed.edits, placed.path: asked.encode()}, taken=said)


def _add_relations(
    tree: Tree, route: Route, placed: Placed, date: str, cache: Cache | None
) -> Placed:
    """The edits with the relations of a route in the files of their subjects."""
    if not route.relations:
        return placed
    from functools import partial

    from molt.memory.graph import edit, graph, resolve

    subjects: list[str] = []
    edits = dict(placed.edits)
    for given in route.relations:
        over = Overlay(tree, edits)
        known = graph.load(over, cache)
        first, word, last = edit.parse_relation(given, partial(resolve.resolve_entity, known))
        ends = [
            resolve.resolve_entity(known, name) or _make_end(edits, over, name, route, date)
            for name in (first, last)
        ]
        if ends[0] == ends[1]:
            raise errors.Usage(f"{given!r} relates {ends[0]} to itself")
        over = Overlay(tree, edits)
        subjects.append(ids.entity(str(ends[0])))
        path = f"{paths.ENTITIES}{ends[0]}.md"
        note = f"confidence: {route.confidence}, since: {date}"
        text = entity_notes.add_relation(trees.read_strict(over, path), word, str(ends[1]), note)
        edits[path] = text.encode()
    related = tuple(one for one in dict.fromkeys(subjects) if one != placed.id)
    return _tell_edit(placed.replace(edits=edits, related=related))


def _add_edges(
    before: _Known, route: Route, placed: Placed, date: str, likeness: Likeness
) -> Placed:
    """The edits with the relations that an engine found; what they name is made where it is new."""
    if not route.edges:
        return placed
    own = ids.slug(route.entity.partition(":")[2])
    subjects: list[str] = []
    edits = dict(placed.edits)
    for first, word, last, said in route.edges:
        stems = []
        for name in (first, last):
            kind, _, label = name.partition(":")
            stem = placed.id.removeprefix("entity:") if ids.slug(label) == own else ""
            over = Overlay(before.tree, edits)
            stem = stem or _find_end(before, over, (kind, label), likeness.same)
            path = f"{paths.ENTITIES}{stem}.md"
            if over.entry(path) is None:
                made = entity_notes.Entity(stem, kind, label, created=date, updated=date)
                _add_entity(edits, made, route)
            stems.append(stem)
        if stems[0] == stems[1]:
            continue
        path = f"{paths.ENTITIES}{stems[0]}.md"
        note = f"confidence: {route.confidence}, since: {date}"
        note = f"{note}, said: {said}" if said else note
        text = trees.read_strict(Overlay(before.tree, edits), path)
        edits[path] = entity_notes.add_relation(text, word, stems[1], note).encode()
        subjects.append(ids.entity(stems[0]))
    related = tuple(one for one in dict.fromkeys((*placed.related, *subjects)) if one != placed.id)
    return _tell_edit(placed.replace(edits=edits, related=related))


def _make_end(
    edits: dict[str, bytes | None], over: Tree, name: str, route: Route, date: str
) -> str:
    """Return the stem of a new entity for an end `TYPE:LABEL` of a relation, and add its file to
    the edits. Raises Usage for an end without a type.
    """
    kind, _, label = (part.strip() for part in name.partition(":"))
    if not kind or not label:
        raise errors.Usage(
            f"no entity {name!r}", "write TYPE:LABEL, in quotes if the label has spaces"
        )
    stem = entity_notes.find_stem(over, kind, label)
    _add_entity(edits, entity_notes.Entity(stem, kind, label, created=date, updated=date), route)
    return stem


def _add_entity(edits: dict[str, bytes | None], made: entity_notes.Entity, route: Route) -> None:
    entity_notes.require_name(made.label)
    fresh = made.replace(source=route.source, origin=route.origin)
    edits[f"{paths.ENTITIES}{made.id}.md"] = entity_notes.render_entity(fresh).encode()


def _find_end(before: _Known, over: Tree, named: tuple[str, str], least: float) -> str:
    """The stem of the entity that an end of a relation means by its type and label: one that is
    there, or a new one.
    """
    from molt.memory.graph import resolve

    known, (kind, label) = before.graph(), named
    found = resolve.resolve_entity(known, label, kind=kind) or resolve.resolve_entity(known, label)
    if not found and least < 1.0:
        score, near = resolve.find_similar(known, label, kind=kind, least=least)
        found = near if score >= least else None
    return found or entity_notes.find_stem(over, kind, label)


def _update_core(tree: Tree, route: Route, placed: Placed) -> Placed:
    """The edits with the words in core memory as well, where a route asks for that."""
    if not route.core_update:
        return placed
    before = trees.read_strict(Overlay(tree, placed.edits), paths.CORE)
    line = " ".join(route.text.split())
    edits = {**placed.edits, paths.CORE: bullets.add_bullet(before, route.block, line).encode()}
    related = (*placed.related, ids.bullet(route.block, line))
    return _tell_edit(placed.replace(edits=edits, related=related, again=False))


def _scope_field(route: Route) -> tuple[tuple[str, str], ...]:
    return ((scopes.FIELD, route.scope),) if route.scope else ()


def _keep_scope(tree: Tree, route: Route, placed: Placed) -> Placed:
    """The edits with the scope in a file that is one memory. Raises ValueError where a memory that
    is there is for others: what is told to them must not be told with it.
    """
    if not route.scope or route.store == "episodic":
        return placed
    if route.store == "core":
        raise ValueError("core memory has a scope of its own (scope.core); keep it as an episode")
    before = tree.read(placed.path)
    if before is not None:
        found = scopes.read_note(before.decode("utf-8", "replace"))
        if found != route.scope:
            known = f"is for {found}" if found else "has no scope"
            raise ValueError(f"{placed.id} {known}; `--store episodic` keeps this apart from it")
        return placed
    text = (placed.edits[placed.path] or b"").decode()
    scoped = frontmatter.set_field(text, scopes.FIELD, route.scope)
    return placed.replace(edits={**placed.edits, placed.path: scoped.encode()})


def _tell_edit(placed: Placed) -> Placed:
    others = set(placed.edits) - {placed.path}
    return placed.replace(action="EDIT") if others and placed.action == "APPEND" else placed


def _place_episode(tree: Tree, route: Route, now: datetime) -> Placed:
    date = now.strftime("%Y-%m-%d")
    path = f"{paths.EPISODES}{date}.md"
    before = trees.read_strict(tree, path)
    known = episodes.find_same(before, date, route.text)
    if known and scopes.read_scope(known.fields) == route.scope and not route.supersedes:
        return Placed({path: before.encode()}, known.id, path, "APPEND", again=True)
    until = ((origins.UNTIL, route.until),) * bool(route.until)
    against = ((origins.CONTRADICTS, route.contradicts),) * bool(route.contradicts)
    against += origins.name_superseded(route.supersedes)
    said = ((origins.FIELD, route.origin), *_scope_field(route), *until, *against)
    entry = episodes.Episode(
        date, now.strftime("%H:%M:%S"), route.type, route.confidence, route.tags, route.source,
        said, route.text,
    )  # fmt: skip
    text, added = episodes.append(before or None, entry)
    action = "APPEND" if before else "CREATE"
    return Placed({path: text.encode()}, added.id, path, action)


def _require_block(text: str, block: str) -> None:
    """Raises Usage for a block that is none, as by a slip: it would get a heading of its own."""
    if block in bullets.BLOCKS:
        return
    # Few name one, and each write would pay for what reads all of them.
    from molt.formats import core as core_text

    if not core_text.find_title(text, block):
        titles = ", ".join(core_text.list_titles(text))
        raise errors.Usage(f"no block {block!r}", f"one of {titles}")


def _place_bullet(tree: Tree, route: Route, _now: datetime) -> Placed:
    before = trees.read_strict(tree, paths.CORE)
    _require_block(before, route.block)
    line = origins.mark_text(" ".join(route.text.split()), route.origin, route.supersedes)
    text = bullets.add_bullet(before, route.block, line)
    action = "EDIT" if before else "CREATE"
    made = Placed({paths.CORE: text.encode()}, ids.bullet(route.block, line), paths.CORE, action)
    return made.replace(again=text == before)


def _name_text(text: str) -> str:
    """The label of what a text is about, where nothing names it: its beginning, without links."""
    plain = " ".join(text.split())
    for mark in ("[[", "]]", "]("):
        plain = plain.replace(mark, " ")
    return plain[:40]


def _place_fact(tree: Tree, route: Route, now: datetime) -> Placed:
    kind, _, label = (route.entity or f"concept:{_name_text(route.text)}").partition(":")
    stem = route.entity[1:] if kind[:1] == "=" else entity_notes.find_stem(tree, kind, label)
    path = f"{paths.ENTITIES}{stem}.md"
    date = now.strftime("%Y-%m-%d")
    before = trees.read_strict(tree, path)
    said = facts.date_fact(" ".join(route.text.split()), route.since, route.until)
    said = facts.name_source(said, route.origin)
    said = facts.mark_disputed(said, route.contradicts) if route.contradicts else said
    fact = origins.mark_text(said, route.origin, route.supersedes)
    if before:
        text = facts.add_fact(before, fact, date)
    else:
        entity_notes.require_name(label)
        entity = entity_notes.Entity(
            stem, kind, label.strip(), tags=route.tags, created=date, updated=date
        )
        entity = entity.replace(source=route.source, origin=route.origin, facts=(fact,))
        text = entity_notes.render_entity(entity)
    made = Placed({path: text.encode()}, ids.entity(stem), path, "EDIT" if before else "CREATE")
    return made.replace(again=text == before)


def _place_procedure(tree: Tree, route: Route, now: datetime) -> Placed:
    parts = steps.split_steps(route.text)
    title = route.title or parts.title
    stem, date = ids.slug(title), now.strftime("%Y-%m-%d")
    words = origins.mark_text(" ".join((route.words or route.text).split()), route.origin)
    # A line that announces a list is no step of it, and is lost where a title stands for it.
    told = (title, route.when, *(route.steps or parts.steps), *(route.notes or parts.notes))
    whole = not route.steps and steps.has_words(told, route.text)
    learned = () if whole else (f"{now.strftime('%Y-%m-%d %H:%M')} — {words}",)
    made = procedure.Procedure(
        stem, title, tags=route.tags, created=date, updated=date, source=route.source,
        origin=route.origin, trigger=route.when, steps=route.steps or parts.steps,
        notes=route.notes or parts.notes, learned=learned,
    )  # fmt: skip
    place = f"{paths.PROCEDURES}{stem}.md"
    if before := trees.read_strict(tree, place):
        text = _refine_procedure(before, made, route)
        again = text == before
        return Placed({place: text.encode()}, ids.procedure(stem), place, "EDIT", again=again)
    text = procedure.render_procedure(made)
    if route.until:
        text = frontmatter.set_field(text, origins.UNTIL, route.until)
    return Placed({place: text.encode()}, ids.procedure(stem), place, "CREATE")


def _refine_procedure(before: str, made: procedure.Procedure, route: Route) -> str:
    """A procedure with other steps; what is no list of steps is a note on it. The old steps stay
    in history.
    """
    if procedure.parse_procedure(before, made.id).steps == made.steps:
        return before
    if len(made.steps) > 1 or route.steps or route.supersedes == ids.procedure(made.id):
        return procedure.refine_procedure(before, made)
    note = origins.mark_text(" ".join(route.text.split()), route.origin)
    return procedure.add_note(before, note, made.updated)


def _place_vault(tree: Tree, route: Route, now: datetime) -> Placed:
    title = route.title or route.text.split("\n")[0][:60]
    stem, date = ids.slug(title), now.strftime("%Y-%m-%d")
    place = f"{paths.VAULT}{stem}.md"
    if before := trees.read_strict(tree, place):
        same = vault.parse_vault(before, stem).text == route.text.strip()
        if same or route.supersedes == ids.vault(stem):
            text = before if same else vault.replace_text(before, title, route.text, date)
            return Placed({place: text.encode()}, ids.vault(stem), place, "EDIT", again=same)
        raise errors.Usage(f"{place} exists already", "give another --title")
    made = vault.Vault(
        stem, title, route.text, tags=route.tags, created=date, updated=date,
        source=route.source, origin=route.origin,
    )  # fmt: skip
    return Placed({place: vault.render_vault(made).encode()}, ids.vault(stem), place, "CREATE")


_WRITERS = {
    "core": _place_bullet,
    "episodic": _place_episode,
    "semantic": _place_fact,
    "procedural": _place_procedure,
    "vault": _place_vault,
}
