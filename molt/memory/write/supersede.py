"""One memory takes the place of another that is named: found, checked, and marked where it is."""

from __future__ import annotations

import shlex

from molt import errors, trees
from molt.formats import (
    bullets,
    episodes,
    facts,
    frontmatter,
    ids,
    lines,
    paths,
    scopes,
    successors,
)
from molt.formats import core as core_text
from molt.formats import entity as entity_notes
from molt.formats import origin as origins
from molt.formats.prose import citations
from molt.memory import refs
from molt.memory.graph import graph, resolve
from molt.memory.visible import forgotten
from molt.memory.write import stores
from molt.trees import Overlay, read_strict
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from molt.memory.engines.verdict import RouteAnswer
    from molt.memory.graph.table import Cache
    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Likeness, Placed
    from molt.trees import Tree

_QUOTED = 160
"""Characters of a memory that stand beside what it superseded in core memory."""
_LISTED = 3
_FILES = ("procedural", "vault")
_GUARDED = ("core", *_FILES)


class OldMemory(Value):
    """A memory that is to be superseded: its id, store and file, its words, the block of a bullet,
    the words of one fact where that alone is meant, and whom it is for.
    """

    id: str
    store: str
    path: str
    text: str
    block: str = ""
    fact: str = ""
    scope: str = ""

    @property
    def ref(self) -> str:
        """What names it again: its id, and for a fact the words."""
        return f"{self.id} {self.fact}" if self.fact else self.id


def find_target(tree: Tree, ref: str, entity: str = "", cache: Cache | None = None) -> OldMemory:
    """Return the memory that a text names: an id, a citation of one memory, `entity:… FACT`, or
    the words of a fact of an `entity` (the name of its file).

    Raises NotFound for a memory that is not there or was forgotten, Usage for what names none or
    several, Refused for one that was superseded already.
    """
    ref = " ".join(ref.split())
    name, _, words = ref.partition(" ")
    name = ids.complete_id(name)
    if words and name.startswith("entity:"):
        return _find_fact(tree, name.removeprefix("entity:"), words)
    if (place := citations.parse_citation(ref)) is not None:
        cited = tuple(refs.list_cited(tree, place))
        if len(cited) != 1:
            raise errors.Usage(f"{ref} cites {len(cited)} memories", "`molt search` gives ids")
        name, words = cited[0], ""
    if words or not refs.is_id(name):
        if entity:
            return _find_fact(tree, entity, ref)
        raise errors.NotFound(f"no memory {ref!r}", f"molt search {ref[:60]!r}")
    if name in forgotten.list_forgotten(tree, cache):
        raise errors.NotFound(f"{name} was forgotten", f"molt restore {name}")
    find = _FINDERS.get(ids.parse(name).store)
    if find is None:
        raise errors.Usage(f"{name} is not a memory of a store", "`molt search` gives ids")
    found = find(tree, name)
    if by := _find_successor(tree, found):
        raise errors.Refused(f"{name} was superseded by {by}", f"--supersedes {by}")
    return found


def _find_bullet(tree: Tree, name: str) -> OldMemory:
    every = bullets.core_bullets(read_strict(tree, paths.CORE))
    found = next((one for one in every if one.id == name), None)
    if found is None:
        raise errors.NotFound(f"no bullet {name} in {paths.CORE}", "molt core show")
    if not facts.holds(found.text):
        raise errors.Refused(f"{name} was superseded already", f"molt why {name}")
    return OldMemory(name, "core", paths.CORE, found.text, found.block)


def _find_entry(tree: Tree, name: str) -> OldMemory:
    for path in ids.list_paths(name):
        text = read_strict(tree, path)
        found = next((one for one in episodes.parse(text, paths.date_of(path) or "")
                      if one.id == name), None)  # fmt: skip
        if found is not None:
            scope = scopes.read_scope(found.fields) or scopes.read_note(text)
            return OldMemory(name, "episodic", path, found.text, scope=scope)
    date = name.removeprefix("episode:")[:10]
    raise errors.NotFound(f"no memory {name}", f"molt get {date}")


