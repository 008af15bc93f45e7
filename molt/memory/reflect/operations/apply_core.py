"""What a reflection does to MEMORY.md: bullets added, reworded, taken out; always under its cap."""

from __future__ import annotations

from molt import tokens, trees
from molt.formats import bullets, facts, ids, paths
from molt.formats import core as core_text
from molt.formats import entity as entity_notes
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.operations import apply_graph
from molt.memory.reflect.operations.applied import Applied, Outdated, Overfull
from molt.trees import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from molt.formats.bullets import Bullet
    from molt.memory.reflect.operations.applied import ReflectionStamp
    from molt.trees import Edits, Tree


def rewrite_core(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """Core memory after its changes. A bullet that is gone already is no hindrance; one that was
    reworded meanwhile is. One stays that was to go into an entity which nobody wanted.

    Raises Overfull where it would be over the cap, and Outdated where nothing is left to do.
    """
    before = trees.read_strict(tree, paths.CORE)
    edits: Edits = {}
    text, named, homeless = before, list[str](), ""
    undone: list[dict[str, Any]] = []
    for row in one.rows("drop"):
        found = _find(text, row["bullet"])
        if found is None:
            undone.append(row)
            continue
        if name := row.get("into"):
            entity = _move(tree, edits, found, name, stamp)
            if not entity:
                homeless = name
                undone.append(row)
                continue
            named.append(entity)
        text = core_text.drop_bullets(text, (found,))
        named.append(found.id)
    for row in one.rows("replace"):
        found = _find(text, row["bullet"])
        said = apply_graph.cite(row["text"], _list_sources(one, row))
        if found is None:
            if _holds(text, said):
                undone.append(row)
                continue
            raise Outdated(f"MEMORY.md has no bullet {row['bullet']!r} any more")
        text = core_text.replace_bullet(text, found, said)
        named += [found.id, ids.bullet(found.block, said)]
    for row in one.rows("add"):
        said = apply_graph.cite(row["text"], _list_sources(one, row))
        title = core_text.find_title(text, row["block"]) or row["block"]
        text = bullets.add_bullet(text, title, said)
        named.append(ids.bullet(title, said))
    if homeless and text == before:
        raise Outdated(f"no entity {homeless!r} for what leaves core memory")
    _require_room(before, text, stamp)
    edits[paths.CORE] = text.encode()
    action = "EDIT" if before else "CREATE"
    return Applied(edits, paths.CORE, action, tuple(dict.fromkeys(named)), _leave_out(one, undone))


def _list_sources(one: Operation, row: dict[str, Any]) -> tuple[str, ...]:
    """Return the memories of a bullet: its own where a record has some, else the operation's."""
    return tuple(row.get("evidence", ())) or (one.evidence if one.wording else ())


def _leave_out(one: Operation, undone: Sequence[dict[str, Any]]) -> Operation:
    """An operation without the rows that were not carried out, and without the bullets of these in
    its evidence.
    """
    rows = {
        name: [row for row in one.rows(name) if not any(row is other for other in undone)]
        for name in one.args
    }
    done = {row.get("bullet") for some in rows.values() for row in some}
    left = {row["bullet"] for row in undone} - done
    return one.replace(args=rows, evidence=tuple(name for name in one.evidence if name not in left))


def _find(text: str, ref: str) -> Bullet | None:
    """The bullet that an id or its own words name."""
    wanted = ref.removeprefix("- ").strip()
    every = bullets.core_bullets(text)
    names = (wanted, facts.strip_asides(wanted))
    return next((one for one in every if one.id == wanted or one.text in names), None)


def _holds(text: str, said: str) -> bool:
    return any(one.text == said for one in bullets.core_bullets(text))


def _move(tree: Tree, edits: Edits, one: Bullet, name: str, stamp: ReflectionStamp) -> str:
    """Put a bullet into an entity as a fact, which is made where the name is `TYPE:LABEL`; gives
    the entity's id, empty where there is none.
    """
    over = Overlay(tree, edits)
    stem = apply_graph.find_entity(over, name, stamp)
    fact = f"{' '.join(one.text.split())}"
    if facts.strip_asides(fact) == fact:
        fact = f"{fact} (source: {one.id})"
    kind, colon, _ = name.partition(":")
    if not stem and colon and kind in (*entity_notes.ENTITY_TYPES, *stamp.config.graph_types):
        made = apply_graph.upsert_entity(
            over, Operation("upsert-entity", {"entity": name, "facts": [fact]}), stamp
        )
        edits.update(made.edits)
        return made.memories[0]
    if not stem:
        return ""
    path = f"{paths.ENTITIES}{stem}.md"
    text = facts.add_fact(trees.read_strict(over, path), fact, stamp.date)
    edits[path] = text.encode()
    return ids.entity(entity_notes.parse_node(text, stem).id or stem)


def _require_room(before: str, text: str, stamp: ReflectionStamp) -> None:
    """Raises Overfull where a rewrite leaves core memory over its cap, and not smaller."""
    cap, encoding = stamp.config.core_cap, stamp.config.core_encoding
    if len(text.encode()) <= cap:
        return
    count = tokens.count_tokens(text, encoding)
    if count > cap and count >= tokens.count_tokens(before, encoding):
        raise Overfull(f"MEMORY.md would hold {count:,} tokens, over its cap of {cap:,}")
