"""What is about to be remembered: not what was forgotten, and not more than core memory holds."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import tombstones
from molt.memory.decay import fold
from molt.memory.visible import forgotten
from molt.trees import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.trees import Tree


def admit_text(ws: Workspace, tree: Tree, route: Route, made: Placed, now: datetime) -> Placed:
    """What was placed, fit to be committed: where a person remembers what was forgotten, its
    tombstones go; where room is to be made in core memory, it is.

    Raises NeedsAnswer for what was forgotten and no person asks for, and what `fit_core` raises.
    """
    made = _lift_tombstones(ws, tree, route.text, made)
    if made.id in forgotten.list_forgotten(tree, ws.repo.cache):
        made = _revive(ws, tree, made, now.timestamp())
    return _fit_core(ws, tree, route, made, now) if paths.CORE in made.edits else made


def _revive(ws: Workspace, tree: Tree, made: Placed, now: float) -> Placed:
    """What is said just as it was before it was forgotten, brought back by a person. An entity
    would come back with all that was known of it: that is asked for by its name.
    """
    if ws.actor != "manual" or made.id.startswith("entity:"):
        hint = f"`molt restore {made.id}` brings it back"
        raise errors.NeedsAnswer(f"{made.id} was forgotten", hint)
    text = trees.read_strict(tree, paths.SCORES)
    entry = score_file.find_entries(text, (made.id,))[made.id]
    fresh = score_file.edit_entries(text, {made.id: fold.revive_entry(entry, now)})
    return made.replace(edits={**made.edits, paths.SCORES: fresh.encode()}, action="RESTORE")


def _lift_tombstones(ws: Workspace, tree: Tree, text: str, made: Placed) -> Placed:
    if tree.entry(paths.TOMBSTONES) is None:
        return made
    before = trees.read_strict(tree, paths.TOMBSTONES)
    found = tombstones.find_tombstones(text, tombstones.parse_tombstones(before))
    if not found:
        return made
    if ws.actor != "manual":
        hint = "a person brings it back: `molt --actor manual remember …`, or `molt restore`"
        raise errors.NeedsAnswer(f"this was forgotten on {found[0].date}", hint)
    after = tombstones.remove_tombstones(before, found)
    return made.replace(edits={**made.edits, paths.TOMBSTONES: after.encode()})


def _fit_core(ws: Workspace, tree: Tree, route: Route, made: Placed, now: datetime) -> Placed:
    # Few memories go to core memory, and to count tokens takes longer than all else.
    from molt.memory.decay import formula
    from molt.memory.decay import scores as decay_scores
    from molt.memory.write import core

    before = trees.read_strict(tree, paths.CORE)
    text = trees.read_strict(Overlay(tree, made.edits), paths.CORE)
    fading = formula.read_fading(ws.config)
    scores = decay_scores.load_scores(ws.repo, tree, now.timestamp(), fading)
    room = core.Room(ws.config, scores, now.strftime("%Y-%m-%d"), route.make_room)
    fitted = core.fit_core(tree, text, room, (made.id,))
    after = (fitted.edits[paths.CORE] or b"").decode()
    moved = [f"moved {old} to {new}" for old, new in fitted.moved]
    said = (made.taken, *moved, core.tell_fullness(before, after, ws.config))
    related = (*made.related, *(one for pair in fitted.moved for one in pair))
    edits = {**made.edits, **fitted.edits}
    told = "; ".join(filter(None, said))
    return made.replace(edits=edits, taken=told, related=tuple(dict.fromkeys(related)))