def _find_file(tree: Tree, name: str) -> OldMemory:
    one = ids.parse(name)
    text = read_strict(tree, one.path)
    if not text:
        raise errors.NotFound(f"no memory {name}", "`molt search` gives ids")
    body = frontmatter.split_front_matter(text)[1]
    return OldMemory(name, one.store, one.path, body.strip(), scope=scopes.read_note(text))


def _find_entity(tree: Tree, name: str) -> OldMemory:
    stem = name.removeprefix("entity:")
    shown = "; ".join(repr(one) for one in _list_facts(tree, stem)[:_LISTED])
    hint = f'--supersedes "{name} FACT", such as {shown}' if shown else f"molt get {name}"
    raise errors.Usage(f"which fact of {name} is superseded?", hint)


def _find_fact(tree: Tree, stem: str, words: str) -> OldMemory:
    held = _list_facts(tree, stem)
    path = f"{paths.ENTITIES}{stem}.md"
    wanted = facts.strip_asides(words)
    wanted = wanted if wanted in held else wanted.strip("\"' ")
    if wanted not in held:
        hint = f"`molt get {ids.entity(stem)}` shows its facts"
        raise errors.Usage(f"{stem} has no fact {words!r} to supersede", hint)
    scope = scopes.read_note(trees.read_text(tree, path))
    return OldMemory(ids.entity(stem), "semantic", path, wanted, fact=wanted, scope=scope)


def _list_facts(tree: Tree, stem: str) -> tuple[str, ...]:
    text = trees.read_text(tree, f"{paths.ENTITIES}{stem}.md")
    held = (one.text for one in bullets.bullets(text, "Facts") if facts.holds(one.text))
    return tuple(facts.strip_asides(" ".join(one.split())) for one in held)


_FINDERS = {
    "core": _find_bullet,
    "episodic": _find_entry,
    "semantic": _find_entity,
    "procedural": _find_file,
    "vault": _find_file,
}


def _find_successor(tree: Tree, old: OldMemory) -> str:
    """The id of what has superseded a memory already; empty for none."""
    if old.store in _FILES:
        text = read_strict(tree, old.path)
        return str(frontmatter.metadata(text).get(successors.BY, ""))
    if old.store != "episodic":
        return ""
    # Only what was written since can name it, or a file that has no day.
    date = paths.date_of(old.path) or ""
    later = (path for path in tree.entries() if (paths.date_of(path) or date) >= date)
    some = [path for path in later if paths.store_of(path)]
    mark = old.id.encode()
    for path, data in tree.read_many(some).items():
        if mark in data:
            for one in successors.list_successors(path, data.decode("utf-8", "replace")):
                if one.old == old.id:
                    return one.new
    return ""


