"""Phase 2 of a reflection: what past reflections say for this one."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, paths
from molt.formats.reflections import plan
from molt.formats.reflections import record as formats_record
from molt.memory.reflect.evidence import claims
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from molt.formats.reflections.plan import Operation
    from molt.formats.reflections.record import ReflectionItem, ReflectionRecord
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.trees import Tree

MILESTONES = {
    10: "first evolution summary: which patterns show",
    25: "consolidate the threads of evolution.md",
    50: "major synthesis: what has changed fundamentally",
    100: "deep retrospective",
}
"""What a reflection of that number does besides."""
_SAME = 0.6
"""From which share of common words two texts on the same evidence say the same."""
_TARGETS = {
    "upsert-entity": ("entity",),
    "add-fact": ("entity",),
    "supersede-fact": ("entity",),
    "add-relation": ("from", "relation", "to"),
    "merge-entities": ("into", "other"),
    "upsert-procedure": ("title",),
    "accept-proposal": ("proposal",),
    "archive": ("memory",),
    "pin": ("memory",),
    "reinforce": ("memories",),
}
"""What an operation is about; two of one kind on other things are not the same."""
_WORDS = {
    "upsert-entity": ("facts", "summary", "aliases"),
    "add-fact": ("fact",),
    "supersede-fact": ("fact", "by"),
    "contradiction": ("first", "second"),
    "question": ("text",),
    "insight": ("text",),
}
"""What an operation says of that."""


class OpenQuestion(Value):
    """A question or contradiction that was asked and not answered: where (`r-003#4`), when, and
    how many reflections there were since.
    """

    ref: str
    operation: Operation
    asked: str = ""
    age: int = 0

    @property
    def text(self) -> str:
        """The question in one line."""
        return plan.describe_operation(self.operation)


class RejectedOperation(Value):
    """An operation that a person did not want, why, and in which reflection."""

    operation: Operation
    reason: str
    reflection: str


class Guidance(Value):
    """What past reflections say for this one. `milestone` is what this one does besides (empty for
    most), `threads` the themes that go on, `open_questions` what was asked and not answered,
    `rejected` what a person did not want, `advice` further words for who reflects.
    """

    milestone: str = ""
    threads: tuple[str, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    rejected: tuple[RejectedOperation, ...] = ()
    advice: tuple[str, ...] = ()


def review_past(material: ReflectionMaterial) -> Guidance:
    """What the log, the records and evolution.md say for the next reflection."""
    rejected = tuple(_list_rejected(material))
    return Guidance(
        MILESTONES.get(material.number, ""),
        material.evolution.threads,
        tuple(list_open(material.tree, material.records, material.number)),
        rejected,
        tuple(_advise(material, rejected)),
    )


_REFUSED = ("rejected", "refused")


def _is_refused(record: ReflectionRecord, item: ReflectionItem) -> bool:
    decision = item.decision.partition(":")[0].strip() or record.status
    return decision in _REFUSED


def _list_rejected(material: ReflectionMaterial) -> Iterator[RejectedOperation]:
    reasons = {
        (entry.id, number): reason for entry in material.log for number, reason in _read_log(entry)
    }
    for record in material.records:
        for item in record.items:
            operation = plan.from_item(item)
            if operation is None or not _is_refused(record, item):
                continue
            said = item.decision.partition(":")[2].strip() or str(dict(item.more).get("why", ""))
            reason = said or reasons.get((record.id, item.n), "") or record.reason
            yield RejectedOperation(operation, reason, record.id)


def _read_log(entry: object) -> Iterator[tuple[int, str]]:
    """The numbers and reasons of an entry's `rejected` rows, such as `3 (not that one)`; that
    somebody said no is not why.
    """
    for row in getattr(entry, "rejected", ()):
        number, _, reason = row.partition(" ")
        if number.isascii() and number.isdigit() and len(number) < 6:
            said = reason.strip().removeprefix("(").removesuffix(")")
            yield int(number), "" if said in _REFUSED else said


def list_open(
    tree: Tree, records: Iterable[ReflectionRecord], number: int = 0
) -> Iterator[OpenQuestion]:
    """What records ask that is not answered, the oldest first; of the same question asked twice
    the first. `number` is that of the reflection for which it is asked.
    """
    found: list[OpenQuestion] = []
    for record in records:
        for item in record.items:
            operation = plan.from_item(item)
            if operation is None or operation.op not in plan.ASKS or _is_refused(record, item):
                continue
            if not dict(item.more).get("answer"):
                age = max(0, number - int(record.id.removeprefix("r-")))
                asked = record.created[:10]
                found.append(OpenQuestion(f"{record.id}#{item.n}", operation, asked, age))
    answered = _find_answered(tree, found) if found else frozenset()
    kept: list[OpenQuestion] = []
    for one in found:
        if one.ref in answered or any(is_same(one.operation, other.operation) for other in kept):
            continue
        kept.append(one)
    yield from kept


def _find_answered(tree: Tree, found: list[OpenQuestion]) -> frozenset[str]:
    """What episodes say that they answer: also where a question was answered while its reflection
    was pending.
    """
    first = min(one.asked for one in found)
    known: set[str] = set()
    for path in tree.entries():
        date = paths.date_of(path) or ""
        if paths.kind_of(path) != "episode" or date < first:
            continue
        text = trees.read_text(tree, path)
        if f"{formats_record.ANSWERS}:" in text:
            every = (
                dict(one.fields).get(formats_record.ANSWERS, "")
                for one in episodes.parse(text, date)
            )
            known.update(filter(None, every))
    return frozenset(known)


def _advise(material: ReflectionMaterial, rejected: tuple[RejectedOperation, ...]) -> Iterator[str]:
    kinds: dict[str, int] = {}
    for one in rejected:
        kinds[one.operation.op] = kinds.get(one.operation.op, 0) + 1
    for op, count in kinds.items():
        if count > 2:
            yield f"{count} operations `{op}` were rejected so far: propose one only if it is sure"
    for reason in dict.fromkeys(one.reason for one in rejected[-12:] if one.reason):
        yield f"rejected before, because: {reason}"
    for entry in material.log[-3:]:
        for said in entry.insights:
            yield f"understood in {entry.id}: {said}"


def is_same(one: Operation, other: Operation) -> bool:
    """Whether two operations propose the same, in whatever words; of rewrites of core memory only
    their single changes can be compared.
    """
    if one.op != other.op or one.op == "rewrite-core":
        return False
    for name in _TARGETS.get(one.op, ()):
        if _fold(one.args.get(name)) != _fold(other.args.get(name)):
            return False
    return _says_same(*(_collect_words(each) for each in (one, other)))


def _says_same(said: frozenset[str], known: frozenset[str]) -> bool:
    """Whether most words of two texts are in both; of two without words nothing differs."""
    if not said and not known:
        return True
    return bool(known) and len(said & known) >= _SAME * max(len(said), len(known))


def _fold(value: object) -> frozenset[str]:
    """The words of a name, whatever its form: `person:Alex`, `person--alex`, `entity:…`."""
    texts = value if isinstance(value, list | tuple) else [value]
    said = " ".join(str(one).removeprefix("entity:") for one in texts if one)
    return frozenset("".join(c if c.isalnum() else " " for c in said.casefold()).split())


def _collect_words(one: Operation) -> frozenset[str]:
    found: list[str] = []
    for name in _WORDS.get(one.op, ()):
        value = one.args.get(name)
        found += value if isinstance(value, list | tuple) else [str(value or "")]
    return claims.cut_words(" ".join(found))


def find_rejected(
    one: Operation, rejected: Iterable[RejectedOperation]
) -> RejectedOperation | None:
    """The rejection that an operation repeats without new evidence; None for none."""
    bearing = frozenset(plan.list_evidence(one))
    for other in rejected:
        if is_same(one, other.operation) and bearing <= frozenset(
            plan.list_evidence(other.operation)
        ):
            return other
    return None


def find_rejected_row(
    row: Mapping[str, Any], evidence: Iterable[str], rejected: Iterable[RejectedOperation]
) -> RejectedOperation | None:
    """The rejection that one change of core memory repeats: the same text on the same evidence, or
    the same bullet to be dropped.
    """
    bearing = frozenset(row.get("evidence", ())) or frozenset(evidence)
    words = claims.cut_words(row.get("text", ""))
    for other in rejected:
        if other.operation.op != "rewrite-core":
            continue
        known = frozenset(plan.list_evidence(other.operation))
        for name in ("add", "replace", "drop"):
            for old in other.operation.rows(name):
                same = _says_same(words, claims.cut_words(old.get("text", "")))
                dropped = bool(words) or row.get("bullet") == old.get("bullet")
                if same and dropped and bearing <= known:
                    return other
    return None


def find_asked(one: Operation, asked: Iterable[OpenQuestion]) -> OpenQuestion | None:
    """The open question that an operation asks again; None for none."""
    if one.op not in plan.ASKS:
        return None
    return next((other for other in asked if is_same(one, other.operation)), None)
