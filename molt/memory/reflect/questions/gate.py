"""The gate of an approval: golden questions on both sides of it, and how much goes away."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import questions as question_file
from molt.memory.reflect.questions import loss
from molt.policy.finding import ERROR, Finding
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.meta.questions import GoldenQuestion
    from molt.memory.reflect.questions.ask import GoldenAnswer
    from molt.memory.reflect.questions.loss import Loss
    from molt.memory.workspace import Workspace
    from molt.trees import Tree

_SHOWN = 3
"""What goes away that is told in full; a person who wants all reads the diff."""

_WIDTH = 100  # letters of an answer that a line shows


class GateOptions(Value):
    """The second and the day (`YYYY-MM-DD`) at which both sides are asked; the questions that may
    be answered worse, by their ids; and whether much may go away.
    """

    now: float
    day: str = ""
    despite: tuple[str, ...] = ()
    accept_loss: bool = False


class Comparison(Value):
    """One question with its answers before and after."""

    question: GoldenQuestion
    before: GoldenAnswer
    after: GoldenAnswer

    @property
    def lost(self) -> tuple[str, ...]:
        """The parts of the answer that were found before, and are no longer."""
        return tuple(part for part in self.after.missing if part not in self.before.missing)

    @property
    def gained(self) -> tuple[str, ...]:
        """The parts of the answer that are found now, and were not."""
        return tuple(part for part in self.before.missing if part not in self.after.missing)


class GateReport(Value):
    """What the gate has seen: each question on both sides, what goes away, what of both was
    overruled, and what is wrong with the questions themselves.
    """

    compared: tuple[Comparison, ...] = ()
    losses: tuple[Loss, ...] = ()
    despite: tuple[str, ...] = ()
    accept_loss: bool = False
    problems: tuple[str, ...] = ()

    @property
    def worse(self) -> tuple[Comparison, ...]:
        """The questions that are answered worse."""
        return tuple(one for one in self.compared if one.lost)

    @property
    def overruled(self) -> tuple[tuple[str, str], ...]:
        """What was overruled, as trailers of the approval."""
        named = [("Despite", one.question.id) for one in self.worse]
        lost = [f"{len(one.gone)} of {one.before} {one.kind}" for one in self.losses]
        return (*named, *(("Accepts-Loss", said) for said in lost))


def compare(
    ws: Workspace,
    base: Tree | str,
    new: Tree | str,
    questions: Sequence[GoldenQuestion],
    options: GateOptions,
) -> GateReport:
    """Every question asked on both sides: of revisions, or of trees that no branch has yet."""
    if not questions:
        return GateReport()
    # The search takes as long to import as half an approval; most workspaces ask nothing.
    from molt.memory.reflect.questions import ask

    # All of one side first: the index of the past goes from one to the other once.
    before, after = (
        ask.ask_questions(
            ws,
            questions,
            ask.Asking(options.now, options.day, ask.find_moment(ws, side, options.now)),
        )
        for side in (base, new)
    )
    pairs = zip(questions, before, after, strict=True)
    return GateReport(tuple(Comparison(*one) for one in pairs))


def check_approval(ws: Workspace, head: Tree, candidate: Tree, options: GateOptions) -> GateReport:
    """What the gate sees of an approval that would make one tree of another.

    The questions are those of `head`: what is judged by them does not bring its own. Raises
    Refused for questions that are answered worse and are not named in `despite`, and for a loss
    above `reflection.max_loss` that is not accepted; Failed where the questions cannot be read,
    and Usage for a name in `despite` that no question has.
    """
    known = question_file.parse_questions(trees.read_text(head, paths.QUESTIONS))
    if known.broken:
        said = f"{paths.QUESTIONS} cannot be read: {known.broken}"
        raise errors.Failed(said, "mend it and commit it; the questions decide on approvals")
    if head.entry(paths.QUESTIONS) != candidate.entry(paths.QUESTIONS):
        raise errors.Refused("a reflection changes no golden questions", "reject that part of it")
    _require_known(options.despite, known.questions)
    report = compare(ws, head, candidate, known.questions, options)
    much = tuple(
        one
        for one in loss.measure_losses(head, candidate)
        if one.exceeds(ws.config.reflection_max_loss)
    )
    report = report.replace(
        losses=much,
        despite=options.despite,
        accept_loss=options.accept_loss,
        problems=known.problems,
    )
    found = tuple(_list_findings(report, ws.config.reflection_max_loss))
    if found:
        raise errors.Refused("the gate holds this approval", _tell_way(report), findings=found)
    return report


def _require_known(named: Sequence[str], questions: Sequence[GoldenQuestion]) -> None:
    known = {one.id for one in questions}
    for name in named:
        if name not in known:
            raise errors.Usage(f"no question {name!r}", "`molt question list` gives their ids")


def _list_findings(report: GateReport, most: float) -> Iterator[Finding]:
    for one in report.worse:
        if one.question.id not in report.despite:
            hint = f"`--despite {one.question.id}` approves all the same"
            yield Finding("question", ERROR, paths.QUESTIONS, 0, describe_worse(one), hint)
    for lost in () if report.accept_loss else report.losses:
        path = paths.CORE if lost.kind == loss.BULLETS else paths.ENTITIES
        yield Finding("loss", ERROR, path, 0, _describe_loss(lost, most), "`--accept-loss`")


def _tell_way(report: GateReport) -> str:
    """What approves all the same, in one line."""
    words = [
        f"--despite {one.question.id}"
        for one in report.worse
        if one.question.id not in report.despite
    ]
    words += ["--accept-loss"] if report.losses and not report.accept_loss else []
    return f"leave out what does it (`--except N`), or overrule it: `{' '.join(words)}`"


def describe_worse(one: Comparison) -> str:
    """How a question is answered worse, for people: before, and after."""
    asked = one.question
    told = "; ".join(_describe_part(one, part) for part in one.lost)
    return f'{asked.id} "{asked.question}": {told}'


def _describe_part(one: Comparison, part: str) -> str:
    ranks = [name for name, _ in one.before.ranks]
    place, rank = ranks.index(part), dict(one.before.ranks)[part]
    then, now = one.before.said[place], one.after.said[place]
    result = one.before.results[rank - 1]
    before = f"{part}, before in result {rank} ({result.citation})"
    before += f": {then[:_WIDTH]}" if then else ""
    first = f", of which the first is {one.after.results[0].citation}" if one.after.results else ""
    after = now[:_WIDTH] if now else f"not in the first {one.question.k}{first}"
    return f"{before} — after: {after}"


def _describe_loss(lost: Loss, most: float) -> str:
    shown = "; ".join(one[:80] for one in lost.gone[:_SHOWN])
    more = f"; and {len(lost.gone) - _SHOWN} more" if len(lost.gone) > _SHOWN else ""
    said = f"{len(lost.gone)} of {lost.before} {lost.kind} would go ({lost.share:.0%})"
    return f"{said}, more than {most:.0%}: {shown}{more}"
