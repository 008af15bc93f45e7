"""What a person puts right: the fact that it is about is struck through, and the line of core
memory reads as it should.
"""

from __future__ import annotations

from molt.formats import bullets, core, facts, fields, frontmatter, ids, paths
from molt.formats.meta.proposals import Proposal
from molt.formats.prose import amended, claims, superseded
from molt.memory.engines import rules
from molt.memory.graph import graph, resolve, table, unite
from molt.memory.write import conflicts
from molt.memory.write.conflicts import Contradiction
from molt.trees import Overlay, read_strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from molt.formats.prose.amended import Amended
    from molt.formats.prose.claims import Correction
    from molt.memory.graph.table import Cache
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.trees import Tree


def aim_route(tree: Tree, route: Route, cache: Cache | None = None) -> Route:
    """The route of a fact with the one that it puts right in its entity."""
    found = claims.read_correction(route.text)
    if route.store != "semantic" or found is None:
        return route
    stem = route.entity.removeprefix("=")
    kind, colon, label = stem.partition(":")
    about = _slug_stem(f"{kind}--{label}" if colon else stem)
    wrong = _find_wrong(tree, found, (about,), cache)
    if len(wrong) != 1:
        return route
    aimed = route.replace(text=found.statement, supersedes=wrong[0].text)
    own = wrong[0].id.removeprefix("entity:")
    return aimed if own == about else aimed.replace(entity=f"={own}")


def correct_facts(
    tree: Tree, route: Route, placed: Placed, now: datetime, cache: Cache | None = None
) -> Placed:
    """The edits of an episode with the fact struck through that it puts right, and the right one
    beside it. Where several may be meant, all stay, and it says so. Who was called by a wrong name
    is called by the right one as well.
    """
    if route.store == "semantic" and route.supersedes:
        text = (placed.edits[placed.path] or b"").decode()
        text = _add_name(tree, text, (route.supersedes, route.text), cache)
        return placed.replace(edits={**placed.edits, placed.path: text.encode()})
    found = claims.read_correction(route.text)
    if route.store != "episodic" or placed.again or found is None:
        return placed
    wrong = _find_wrong(tree, found, (), cache)
    if len(wrong) > 1:
        named = ", ".join(f"{one.id}: {one.text}" for one in wrong[:3])
        return placed.replace(taken=f"this may put right several facts, which stay: {named}")
    if not wrong:
        return placed
    (old,) = wrong
    path = f"{paths.ENTITIES}{old.id.removeprefix('entity:')}.md"
    before = read_strict(Overlay(tree, placed.edits), path)
    fresh = f"{found.statement} (source: {placed.id})"
    after = superseded.supersede_fact(before, old.text, now.strftime("%Y-%m-%d"), fresh)
    after = _add_name(tree, after, (old.text, found.statement), cache)
    edits = {**placed.edits, path: after.encode()}
    action = "EDIT" if placed.action == "APPEND" else placed.action
    told = f"{old.id} no longer says {facts.strip_asides(old.text)!r}"
    related = (*placed.related, old.id)
    return placed.replace(edits=edits, related=related, action=action, taken=told)


def correct_core(tree: Tree, route: Route, placed: Placed) -> Placed:
    """The edits with the line of core memory put right that a text is about, in the place of what
    it adds there. Where several may be meant, all stay, and it says so.
    """
    found = amended.read_change(route.text)
    if placed.again or found is None:
        return placed
    before = read_strict(tree, paths.CORE)
    lines = amended.find_amended(bullets.core_bullets(before), found)
    if not lines:
        return placed
    if told := _tell_doubt(lines):
        return placed.replace(taken="; ".join(filter(None, (placed.taken, told))))
    old, text = lines[0].old, lines[0].text
    fresh = ids.bullet(old.block, text)
    known = any(one.id == fresh for one in bullets.core_bullets(before))
    after = core.drop_bullets(before, (old,)) if known else core.replace_bullet(before, old, text)
    own = route.store == "core"
    # What an engine has added there as well is what takes the place of the old line.
    others = (one for one in placed.related if not one.startswith("core:"))
    related = (*others, old.id) if own else (*others, fresh, old.id)
    told = f"{old.id} no longer says {facts.strip_asides(old.text)!r}, but {text!r}"
    return placed.replace(
        edits={**placed.edits, paths.CORE: after.encode()},
        id=fresh if own else placed.id,
        related=related,
        action="EDIT" if placed.action == "APPEND" else placed.action,
        taken="; ".join(filter(None, (placed.taken, told))),
    )


def _tell_doubt(lines: Sequence[Amended]) -> str:
    """Why lines of core memory stay that a text may put right; empty for one that is plain."""
    named = ", ".join(f"{one.old.id}: {one.old.text}" for one in lines[:3])
    if len(lines) > 1:
        return f"this may put right several lines of core memory, which stay: {named}"
    if not lines[0].text:
        return f"this may put right a line of core memory that says more, which stays: {named}"
    return ""


def _find_wrong(
    tree: Tree, found: Correction, about: tuple[str, ...], cache: Cache | None
) -> list[Contradiction]:
    """The stored facts that a correction contradicts; where it says what does not hold, of those
    that say that.
    """
    one = Proposal("", found.statement, entities=about)
    stored = conflicts.find_disputed(tree, one, cache)
    denied = found.denied.casefold()
    wrong = [each for each in stored if denied in each.text.casefold()]
    return wrong or list(_find_misnamed(tree, found, cache))


def _find_misnamed(tree: Tree, found: Correction, cache: Cache | None) -> Iterator[Contradiction]:
    """The facts by which somebody is called otherwise whom a sentence tells the name of: they stand
    in the entity of the wrong name, which the sentence need not say.
    """
    if not amended.read_name(found.statement):
        return
    kinds = tuple(f"{one.type}--" for one in rules.answer_text(found.statement).entities)
    rows = graph.load(tree, cache).names.lines() if kinds else ()
    stems = (table.parse_names(row).stem for row in rows if row.startswith(kinds))
    files = [f"{paths.ENTITIES}{stem}.md" for stem in stems]
    for path, data in tree.read_many(files).items():
        told = bullets.bullets(data.decode("utf-8", "replace"), "Facts")
        held = (one for one in told if facts.holds(one.text))
        for one in amended.find_amended(held, found):
            yield Contradiction(ids.entity(path[len(paths.ENTITIES) : -3]), one.old.text)


def _add_name(tree: Tree, text: str, said: tuple[str, str], cache: Cache | None) -> str:
    """An entity that is called by the name that the first of two sentences told, with the one that
    the second tells for it; as it is where something else is called so.
    """
    wrong, name = map(amended.read_name, said)
    front = frontmatter.metadata(text)
    label = str(front.get("label", ""))
    if not name or wrong not in (label, *fields.text_list(front, "aliases")):
        return text
    others = resolve.list_named(graph.load(tree, cache), name)
    return text if others else unite.add_aliases(text, (name,), but=label)


def _slug_stem(stem: str) -> str:
    kind, dashes, name = stem.partition("--")
    return f"{ids.slug(kind)}--{ids.slug(name)}" if dashes else stem