def aim_flags(ws: Workspace, flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags of a call with the store of what it supersedes, where they name no other:
    a bullet, a fact, a procedure or a vault file is replaced where it is.

    Raises what `find_target` raises, and Refused where only a person may.
    """
    ref = flags.get("supersedes")
    entity = flags.get("entity") or ""
    if not ref:
        return flags
    if entity and not _is_named(ref):
        return flags
    old = find_target(ws.head(), ref, cache=ws.repo.cache)
    _require_person(ws, old)
    more: dict[str, Any] = {"supersedes": old.ref}
    if flags.get("store") in (None, "", old.store) and not (entity or flags.get("type")):
        more.update(_name_place(ws.head(), old, flags))
    return {**flags, **more}


def take_answer(ws: Workspace, route: Route, answer: RouteAnswer) -> Route:
    """Return the route of a host's answer with what that supersedes, of whatever it names well; a
    name that leads nowhere, or may not be followed, is left out with a note, and the words stay.
    """
    tree, cache = ws.head(), ws.repo.cache
    kind, _, label = route.entity.partition(":")
    known = label and resolve.resolve_entity(graph.load(tree, cache), label, kind=kind)
    try:
        old = find_target(tree, answer.supersedes, known or "", cache)
        _require_person(ws, old)
        check_route(route, old)
    except errors.MoltError as error:
        note = f"nothing is superseded: {error.message}"
        told = "; ".join(filter(None, (route.note, note)))
        return route.replace(supersedes="", note=told)
    block = old.block if old.block and not answer.block else route.block
    return route.replace(supersedes=old.ref, block=block)


def _require_person(ws: Workspace, old: OldMemory) -> None:
    if old.store == "vault" and ws.actor != "manual":
        hint = "molt --actor manual remember … --supersedes …"
        raise errors.Refused("only a person supersedes what is in the vault", hint)


def _name_place(tree: Tree, old: OldMemory, flags: dict[str, Any]) -> dict[str, Any]:
    """The flags that lead to where a memory is; for an entry of a log the text decides."""
    if old.store == "episodic":
        return {}
    place: dict[str, Any] = {"store": old.store}
    if old.store == "core":
        place["block"] = flags.get("block") or old.block
    elif old.store == "semantic":
        place["entity"] = old.id
    else:
        place["title"] = flags.get("title") or _name_file(tree, old)
    return place


def _name_file(tree: Tree, old: OldMemory) -> str:
    """A title that leads to the file of a memory: its label, or where that is another, its name."""
    stem = ids.parse(old.id).key
    label = str(frontmatter.metadata(read_strict(tree, old.path)).get("label", ""))
    return label if ids.slug(label) == stem else stem


def _refuse_itself(old: OldMemory) -> errors.Usage:
    """Return the error for a memory that already says the new words."""
    wrong = f"{old.id} says that already: it cannot supersede itself"
    return errors.Usage(wrong, f"molt get {shlex.quote(old.id)}")


def check_route(route: Route, old: OldMemory) -> None:
    """Raises Usage where a text says what it would supersede, and Refused where what came from
    outside would change what the agent obeys, or words would reach those they are not for.
    """
    if _fold(route.text) == _fold(facts.strip_asides(old.text)):
        raise _refuse_itself(old)
    if route.origin in origins.OUTSIDE and old.store in _GUARDED:
        said = f"what comes from {route.origin} supersedes nothing in {old.store}"
        raise errors.Refused(said, "leave out --supersedes: it is kept beside it")
    if route.scope != old.scope:
        whom = [f"for {one}" if one else "for anybody" for one in (route.scope, old.scope)]
        said = f"what is {whom[0]} does not supersede what is {whom[1]}"
        raise errors.Refused(said, f"--scope {old.scope}" if old.scope else "leave out --scope")


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def place_text(
    tree: Tree,
    route: Route,
    now: datetime,
    *,
    likeness: Likeness = stores.EXACT,
    cache: Cache | None = None,
) -> Placed:
    """Return the edits that `stores.place_text` gives, with what the text supersedes marked.

    Raises what that, `find_target` and `check_route` raise.
    """
    ref = route.supersedes
    old = find_target(tree, ref, cache=cache) if ref and _is_named(ref) else None
    if old is not None:
        check_route(route, old)
        route = route.replace(supersedes=old.id)
    placed = stores.place_text(tree, route, now, likeness=likeness, cache=cache)
    if not ref:
        return placed
    if old is None:
        stem = placed.id.removeprefix("entity:") if route.store == "semantic" else ""
        old = find_target(tree, ref, stem, cache)
        check_route(route, old)
    return _supersede_memory(tree, route, placed, old, now)


def _is_named(ref: str) -> bool:
    """Whether a text names a memory by its id or a citation, and not by the words of a fact."""
    name = ids.complete_id(ref.split(maxsplit=1)[0]) if ref.strip() else ""
    return refs.is_id(name) or citations.parse_citation(ref) is not None


def _supersede_memory(
    tree: Tree, route: Route, placed: Placed, old: OldMemory, now: datetime
) -> Placed:
    """Return the edits of a new memory with the old one marked as superseded by it: a bullet of
    core memory gives its place to a new bullet; else bullets and facts are struck through with the
    day, the new words and their source; files name their successor. An entry of a log stays as it
    is, and its successor names it.
    """
    if placed.again and placed.id == old.id:
        raise _refuse_itself(old)
    edits = dict(placed.edits)
    over = Overlay(tree, edits)
    date = route.since or now.strftime("%Y-%m-%d")
    words = " ".join(route.text.split())
    source = f"{words[:_QUOTED].rstrip()}{' …' * (len(words) > _QUOTED)} (source: {placed.id})"
    if old.store == "core":
        before = read_strict(tree, paths.CORE)
        after = read_strict(over, paths.CORE)
        if placed.id.startswith("core:") and placed.again:
            found = (one for one in bullets.core_bullets(after) if one.id == old.id)
            text = core_text.drop_bullets(after, tuple(found))
        else:
            text = _replace_bullet(before, after, old.id, (date, source))
        edits[paths.CORE] = text.encode()
    elif old.fact:
        by = f"{words} (source: {placed.id})" if route.store == "episodic" else ""
        text = read_strict(over, old.path)
        held = (one.text for one in bullets.bullets(text, "Facts"))
        beside = (one for one in held if facts.strip_asides(one) == words)
        said = by or (next(beside, source) if placed.path == old.path else source)
        text = facts.strike_fact(text, old.fact, date, said)
        text = _drop_replaced(read_strict(tree, old.path), text, old.fact)
        edits[old.path] = (facts.add_fact(text, by, date) if by else text).encode()
    elif old.store in _FILES and placed.id != old.id:
        text = frontmatter.set_field(read_strict(over, old.path), successors.BY, placed.id)
        edits[old.path] = text.encode()
    elif old.store == "episodic" and route.store in _FILES:
        text = read_strict(over, placed.path)
        edits[placed.path] = frontmatter.set_field(text, successors.FIELD, old.id).encode()
    others = (one for one in placed.related if one != old.id)
    related = (*others, old.id) if old.id != placed.id else placed.related
    others_changed = set(edits) - {placed.path}
    action = "EDIT" if others_changed and placed.action == "APPEND" else placed.action
    made = placed.replace(edits=edits, related=related, action=action, again=False)
    return made.replace(superseded=old.ref)


def _drop_replaced(before: str, after: str, fact: str) -> str:
    """An entity without the relations that the struck fact names the end of, where the new words
    brought another one of the same word.
    """
    known = {(one.word, one.target) for one in entity_notes.relations(before)}
    every = entity_notes.relations(after)
    fresh = {one.word for one in every if (one.word, one.target) not in known}
    said = f"-{ids.slug(fact)}-"
    for one in reversed(bullets.bullets(after, "Relations")):
        word = ids.slug(one.text.partition("[[")[0])
        ends = entity_notes.list_targets(one.text)
        told = all(f"-{end.partition('--')[2]}-" in said for end in ends)
        if word in fresh and ends and told and (word, ends[0]) in known:
            after = lines.splice_lines(after, one.start - 1, one.end, ())
    return after


def _replace_bullet(before: str, after: str, old: str, by: tuple[str, str]) -> str:
    """Core memory in which a bullet gave its place to the one that is new, or is struck through."""
    known = {one.id for one in bullets.core_bullets(before)}
    every = bullets.core_bullets(after)
    fresh = next((one for one in every if one.id not in known), None)
    found = next(one for one in every if one.id == old)
    if fresh is None:
        struck = facts.strike_text(found.text, *by)
        return core_text.replace_bullet(after, found, struck)
    if fresh.block != found.block:
        return core_text.drop_bullets(after, (found,))
    kept = core_text.drop_bullets(after, (fresh,))
    place = next(one for one in bullets.core_bullets(kept) if one.id == old)
    return core_text.replace_bullet(kept, place, fresh.text)
