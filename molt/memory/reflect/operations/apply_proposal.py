"""What a reflection does to a sub-agent's proposal: takes it into a store, and off the list."""

from __future__ import annotations

from molt.formats import paths, times
from molt.formats.meta import proposals
from molt.memory.govern import proposals as governing
from molt.memory.reflect.operations.applied import Applied, Outdated
from molt.memory.write import conflicts, stores
from molt.trees import Overlay, read_strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.formats.meta.proposals import Proposal
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.operations.applied import ReflectionStamp
    from molt.trees import Tree


def accept_proposal(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """A proposal in its store, in the name of its sub-agent, and off the list. It is dated as it
    was proposed: so the same proposal always gives the same memory.

    Raises Outdated where it no longer waits, or something says otherwise.
    """
    wanted = one.text("proposal")
    waiting = proposals.list_pending(read_strict(tree, paths.PROPOSALS))
    found = next((each for each in waiting if wanted in proposals.name_proposal(each)), None)
    if found is None:
        raise Outdated(f"no proposal {wanted!r} waits any more")
    against = conflicts.find_conflicts(tree, found, stamp.cache)
    if against:
        raise Outdated(f"{against[0].id} says otherwise: `molt review resolve` decides")
    now = _read_moment(found, stamp)
    settled = governing.Acceptance(now, one.text("store"))
    route = governing.route_proposal(tree, found, settled, stamp.cache)
    likeness = stores.Likeness(stamp.config.graph_similarity, stamp.config.graph_ask)
    made = stores.place_text(tree, route, now, likeness=likeness, cache=stamp.cache)
    left = read_strict(Overlay(tree, made.edits), paths.PROPOSALS)
    after = proposals.remove_proposal(left, found.id or f"#{found.number}")
    edits = {**made.edits, paths.PROPOSALS: after.encode()}
    return Applied(edits, made.path, made.action, (made.id, *made.related))


def _read_moment(one: Proposal, stamp: ReflectionStamp) -> datetime:
    """When a proposal was made; the beginning of the reflection's day where it does not say."""
    import datetime

    second = times.parse_time(one.timestamp)
    if second is None:
        return datetime.datetime.fromisoformat(f"{stamp.date}T00:00:00+00:00")
    return datetime.datetime.fromtimestamp(second, datetime.UTC)
