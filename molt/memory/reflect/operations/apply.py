"""An operation of a plan becomes edits of a tree: on the branch, at the approval, and by hand."""

from __future__ import annotations

from molt import errors
from molt.formats import message as messages
from molt.formats.reflections import plan
from molt.memory.reflect.operations import apply_core, apply_graph, apply_procedure
from molt.memory.reflect.operations.applied import Applied, Outdated, ReflectionStamp
from molt.repo.write.plan import Change
from molt.trees import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from molt.formats.reflections.plan import Operation
    from molt.trees import Edits, Tree


def _accept_proposal(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    # What reads and admits a proposal takes a third of the imports of an approval.
    from molt.memory.reflect.operations import apply_proposal

    return apply_proposal.accept_proposal(tree, one, stamp)


_APPLIED: dict[str, Callable[[Tree, Operation, ReflectionStamp], Applied]] = {
    "upsert-entity": apply_graph.upsert_entity,
    "add-fact": apply_graph.add_fact,
    "supersede-fact": apply_graph.supersede_fact,
    "add-relation": apply_graph.add_relation,
    "merge-entities": apply_graph.merge_entities,
    "upsert-procedure": apply_procedure.upsert_procedure,
    "accept-proposal": _accept_proposal,
    "rewrite-core": apply_core.rewrite_core,
}


def apply_operation(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """The edits of one operation on a tree. The same operation on the same tree always gives the
    same edits; one that a tree has already gives none.

    Raises Outdated, with the reason, where the tree is no longer one that it applies to.
    """
    apply = _APPLIED.get(one.op)
    if apply is None:
        return Applied({}, "", "EDIT")
    try:
        made = apply(tree, one, stamp)
    except (errors.Usage, errors.Refused, ValueError) as error:
        raise Outdated(str(error)) from error
    changed = {path: data for path, data in made.edits.items() if tree.read(path) != data}
    return made.replace(edits=changed)


class Sequel:
    """What came of operations one after the other: the tree after them, those that were applied
    with their edits, and those that were not, with the reason.
    """

    def __init__(self, tree: Tree) -> None:
        self.base = tree
        self.edits: Edits = {}
        self.applied: list[tuple[Operation, Applied]] = []
        self.dropped: list[tuple[Operation, str]] = []

    @property
    def tree(self) -> Tree:
        """The tree with all edits."""
        return Overlay(self.base, self.edits)


def apply_all(tree: Tree, operations: Iterable[Operation], stamp: ReflectionStamp) -> Sequel:
    """Operations applied in order, each to what the one before has made; what no longer applies is
    dropped, and what is there already is applied without an edit.
    """
    found = Sequel(tree)
    for one in operations:
        try:
            made = apply_operation(found.tree, one, stamp)
        except Outdated as error:
            found.dropped.append((one, error.message))
            continue
        found.edits.update(made.edits)
        found.applied.append((one, made))
    return found


def make_change(
    made: Applied, one: Operation, stamp: ReflectionStamp, approval: str
) -> Change[None]:
    """The commit of an operation that was applied, which tells what was carried out of it."""
    done = made.told or one
    named = [("Memory-Id", memory) for memory in made.memories]
    named += [("Reflection", stamp.reflection), ("Operation", str(one.n))]
    named += [("Evidence", memory) for memory in plan.list_evidence(done)]
    by = messages.Provenance(f"reflection:{stamp.reflection}", approval, "reflection", named)
    text = messages.render(
        made.action, made.path, plan.describe_operation(done)[:72], by, body=one.reason
    )
    return Change(made.edits, text, None)
