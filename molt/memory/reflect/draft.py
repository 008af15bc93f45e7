"""A reflection up to its branch: everything that it would propose, without writing anything."""

from __future__ import annotations

from molt import errors
from molt.formats.reflections import plan as kinds
from molt.formats.reflections import quotes as turns
from molt.memory.consents import consent
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.reflect import heard, meta, quotes, references, unfit
from molt.memory.reflect.branches import branch
from molt.memory.reflect.certain import consolidate
from molt.memory.reflect.material import material as materials
from molt.memory.reflect.material import notebook, survey
from molt.memory.reflect.meta import Guidance
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.plans import brief, budget, model, plans
from molt.memory.reflect.summary import summarise
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from molt.formats.reflections.plan import Operation, PlanFault
    from molt.formats.reflections.summary import Summary
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.meta import RejectedOperation
    from molt.memory.reflect.plans.brief import ReflectionBrief
    from molt.memory.reflect.quotes import Dropped
    from molt.memory.workspace import Workspace
    from molt.trees import Edits


ENGINES = ("llm", "rules")
"""What makes a plan where none is given."""


class Draft(Value):
    """What a reflection proposes: operations that were checked, fit the budget and apply to the
    material's tree, numbered; what was dropped with the reason, what the budget cut, what of a
    plan was none; the summary for people; and by which engine. `fields` go into the record, and
    `note` is told besides.
    """

    material: ReflectionMaterial
    operations: tuple[Operation, ...]
    dropped: tuple[Dropped, ...]
    cut: tuple[Operation, ...]
    summary: Summary
    engine: str
    guidance: Guidance = Guidance()
    faults: tuple[PlanFault, ...] = ()
    fields: tuple[tuple[str, object], ...] = ()
    note: str = ""


def draft_reflection(
    ws: Workspace,
    day: str,
    now: float,
    *,
    plan: str | None = None,
    engine: str | None = None,
) -> Draft:
    """What a reflection on a day at the second `now` proposes. `plan` is a plan as JSON; without
    one the `engine` (`llm` or `rules`, by default what is configured) makes it.
    """
    by_model = plan is not None or engine == "llm" or ws.config.llm_provider != "none"
    # Without a model nothing is read out of running text, and the notes wait for one.
    material = materials.read_material(ws, day, now, notes=by_model)
    material = heard.hear_sessions(ws, material)
    guidance = meta.review_past(material)
    found = _Maker(ws, material, guidance).make_plan(plan, engine)
    made = make_draft(material, guidance, found.operations, found.engine)
    fields = (*made.fields, ("note", found.note)) if found.note else made.fields
    note = "; ".join(filter(None, (found.note, *material.heard.notes)))
    return made.replace(faults=found.faults, note=note, fields=fields)


def write_draft(
    ws: Workspace, made: Draft, now: datetime, *, parallel: bool = False
) -> KnownReflection | None:
    """Put a draft on a branch, and take what was heard for it as read; None where nothing of it can
    be proposed. Raises what `branch.write_branch` does.
    """
    found = branch.write_branch(ws, made, now, parallel=parallel)
    heard.finish_reading(ws, made.material, made.fields, now)
    return found


def brief_reflection(ws: Workspace, day: str, now: float) -> ReflectionBrief:
    """What a host's own model is told, to make a plan."""
    material = heard.hear_sessions(ws, materials.read_material(ws, day, now))
    guidance = meta.review_past(material)
    return brief.make_brief(material, survey.survey_material(material), guidance)


class ProposedPlan(Value):
    """What an engine proposes: which, what of a plan was none, and what else is to be told."""

    operations: tuple[Operation, ...]
    engine: str
    faults: tuple[PlanFault, ...] = ()
    note: str = ""


class _Maker:
    """Asks the engines: a plan that is given, a model that is set, rules."""

    def __init__(self, ws: Workspace, material: ReflectionMaterial, guidance: Guidance) -> None:
        self.ws = ws
        self.material = material
        self.guidance = guidance

    def make_plan(self, plan: str | None, engine: str | None) -> ProposedPlan:
        """The plan of the first engine that gives one. Raises Usage for an unknown engine."""
        if plan is not None:
            parsed = plans.read_plan(plan, references.References(self.material).resolve_id)
            return ProposedPlan(parsed.operations, "host", parsed.faults)
        if engine not in (None, *ENGINES):
            raise errors.Usage(f"no engine {engine!r}", f"one of {', '.join(ENGINES)}")
        if engine == "llm" or (engine is None and self.ws.config.llm_provider != "none"):
            return self._ask_model(must=engine == "llm")
        return ProposedPlan(self._apply_rules(), "rules")

    def _apply_rules(self) -> tuple[Operation, ...]:
        return consolidate.consolidate(self.material, self.guidance)

    def _ask_model(self, *, must: bool) -> ProposedPlan:
        """What the model says, and what rules say where it gives nothing to use. Raises Unavailable
        or Usage where it `must` be the model.
        """
        told = brief.make_brief(self.material, survey.survey_material(self.material), self.guidance)
        resolve = references.References(self.material).resolve_id
        try:
            consent.require_consent(self.ws.missing, consent.LLM)
            found = model.ask_plan(self.ws.config, told, resolve, cache=self.ws.repo.cache)
        except errors.MoltError as error:
            if must:
                raise
            note = f"rules made this plan, for no model did: {error.message}"
            return ProposedPlan(self._apply_rules(), "rules", note=note)
        operations, faults = found.plan.operations, found.plan.faults
        if not operations and faults:
            note = "rules made this plan, for nothing that the model said can be used"
            return ProposedPlan(self._apply_rules(), "rules", faults, note)
        return ProposedPlan(operations, "llm", faults, found.spent)


