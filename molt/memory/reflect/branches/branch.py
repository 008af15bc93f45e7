"""The branch of a reflection: a commit for each operation, and the record of all of them last."""

from __future__ import annotations

from molt import config, errors, policy, trees
from molt.formats import message as messages
from molt.formats.reflections import parts, plan, record, refs
from molt.formats.reflections.record import ReflectionItem, ReflectionRecord
from molt.memory import judging
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.proposed import open_branches
from molt.memory.reflect.branches import seen
from molt.memory.reflect.material.records import read_records
from molt.memory.reflect.operations import steps
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.operations.steps import StepTerms
from molt.repo import branches
from molt.repo.write import ref_moves
from molt.repo.write.chain import CommitWriter
from molt.repo.write.loose import Loose
from molt.repo.write.plan import CommitStep
from molt.repo.write.ref_moves import RefMove
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Protocol

    from molt.formats.reflections.plan import Operation
    from molt.formats.reflections.summary import Summary
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.operations.steps import PlannedSteps
    from molt.memory.workspace import Workspace
    from molt.policy import Context

    class Drafted(Protocol):
        """What a branch is made of: what was read, what is proposed, and what was left out."""

        @property
        def material(self) -> ReflectionMaterial: ...
        @property
        def operations(self) -> Sequence[Operation]: ...
        @property
        def dropped(self) -> Sequence[tuple[Operation, str]]: ...
        @property
        def summary(self) -> Summary: ...
        @property
        def fields(self) -> Sequence[tuple[str, object]]: ...


_TRIES = 5  # as often may another take the number of a branch


