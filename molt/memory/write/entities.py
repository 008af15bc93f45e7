"""Entities are renamed and merged, with all that links to them, in one commit."""

from __future__ import annotations

from functools import partial

from molt import errors
from molt.formats import ids
from molt.formats import message as messages
from molt.memory.graph import graph as graphs
from molt.memory.graph import resolve, unite
from molt.memory.graph.unite import Moved
from molt.repo.write.plan import Change
from molt.trees import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

    Move = Callable[[Tree], tuple[Moved, str, tuple[str, ...]]]


def rename_entity(
    ws: Workspace, ref: str, name: str, now: datetime, *, dry_run: bool = False
) -> Written[Moved]:
    """Commit another label of an entity (`LABEL` or `TYPE:LABEL`), and its file and the links to
    it with that; what it was called before leads to it still.

    Raises NotFound where nothing is meant, Usage where the name is none or taken, and what
    `Workspace.commit` raises.
    """
    may_edit = _may_edit(ws)

    def move(tree: Tree) -> tuple[Moved, str, tuple[str, ...]]:
        known = graphs.load(tree, ws.repo.cache)
        stem = resolve.require_entity(known, ref)
        made = unite.rename_entity(tree, stem, name, now.strftime("%Y-%m-%d"), may_edit=may_edit)
        others = [one for one in resolve.list_named(known, unite.strip_type(name)) if one != stem]
        if others:
            made = made.replace(note=f"{', '.join(others)} is called so too: name it with its type")
        action = "EDIT" if made.id == ids.entity(stem) else "RENAME"
        return made, action, (made.id, ids.entity(stem))

    return _commit_move(ws, move, f"renamed to {name}", dry_run=dry_run, now=now)


def merge_entities(
    ws: Workspace, into: str, others: Sequence[str], now: datetime, *, dry_run: bool = False
) -> Written[Moved]:
    """Commit that some entities are another one: what they hold, and the links to them, become its.

    Raises NotFound where one of them is not meant exactly, Usage where two are the same, and what
    `Workspace.commit` raises.
    """
    if not others:
        raise errors.Usage("nothing to merge", "`molt graph merge INTO OTHER`")
    may_edit = _may_edit(ws)

    def move(tree: Tree) -> tuple[Moved, str, tuple[str, ...]]:
        known = graphs.load(tree, ws.repo.cache)
        first, *rest = (resolve.require_entity(known, one) for one in (into, *others))
        made = Moved({}, ids.entity(first), "")
        for one in rest:
            over = Overlay(tree, made.edits)
            step = unite.merge_entity(over, first, one, now.strftime("%Y-%m-%d"), may_edit=may_edit)
            made = _join_moves(made, step)
        return made, "MERGE", tuple(map(ids.entity, (first, *rest)))

    return _commit_move(ws, move, f"merged {', '.join(others)}", dry_run=dry_run, now=now)


def _may_edit(ws: Workspace) -> Callable[[str], bool]:
    return partial(unite.may_point_links, person=ws.actor == "manual")


def _join_moves(made: Moved, step: Moved) -> Moved:
    """Two moves to the same entity as one; the second was made on the first."""
    both = {**made.edits, **step.edits}
    followed = tuple(dict.fromkeys(p for p in (*made.followed, *step.followed) if both[p]))
    left = tuple(dict.fromkeys((*made.left, *step.left)))
    return step.replace(edits=both, followed=followed, left=left)


def _commit_move(
    ws: Workspace, move: Move, summary: str, *, dry_run: bool, now: datetime
) -> Written[Moved]:
    def make_change(tree: Tree) -> Change[Moved]:
        made, action, memories = move(tree)
        text = messages.render(
            action,
            made.path,
            " ".join(summary.split())[:60],
            messages.Provenance(
                ws.actor,
                approval="auto",
                trigger=f"molt graph {'merge' if action == 'MERGE' else 'rename'}",
                trailers=tuple(("Memory-Id", one) for one in memories),
            ),
        )
        return Change(made.edits, text, made)

    return ws.commit(make_change, dry_run=dry_run, now=now.timestamp())
