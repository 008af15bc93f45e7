"""Phase 2 of a reflection: what past reflections say for this one."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, paths
from molt.formats.reflections import plan
from molt.formats.reflections import record as formats_record
from molt.index.content import signs
from molt.index.content.words import STOP
from molt.normal import normalize
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
"""What a reflection of that number does in addition."""
_SAME = 0.6
"""The share of common words from which two texts on the same evidence make the same proposal."""
_STEM = 5
"""Letters of a word by which it is compared: its ending is another one in other words."""
_CHANGES = ("add", "replace", "drop")
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
"""The fields that name what an operation is about: with other values it is another proposal."""
_WORDS = {
    "upsert-entity": ("facts", "summary", "aliases"),
    "add-fact": ("fact",),
    "supersede-fact": ("fact", "by"),
    "contradiction": ("first", "second"),
    "question": ("text",),
    "insight": ("text",),
}
"""The fields with the text of an operation."""


class OpenQuestion(Value):
    """A question or contradiction that was asked and not answered: its place (`r-003#4`), its day,
    and how many reflections there were since.
    """

    ref: str
    operation: Operation
    asked: str = ""
    age: int = 0

    @property
    def text(self) -> str:
        """Return the question in one line."""
        return plan.describe_operation(self.operation)


class RejectedOperation(Value):
    """An operation that a person did not want, why, and in which reflection."""

    operation: Operation
    reason: str
    reflection: str


class Guidance(Value):
    """What past reflections give for this one. `milestone` is what this one does in addition (empty
    for most), `threads` the themes that go on, `open_questions` what was asked and not answered,
    `rejected` what a person did not want, `advice` what else to mind.
    """

    milestone: str = ""
    threads: tuple[str, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    rejected: tuple[RejectedOperation, ...] = ()
    advice: tuple[str, ...] = ()


def review_past(material: ReflectionMaterial) -> Guidance:
    """Return what the log, the records and evolution.md give for the next reflection."""
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
            own = item.decision.partition(":")[2].strip() or str(dict(item.more).get("why", ""))
            reason = own or reasons.get((record.id, item.n), "") or record.reason
            yield RejectedOperation(operation, reason, record.id)


def _read_log(entry: object) -> Iterator[tuple[int, str]]:
    """Yield the numbers and reasons of an entry's `rejected` rows, for example `3 (not that one)`;
    a bare decision is no reason.
    """
    for row in getattr(entry, "rejected", ()):
        number, _, reason = row.partition(" ")
        if number.isascii() and number.isdigit() and len(number) < 6:
            text = reason.strip().removeprefix("(").removesuffix(")")
            yield int(number), "" if text in _REFUSED else text


def list_open(
    tree: Tree, records: Iterable[ReflectionRecord], number: int = 0
) -> Iterator[OpenQuestion]:
    """Yield the questions of records that are not answered, the oldest first; of the same question
    asked twice the first. `number` is that of the reflection for which they are listed.
    """
    questions: list[OpenQuestion] = []
    for record in records:
        for item in record.items:
            operation = plan.from_item(item)
            if operation is None or operation.op not in plan.ASKS or _is_refused(record, item):
                continue
            if not dict(item.more).get("answer"):
                age = max(0, number - int(record.id.removeprefix("r-")))
                asked = record.created[:10]
                questions.append(OpenQuestion(f"{record.id}#{item.n}", operation, asked, age))
    answered = _find_answered(tree, questions) if questions else frozenset()
    kept: list[OpenQuestion] = []
    for one in questions:
        if one.ref in answered or any(is_same(one.operation, other.operation) for other in kept):
            continue
        kept.append(one)
    yield from kept


def _find_answered(tree: Tree, questions: list[OpenQuestion]) -> frozenset[str]:
    """Return the questions that episodes answer: a question can be answered while its reflection
    is pending.
    """
    first = min(one.asked for one in questions)
    answered: set[str] = set()
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
            answered.update(filter(None, every))
    return frozenset(answered)


def _advise(material: ReflectionMaterial, rejected: tuple[RejectedOperation, ...]) -> Iterator[str]:
    kinds: dict[str, int] = {}
    for one in rejected:
        kinds[one.operation.op] = kinds.get(one.operation.op, 0) + 1
    for op, count in kinds.items():
        if count > 2:
            yield f"{count} operations `{op}` were rejected so far: propose one only if it is sure"
    for entry in material.log[-3:]:
        for insight in entry.insights:
            yield f"insight of {entry.id}: {insight}"


def is_same(one: Operation, other: Operation) -> bool:
    """Return whether two operations make the same proposal, in whatever words."""
    if one.op != other.op:
        return False
    if one.op == "rewrite-core":
        known = tuple(_list_rows(other))
        return all(any(_is_same_row(row, old) for old in known) for row in _list_rows(one))
    for name in _TARGETS.get(one.op, ()):
        if _fold_names(one.args.get(name)) != _fold_names(other.args.get(name)):
            return False
    return _share_words(*(_collect_words(each) for each in (one, other)))


def _list_rows(one: Operation) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the changes of a rewrite of core memory, each with its kind."""
    return ((name, row) for name in _CHANGES for row in one.rows(name))


