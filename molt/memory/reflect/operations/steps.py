"""Operations become commits, each judged by the policy before it is one."""

from __future__ import annotations

from molt import policy
from molt.formats.reflections import plan
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import Outdated
from molt.repo.write.plan import CommitStep
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.operations.applied import ReflectionStamp
    from molt.policy import Context
    from molt.trees import Edits, Tree

THERE = "it is there already"


class PlannedStep(Value):
    """An operation with the commit that it becomes; without one where it has nothing to edit."""

    operation: Operation
    step: CommitStep | None
    memories: tuple[str, ...] = ()


class PlannedSteps:
    """What operations make of a tree: those that apply, in order, and those that do not, with the
    reason; of what is `there` already nothing is to be done.
    """

    def __init__(self, base: Tree) -> None:
        self.base = base
        self.edits: Edits = {}
        self.done: list[PlannedStep] = []
        self.there: list[Operation] = []
        self.dropped: list[tuple[Operation, str]] = []

    @property
    def tree(self) -> Tree:
        """The tree with all edits."""
        return Overlay(self.base, self.edits)

    @property
    def commits(self) -> tuple[CommitStep, ...]:
        """The commits of all operations that have one."""
        return tuple(one.step for one in self.done if one.step is not None)


class StepTerms(Value):
    """On what terms operations become commits: their stamp, the approval that they say, what the
    policy is to know, and the numbers of those that a person has edited. Without a context none is
    judged here: whoever writes them does.
    """

    stamp: ReflectionStamp
    approval: str
    context: Context | None
    edited: frozenset[int] = frozenset()


def plan_steps(tree: Tree, operations: Iterable[Operation], terms: StepTerms) -> PlannedSteps:
    """Operations as commits on a tree, each on what the one before has made. What does not apply,
    or what the policy refuses, is dropped with the reason.
    """
    stamp = terms.stamp
    found = PlannedSteps(tree)
    for one in operations:
        if not plan.KINDS[one.op].edits:
            found.done.append(PlannedStep(one, None))
            continue
        try:
            made = apply.apply_operation(found.tree, one, stamp)
        except Outdated as error:
            found.dropped.append((one, error.message))
            continue
        if not made.edits:
            found.there.append(one)
            continue
        change = apply.make_change(made, one, stamp, terms.approval)
        text = change.message + "Edited: manual\n" * (one.n in terms.edited)
        step = CommitStep(change.edits, text)
        if wrong := _find_wrong(found.tree, step, terms):
            found.dropped.append((one, wrong))
            continue
        found.edits.update(change.edits)
        found.done.append(PlannedStep(one, step, made.memories))
    return found


def _find_wrong(before: Tree, step: CommitStep, terms: StepTerms) -> str:
    """What the policy has against a commit on a tree; empty for nothing."""
    if terms.context is None:
        return ""
    after = Overlay(before, dict(step.edits))
    every = policy.evaluate(before, after, step.message, terms.context, terms.stamp.config)
    return next((f"{one.code}: {one.message}" for one in every if one.severity == "error"), "")
