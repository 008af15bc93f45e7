"""A person approves: the operations run again on today's memory, and one merge brings them in."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.formats.reflections import plan, record, refs
from molt.formats.reflections.record import Decision
from molt.memory import judging, workspace
from molt.memory.decay import formula
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.proposed import open_branches, open_page
from molt.memory.reflect.branches import branch, seen
from molt.memory.reflect.decisions import settle, unsaid
from molt.memory.reflect.decisions.settle import (
    APPROVED,
    DROPPED,
    EDITED,
    REJECTED,
    ScoreEdits,
    SettledReflection,
)
from molt.memory.reflect.operations import apply, steps
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.operations.steps import StepTerms
from molt.memory.reflect.questions import gate
from molt.memory.reflect.questions.gate import GateOptions, GateReport
from molt.repo import branches
from molt.repo.objects import GitTree
from molt.repo.write import ref_moves
from molt.repo.write.plan import Change, CommitStep
from molt.repo.write.ref_moves import RefMove
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from molt.formats.reflections.plan import Operation
    from molt.formats.reflections.record import ReflectionRecord
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.reflect.operations.steps import PlannedSteps
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree


class ApprovalChoice(Value):
    """What a person takes: `only` these numbers, all `without` some, or the operations as they are
    `edited`; of these with `verbatim` those alone that claim nothing but what is quoted. `why` the
    rest is not taken. `plan` is how the hash of the plan begins that was looked at. `despite` are
    golden questions that may be answered worse, by their ids; with `accept_loss` much may go away.
    `trigger` is how the person was asked.
    """

    only: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    edited: tuple[Operation, ...] | None = None
    plan: str = ""
    despite: tuple[str, ...] = ()
    accept_loss: bool = False
    dry_run: bool = False
    trigger: str = "molt reflect approve"
    why: str = ""
    verbatim: bool = False


class ApprovalResult(Value):
    """What came of an approval: how many of how many items hold, of each what was decided, how
    many golden questions were asked, which are answered better, and what was overruled.
    """

    id: str
    status: str
    applied: int
    total: int
    items: tuple[tuple[int, str], ...]
    asked: int = 0
    better: tuple[str, ...] = ()
    overruled: tuple[tuple[str, str], ...] = ()


ALL = ApprovalChoice()


def approve_reflection(
    ws: Workspace, reflection: str, choice: ApprovalChoice, now: datetime
) -> Written[ApprovalResult]:
    """Apply what was chosen of a reflection to HEAD's branch, all of it in one merge or nothing.

    What no longer applies is left out with the reason. Raises Refused for who is no person, for
    a plan that is not the one that was shown, for a reflection that was decided, and for what the
    gate holds; Usage for a choice that makes no sense.
    """
    found, chosen = read_chosen(ws, reflection, choice)
    day = now.strftime("%Y-%m-%d")
    gated = GateOptions(now.timestamp(), day, choice.despite, choice.accept_loss)
    maker = _Approval(ws, found, chosen, now, gated)
    try:
        done = _commit_approval(maker, dry_run=choice.dry_run)
    except errors.Refused:
        # The write judges every commit. Where it refuses one, the operations are judged one by one,
        # so that the others can be taken; before that it would be the same work twice.
        maker.judges = True
        done = _commit_approval(maker, dry_run=choice.dry_run)
    if done.oid:
        close_branch(ws, found)
    return done


def read_chosen(
    ws: Workspace, reflection: str, choice: ApprovalChoice
) -> tuple[KnownReflection, ChosenOperations]:
    """An open reflection, and what a person takes of it. Raises what `approve_reflection` does
    before anything is applied.
    """
    asked = choice.trigger != ALL.trigger
    workspace.require_approver(ws, "approve reflections", asked=asked)
    require_other_branch(ws)
    found = branch.require_open(ws, reflection)
    return found, choose_operations(found, require_intact(ws, found, choice.plan), choice)


def _commit_approval(maker: _Approval, *, dry_run: bool) -> Written[ApprovalResult]:
    now = maker.now.timestamp()
    return maker.ws.commit(maker.make_change, dry_run=dry_run, actor="manual", now=now)


def require_other_branch(ws: Workspace) -> None:
    """Raises Failed where HEAD is on the branch of a reflection: nothing could join it."""
    head = ws.repo.branch() or ""
    if head.startswith(refs.BRANCHES):
        said = f"HEAD is on {head.removeprefix('refs/heads/')}, which nothing can join"
        raise errors.Failed(said, "`git switch BRANCH`, or `git switch -`")


def require_intact(ws: Workspace, found: KnownReflection, wanted: str) -> tuple[Operation, ...]:
    """The operations of an open reflection, in the form in which its branch shows them.

    Raises Refused where the record is not that of its plan, where it says what was forgotten since,
    where the plan is not the one that was shown or made here, or where the branch holds what its
    plan does not make.
    """
    one = found.record
    operations = settle.read_operations(one)
    look = f"look at it again: `molt reflect show {found.id}`"
    if one.id != found.id or one.status != "pending" or len(operations) != len(one.items):
        raise errors.Refused(f"the record of {found.id} is none of a pending reflection", look)
    if plan.hash_plan(operations) != one.plan_hash:
        hint = f"`molt reflect rebase {found.id}` rebuilds its branch from that plan"
        raise errors.Refused(f"the plan of {found.id} was changed: its hash is another", hint)
    unsaid.require_unsaid(one, ws.head())
    shown = one.plan_hash.startswith(wanted) and seen.was_seen(ws, found.id, found.text)
    if not shown:
        raise errors.Refused(f"the plan of {found.id} is not the one that was shown", look)
    shown = seen.was_shown(ws, found.id, found.text)
    if not shown and open_page.tells_otherwise(ws.repo, found.id, found.tip):
        raise errors.Refused(f"{open_page.PATH} says something else than {found.id}", look)
    branch.require_base(ws, found)
    if not _is_made_by(ws, found, operations):
        name = found.ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
        whole = f"`molt reflect rebase {found.id}` rebuilds it from its whole plan"
        hint = f"`git merge --no-ff {name}` takes it as it is; {whole}"
        raise errors.Refused(f"the branch of {found.id} holds what its plan does not make", hint)
    return operations


def _is_made_by(ws: Workspace, found: KnownReflection, operations: tuple[Operation, ...]) -> bool:
    """Whether a branch holds just what operations make of its base, and its record, which calls
    each by what it is.
    """
    base, tip = ws.repo.tree(found.record.base), ws.repo.tree(found.tip)
    graphs = SuccessiveGraphs(ws.repo.cache)
    stamp = ReflectionStamp(found.id, settle.read_day(found.record), ws.config, graphs)
    # What the policy says of it was asked when it was made, and is asked again of what is approved.
    made = apply.apply_all(base, operations, stamp)
    items = [plan.to_item(one, sorted(each.edits)) for one, each in made.applied]
    told = [(each.n, each.summary, each.files) for each in found.record.items]
    if told != [(each.n, each.summary, each.files) for each in items]:
        return False
    path = record.record_path(found.id)
    held = {one for one in trees.diff(base, tip) if one.path != path}
    return held == set(trees.diff(base, made.tree))


WORDED = f"{DROPPED}: it is in the model's words"
STILL_ASKED = f"{DROPPED}: it stays asked"


class ChosenOperations(Value):
    """The operations that a person takes, what is decided of each item so far, the numbers of
    those that the person has edited, and how the person was asked.
    """

    operations: tuple[Operation, ...]
    items: dict[int, str]
    edited: frozenset[int] = frozenset()
    trigger: str = ALL.trigger


def choose_operations(
    found: KnownReflection, operations: tuple[Operation, ...], choice: ApprovalChoice
) -> ChosenOperations:
    """What a person takes of a plan. Raises Usage for numbers that it does not have, and where
    nothing is left.
    """
    known = {one.n: one for one in operations}
    edited = {one.n: one for one in choice.edited} if choice.edited is not None else known
    named = (*choice.only, *choice.without, *edited)
    unknown = [str(number) for number in named if number not in known]
    if unknown:
        said = f"{found.id} has no operation {', '.join(unknown)}"
        raise errors.Usage(said, f"`molt reflect show {found.id}` numbers them")
    wanted = set(choice.only or known) & edited.keys() - set(choice.without)
    worded = set[int]()
    if choice.verbatim:
        # What reads quotations is a part of the check, which few approvals need.
        from molt.memory.reflect import sources

        worded = {number for number in wanted if not sources.is_verbatim(known[number])}
    wanted -= worded
    if not wanted:
        hint = f"`molt reflect reject {found.id} --why TEXT`"
        raise errors.Usage(f"nothing of {found.id} is left", hint)
    changed = frozenset(number for number in wanted if edited[number] != known[number])
    why = " ".join(choice.why.split())
    rejected = f"{REJECTED}: {why}" if why else REJECTED
    items = {number: APPROVED if number in wanted else rejected for number in known}
    if choice.only:
        # Who names what is to be taken has not said that a question is not worth an answer.
        asked = {one.n for one in operations if one.op in plan.ASKS}
        items |= dict.fromkeys(asked - wanted - set(choice.without), STILL_ASKED)
    if choice.verbatim:
        # Who takes quotations alone has not said that the others are wrong.
        items |= dict.fromkeys(worded, WORDED)
    items |= dict.fromkeys(changed, EDITED)
    taken = tuple(edited[number] for number in known if number in wanted)
    return ChosenOperations(taken, items, changed, choice.trigger)


class _Approval:
    """One approval, as the change that it makes of whatever HEAD is; with `judges`, without the
    operations that the policy refuses.
    """

    def __init__(
        self,
        ws: Workspace,
        found: KnownReflection,
        chosen: ChosenOperations,
        now: datetime,
        gated: GateOptions,
    ) -> None:
        self.ws = ws
        self._gated = gated
        self._found = found
        self._chosen = chosen
        self.now = now
        self.judges = False

    def make_change(self, tree: Tree) -> Change[ApprovalResult]:
        """The commits of the operations, one that settles, and the merge that joins them."""
        one = self._found.record
        require_undecided(tree, one.id)
        made = self._plan(tree)
        items = dict(self._chosen.items)
        items |= {each.n: f"{DROPPED}: {self._explain(each, why)}" for each, why in made.dropped}
        scored, edits = self._score(made)
        items |= {number: f"{DROPPED}: {why}" for number, why in scored.items()}
        done = tuple(
            each
            for each in self._chosen.operations
            if items[each.n].partition(":")[0] in settle.TAKEN
        )
        if not done:
            raise self._make_refusal(made)
        report = self._pass_gate(tree, Overlay(made.tree, edits))
        status = settle.choose_status(items)
        decided = self.now.isoformat(timespec="seconds")
        reason = "; ".join(f"{key}: {said}" for key, said in report.overruled)
        decision = Decision(status, decided, "manual", reason)
        settled = SettledReflection(one, decision, items, done)
        edits |= settle.edit_books(made.tree, settled)
        return self._join(made, edits, settled, report)

    def _make_refusal(self, made: PlannedSteps) -> errors.Refused:
        """The error where nothing is left, with what would help."""
        one, items = self._found.record, self._chosen.items
        told = "; ".join(f"#{each.n}: {self._explain(each, why)}" for each, why in made.dropped)
        makers = {_find_maker(one, items, each) for each, _ in made.dropped} - {0}
        hint = f"`molt reflect reject {one.id} --why TEXT`; `molt reflect` makes another"
        if makers:
            both = sorted(makers | {each.n for each in self._chosen.operations})
            hint = f"`molt reflect approve {one.id} --only {','.join(map(str, both))}`"
        said = f"nothing of what was chosen of {one.id} applies"
        return errors.Refused(f"{said}; {told}" if told else said, hint)

    def _explain(self, dropped: Operation, why: str) -> str:
        """Why an operation does not apply: also that what it needs was not chosen."""
        maker = _find_maker(self._found.record, self._chosen.items, dropped)
        return f"{why}, which #{maker} makes" if maker else why

    def _pass_gate(self, tree: Tree, candidate: Tree) -> GateReport:
        """What the gate says of the tree that this would make of a commit's. What it makes of
        files on disk is no commit, and was judged as one already.
        """
        if not isinstance(tree, GitTree):
            return GateReport()
        return gate.check_approval(self.ws, tree, candidate, self._gated)

    def _plan(self, tree: Tree) -> PlannedSteps:
        ws = self.ws
        day = settle.read_day(self._found.record)
        stamp = ReflectionStamp(self._found.id, day, ws.config, SuccessiveGraphs(ws.repo.cache))
        context = None
        if self.judges:
            context = judging.context_for(ws.repo, ws.repo.tip(), actor="manual", approved=True)
        terms = StepTerms(stamp, self._approval, context, self._chosen.edited)
        return steps.plan_steps(tree, self._chosen.operations, terms)

    @property
    def _approval(self) -> str:
        """What the commits say: what is dropped as they are made does not make it less approved."""
        return settle.choose_status(self._chosen.items)

    def _score(self, made: PlannedSteps) -> tuple[dict[int, str], Edits]:
        """What operations do to the scores, and why some of them do not apply, by number."""
        fading = formula.read_fading(self.ws.config)
        books = ScoreEdits(made.tree, self.now.timestamp(), fading)
        wrong = settle.score_operations(books, made.done)
        return wrong, books.edits

    def _join(
        self, made: PlannedSteps, edits: Edits, settled: SettledReflection, report: GateReport
    ) -> Change[ApprovalResult]:
        one, status = settled.record, settled.decision.status
        named = [("Reflection", one.id), ("Plan", one.plan_hash), ("Base", one.base)]
        named += report.overruled
        by = messages.Provenance("manual", status, self._chosen.trigger, named)
        counted = f"{settled.applied:,} of {len(settled.items):,}"
        path = record.record_path(one.id)
        said = f"reflection {one.id} settled ({counted})"
        last = CommitStep(edits, messages.render("CREATE", path, said, by))
        joined = messages.render(
            "MERGE", "memory/*", f"reflection {one.id} approved ({counted})", by
        )
        result = ApprovalResult(
            one.id,
            status,
            settled.applied,
            len(settled.items),
            tuple(sorted(settled.items.items())),
            len(report.compared),
            tuple(each.question.id for each in report.compared if each.gained),
            report.overruled,
        )
        return Change({**made.edits, **edits}, joined, result, (*made.commits, last))


def _find_maker(one: ReflectionRecord, items: Mapping[int, str], dropped: Operation) -> int:
    """The number of an operation that was not chosen, and that makes the entity which another one
    speaks of; 0 for none.
    """
    said = {value for value in dropped.args.values() if isinstance(value, str)}
    for item in one.items:
        made = plan.from_item(item)
        if made is None or made.op != "upsert-entity" or items[item.n] in settle.TAKEN:
            continue
        stems = {path.rpartition("/")[2].removesuffix(".md") for path in item.files}
        if not said.isdisjoint({made.text("entity"), *stems}):
            return item.n
    return 0


def require_undecided(tree: Tree, reflection: str) -> None:
    """Raises Refused for a reflection that a tree knows already: an approval is for once."""
    if reflection in open_branches.list_decided(tree):
        said = f"{reflection} was decided already"
        raise errors.Refused(said, f"molt reflect show {reflection}")


def close_branch(ws: Workspace, found: KnownReflection, keep: str = "") -> None:
    """Take away the branch of what is decided, or move it to the ref `keep`; what only a remote
    has is the remote's, and one that somebody looks at in a work tree stays, as git leaves it. A
    failure leaves it: everything reads that it is decided.
    """
    moves = [RefMove(keep, "", found.tip)] if keep else []
    if found.ref.startswith(refs.BRANCHES) and not branches.find_worktree(
        ws.repo.common_dir, found.ref
    ):
        moves.append(RefMove(found.ref, found.tip, ""))
    try:
        ref_moves.move_refs(ws.repo, moves, f"molt: {found.id} was decided")
        seen.forget_seen(ws, found.id)
    except errors.MoltError:
        return
    finally:
        ws.freshen()