def make_draft(
    material: ReflectionMaterial,
    guidance: Guidance,
    operations: Iterable[Operation],
    engine: str,
) -> Draft:
    """The draft of what an engine proposes: checked, bounded, tried on the material's tree."""
    sieve = _Sieve(material, guidance, plain=engine == "rules")
    kept = sieve.pass_operations(operations)
    # The budget holds what is written: a rewrite of core memory with all that it rests on.
    named = map(kinds.name_evidence, kept)
    fitting, cut = budget.fit_budget(named, material.config.reflection_budget)
    numbered = sieve.try_out(fitting)
    spent = sum(map(budget.count_operation, numbered))
    harvest = summarise.Harvest(
        material, guidance, numbered, tuple(sieve.dropped), cut, sieve.edits, spent
    )
    fields: tuple[tuple[str, object], ...] = (
        ("engine", engine),
        ("tokens", spent),
        ("episodes", material.count_entries()),
    )
    if material.notes.read and engine != "rules":
        fields += ((notebook.READ, [list(one) for one in material.notes.read]),)
    if said := heard.quote_turns(material, numbered):
        fields += ((turns.FIELD, said),)
    if guidance.milestone:
        fields += (("milestone", summarise.write_milestone(harvest)),)
    return Draft(
        material,
        numbered,
        tuple(sieve.dropped),
        cut,
        summarise.make_summary(harvest),
        engine,
        guidance,
        fields=fields,
    )


class _Sieve:
    """Lets through what can be proposed; the rest is kept with the reason."""

    def __init__(self, material: ReflectionMaterial, guidance: Guidance, *, plain: bool) -> None:
        self.material = material
        self.guidance = guidance
        self.plain = plain
        self.dropped: list[Dropped] = []
        self.edits: Edits = {}
        self._words = unfit.UnfitWords(material.tree)

    def pass_operations(self, operations: Iterable[Operation]) -> list[Operation]:
        """Return operations that stand on their evidence, that no person rejected or was asked
        already; each rewrite of core memory as one operation for each bullet.
        """
        single = (part for one in operations for part in kinds.split_core(one))
        checked = quotes.check_operations(self.material, self._sift(single), plain=self.plain)
        self.dropped += checked.dropped
        kept: list[Operation] = []
        for one in checked.kept:
            if why := self._find_repetition(one, kept):
                self.dropped.append((one, why))
            else:
                kept.append(self._words.sift_quotes(one))
        return kept

    def _sift(self, operations: Iterable[Operation]) -> Iterator[Operation]:
        """Operations without what must not be said again: else the policy would let nothing of the
        night be.
        """
        for one in operations:
            kept, parts = self._words.sift(one)
            self.dropped += parts
            if kept is not None:
                yield kept

    def _find_repetition(self, one: Operation, before: list[Operation]) -> str:
        rejected = meta.find_rejected(one, self.guidance.rejected)
        for row in (row for name in ("add", "replace", "drop") for row in one.rows(name)):
            found = meta.find_rejected_row(row, one.evidence, self.guidance.rejected)
            rejected = rejected or found
        if rejected:
            return _tell_rejection(rejected)
        asked = meta.find_asked(one, self.guidance.open_questions)
        if asked:
            return f"asked already, as {asked.ref}"
        if one in before:
            return "the plan says it twice"
        return ""

    def try_out(self, operations: Iterable[Operation]) -> tuple[Operation, ...]:
        """Those that apply to the tree and change something, or have nothing to change, numbered
        anew.
        """
        material = self.material
        name, graphs = f"r-{material.number:03}", SuccessiveGraphs()
        stamp = ReflectionStamp(name, material.day, material.config, graphs)
        sequel = apply.apply_all(material.tree, kinds.number_operations(operations), stamp)
        self.dropped += sequel.dropped
        kept: list[Operation] = []
        for one, made in sequel.applied:
            if made.edits or not kinds.KINDS[one.op].edits:
                kept.append(one)
            else:
                self.dropped.append((one, "memory has it already"))
        self.edits = sequel.edits
        return summarise.number_items(kept)


def _tell_rejection(found: RejectedOperation) -> str:
    because = f": {found.reason}" if found.reason else ""
    return f"rejected in {found.reflection} on the same evidence{because}"