def _is_same_row(one: tuple[str, Mapping[str, Any]], other: tuple[str, Mapping[str, Any]]) -> bool:
    """Return whether two changes of core memory are the same: the bullet taken out, or the text."""
    (kind, row), (old_kind, old) = one, other
    if "drop" in (kind, old_kind):
        return kind == old_kind and row.get("bullet") == old.get("bullet")
    return _share_words(fold_words(row.get("text", "")), fold_words(old.get("text", "")))


def _share_words(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether most words of two texts are in both; true if neither has any."""
    if not one and not other:
        return True
    return bool(other) and len(one & other) >= _SAME * max(len(one), len(other))


def _fold_names(value: object) -> frozenset[str]:
    """Return the words of a name, whatever its form: `person:Alex`, `person--alex`, `entity:…`."""
    texts = value if isinstance(value, list | tuple) else [value]
    names = " ".join(str(one).removeprefix("entity:") for one in texts if one)
    return frozenset("".join(c if c.isalnum() else " " for c in names.casefold()).split())


def _collect_words(one: Operation) -> frozenset[str]:
    """Return the words of the text of an operation."""
    texts: list[str] = []
    for name in _WORDS.get(one.op, ()):
        value = one.args.get(name)
        texts += value if isinstance(value, list | tuple) else [str(value or "")]
    return fold_words(" ".join(texts))


def fold_words(text: str) -> frozenset[str]:
    """Return what a text is compared by: the beginnings of its words, and pairs of signs in
    scripts that have no spaces.
    """
    bare = "".join(char if char.isalnum() else " " for char in normalize("NFKC", text).casefold())
    words: set[str] = set()
    for run in bare.split():
        if signs.has_unspaced(run):
            words.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif run not in STOP:
            words.add(run[:_STEM])
    return frozenset(words)


def find_rejected(
    one: Operation, rejected: Iterable[RejectedOperation]
) -> RejectedOperation | None:
    """Return the rejection that an operation repeats without new evidence, or None."""
    evidence = frozenset(plan.list_evidence(one))
    for other in rejected:
        old = frozenset(plan.list_evidence(other.operation))
        if is_same(one, other.operation) and evidence <= old:
            return other
    return None


def find_rejected_row(
    row: Mapping[str, Any], evidence: Iterable[str], rejected: Iterable[RejectedOperation]
) -> RejectedOperation | None:
    """Return the rejection that one change of core memory repeats, or None: the same text on the
    same evidence, or the same bullet to be taken out.
    """
    own = frozenset(row.get("evidence", ())) or frozenset(evidence)
    change = ("replace" if row.get("text") else "drop", row)
    for other in rejected:
        known = frozenset(plan.list_evidence(other.operation))
        if other.operation.op != "rewrite-core" or not own <= known:
            continue
        if any(_is_same_row(change, old) for old in _list_rows(other.operation)):
            return other
    return None


def find_asked(one: Operation, asked: Iterable[OpenQuestion]) -> OpenQuestion | None:
    """Return the open question that an operation repeats, or None."""
    if one.op not in plan.ASKS:
        return None
    return next((other for other in asked if is_same(one, other.operation)), None)