class KnownReflection(Value):
    """A reflection that this clone knows: its record with the text of it, and the commit and ref
    of its branch, both empty for one that is decided.
    """

    id: str
    record: ReflectionRecord
    text: str
    ref: str = ""
    tip: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it awaits a person."""
        return bool(self.tip)

    @property
    def status(self) -> str:
        """What was decided; one that nobody has decided is pending, whatever it says."""
        return "pending" if self.is_open else self.record.status


def list_reflections(ws: Workspace) -> tuple[KnownReflection, ...]:
    """All reflections, by number: those that HEAD has records of, and those on a branch."""
    return tuple(sorted((*_list_decided(ws), *list_open(ws)), key=lambda one: int(one.id[2:])))


def list_open(ws: Workspace) -> Iterator[KnownReflection]:
    """The reflections that await a person."""
    for one in open_branches.list_open(ws.repo):
        text = trees.read_text(ws.repo.tree(one.tip), record.record_path(one.id))
        yield KnownReflection(one.id, record.parse_record(text), text, one.ref, one.tip)


def _list_decided(ws: Workspace) -> Iterator[KnownReflection]:
    tree = ws.head()
    for one in read_records(tree):
        text = trees.read_text(tree, record.record_path(one.id))
        yield KnownReflection(one.id, one, text)


def find_reflection(ws: Workspace, reflection: str = "") -> KnownReflection:
    """The reflection of an id; without one, the only one that is open.

    Raises NotFound where there is none, Usage where several are open and none is named.
    """
    if reflection:
        wanted = refs.find_id(reflection) or reflection
        for one in list_reflections(ws):
            if one.id == wanted:
                return one
        raise errors.NotFound(f"no reflection {reflection!r}", "`molt reflect list` has all")
    found = tuple(list_open(ws))
    if not found:
        raise errors.NotFound("no reflection is open", "`molt reflect` makes one")
    if len(found) > 1:
        raise errors.Usage("several reflections are open", f"name one, such as {found[0].id}")
    return found[0]


def require_open(ws: Workspace, reflection: str) -> KnownReflection:
    """A reflection that awaits a person. Raises Refused for one that was decided."""
    found = find_reflection(ws, reflection)
    if not found.is_open and found.status == "pending":
        said = f"{found.id} came into this branch without a merge, so nobody has said to take it"
        raise errors.Refused(said, "`molt verify` names the `molt accept` by which a person does")
    if not found.is_open:
        said = f"{found.id} was decided already: {found.status}"
        raise errors.Refused(
            said, f"molt reflect show {found.id}  (`molt reflect` makes a new one)"
        )
    return found


def require_base(ws: Workspace, found: KnownReflection) -> str:
    """The commit that a reflection was made on, by its full id: whoever writes a record could name
    a ref that moves there, or an option of git. Raises Refused where this clone has none such.
    """
    base = found.record.base
    known = ws.repo.stamp(base)
    if known is None or known.oid != base:
        said = f"{found.id} was made on {base[:10]!r}, which this clone does not have"
        raise errors.Refused(said, f"`git fetch`; or `molt reflect rebase {found.id}`")
    return base


def write_branch(
    ws: Workspace, draft: Drafted, now: datetime, *, parallel: bool = False
) -> KnownReflection | None:
    """Put a draft on a branch of its own, on the commit that was read: neither HEAD's branch nor a
    file or the index is touched. None where nothing of it can be proposed.

    What the policy refuses, and what is there already, is left out; the record lists it. Raises
    NeedsAnswer where a reflection is open, Busy where others were faster each time.
    """
    for _ in range(_TRIES):
        refuse_second(ws, parallel)
        reflection = f"r-{_find_number(ws, draft.material.number):03d}"
        proposal = prepare_proposal(ws, draft, reflection, now)
        if proposal is None:
            return None
        ref = refs.branch_ref(reflection)
        tip = write_chain(ws, proposal, RefMove(ref, "", ""))
        if tip:
            return _finish(ws, proposal, ref, tip)
    raise errors.Busy("others make reflections too", "try again; nothing was written")


def _finish(ws: Workspace, proposal: BranchProposal, ref: str, tip: str) -> KnownReflection:
    """What was written, with the copy for people brought up; a failure of that is noted only."""
    ws.freshen()
    found = KnownReflection(proposal.record.id, proposal.record, render_record(proposal), ref, tip)
    seen.note_made(ws, found.id, found.text)
    return found


class BranchProposal(Value):
    """What a branch is to hold: its base, the commits of its operations, and its record."""

    base: str
    commits: tuple[CommitStep, ...]
    record: ReflectionRecord


def render_record(proposal: BranchProposal) -> str:
    """The text of its record."""
    return record.render_record(proposal.record)


def refuse_second(ws: Workspace, parallel: bool) -> None:
    """Raise NeedsAnswer where a reflection awaits a decision, unless they may be parallel."""
    found = open_branches.list_open(ws.repo)
    if found and not parallel:
        names = ", ".join(one.id for one in found)
        hint = f"`molt reflect show {found[0].id}`, then approve or reject it; or `--parallel`"
        raise errors.NeedsAnswer(f"{names} awaits a decision", hint)


def _find_number(ws: Workspace, least: int) -> int:
    """The next number that no reflection has, a rejected or remote one neither."""
    kept = branches.list_below(ws.repo.common_dir, refs.REJECTED)
    own = branches.list_below(ws.repo.common_dir, refs.BRANCHES)
    names = (*kept, *own, *(one.id for one in open_branches.list_open(ws.repo)))
    taken = [int(name[2:]) for name in names if parts.is_reflection_id(name)]
    return max(least, *(number + 1 for number in taken)) if taken else least


def prepare_proposal(
    ws: Workspace, draft: Drafted, reflection: str, now: datetime
) -> BranchProposal | None:
    """What the branch of a draft would hold; None where nothing of it can be proposed."""
    base = draft.material.base
    day = now.strftime("%Y-%m-%d")
    made = plan_pending(ws, base, draft.operations, reflection, day)
    if not made.done:
        return None
    left = [*draft.dropped, *made.dropped, *((one, steps.THERE) for one in made.there)]
    operations = [one.operation for one in made.done]
    shown = set_number(draft.summary, int(reflection[2:]))
    dropped = [[plan.describe_operation(one), why] for one, why in left]
    found = ReflectionRecord(
        reflection,
        base=base,
        plan_hash=plan.hash_plan(operations),
        created=now.isoformat(timespec="seconds"),
        items=list_items(made),
        fields=(*draft.fields, *((("dropped", dropped),) if dropped else ())),
        summary=shown,
    )
    return BranchProposal(base, made.commits, found)


def set_number(summary: Summary, number: int) -> Summary:
    """Return the summary of a reflection under another number, which its commands name too."""
    old, new = f"r-{summary.number:03}", f"r-{number:03}"
    return summary.replace(number=number, note=summary.note.replace(old, new))


def list_items(made: PlannedSteps) -> tuple[ReflectionItem, ...]:
    """The items of a record: the operations, with the files that each edits."""
    every = ((one.operation, sorted(one.step.edits) if one.step else ()) for one in made.done)
    return tuple(plan.to_item(one, files) for one, files in every)


def plan_pending(
    ws: Workspace, base: str, operations: Sequence[Operation], reflection: str, day: str
) -> PlannedSteps:
    """What operations make of a commit, as a branch holds it."""
    stamp = ReflectionStamp(reflection, day, ws.config, SuccessiveGraphs(ws.repo.cache))
    context = _make_context(ws, base, reflection)
    terms = StepTerms(stamp, "pending", context)
    return steps.plan_steps(ws.repo.tree(base), operations, terms)


def _make_context(ws: Workspace, base: str, reflection: str) -> Context:
    actor, ref = f"reflection:{reflection}", refs.branch_ref(reflection)
    return judging.context_for(ws.repo, base, actor=actor, branch=ref)


def write_chain(ws: Workspace, proposal: BranchProposal, move: RefMove) -> str:
    """Write the commits of a proposal, and move its ref to the last one; gives that commit, empty
    where somebody else was faster. Killed at any moment, the ref has all of them or none.

    Raises Refused where the policy does not let the record be.
    """
    base = ws.repo.tree(proposal.base)
    every = (*proposal.commits, _make_record_step(proposal))
    _judge_record(ws, base, proposal, every[-1])
    settings, _ = config.load_in_force(base, ws.repo.cache)
    with Loose(ws.repo) as objects:
        writer = CommitWriter(ws.repo, objects, settings, _name_writer())
        tip = writer.write_chain(base, every, (proposal.base,))
        if tip is None:
            return ""
        objects.store()
        try:
            ref_moves.move_refs(ws.repo, [move.replace(new=tip)], f"molt: {proposal.record.id}")
        except errors.Busy:
            return ""
        objects.settle()
    return tip


def _name_writer() -> dict[str, str]:
    """The environment in which commits are the reflection's own: who rebases them is another."""
    return {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", refs.NAME), ("EMAIL", refs.ADDRESS))
    }


def _make_record_step(proposal: BranchProposal) -> CommitStep:
    found = proposal.record
    path = record.record_path(found.id)
    named = [("Reflection", found.id), ("Plan", found.plan_hash), ("Base", found.base)]
    by = messages.Provenance(f"reflection:{found.id}", "pending", "reflection", named)
    count = len(found.items)
    said = f"reflection {found.id}, {count:,} proposal{'s' * (count != 1)}"
    text = messages.render("CREATE", path, said, by)
    return CommitStep({path: render_record(proposal).encode()}, text)


def _judge_record(
    ws: Workspace, base: trees.Tree, proposal: BranchProposal, last: CommitStep
) -> None:
    """Raises Refused where the policy does not let the record be, as for a secret in it."""
    edits = {path: data for step in proposal.commits for path, data in step.edits.items()}
    before = Overlay(base, edits)
    after = Overlay(before, dict(last.edits))
    context = _make_context(ws, proposal.base, proposal.record.id)
    found = policy.evaluate(before, after, last.message, context, ws.config)
    if any(one.severity == "error" for one in found):
        raise errors.Refused("the policy refuses the record of this reflection", findings=found)
