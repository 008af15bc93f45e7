"""What a decision on a reflection leaves: its record, the log, the long arc, and the scores."""

from __future__ import annotations

from math import log2

from molt import trees
from molt.formats import paths, times
from molt.formats.meta import scores as score_file
from molt.formats.reflections import histories, plan, record
from molt.formats.reflections.histories import Insight, ReflectionEntry
from molt.formats.reflections.record import Decision
from molt.memory import inventory
from molt.memory.decay import fold
from molt.memory.decay.accesses import Used
from molt.memory.graph import unite
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from molt.formats.origin import Origin
    from molt.formats.reflections.plan import Operation
    from molt.formats.reflections.record import ReflectionItem, ReflectionRecord
    from molt.memory.decay.formula import Fading
    from molt.memory.reflect.operations.steps import PlannedStep
    from molt.trees import Edits, Tree

APPROVED, EDITED, REJECTED, DROPPED = "approved", "edited", "rejected", "dropped"
"""What is decided of an item; a reason may follow behind a colon."""
TAKEN = (APPROVED, EDITED)
SCORED = ("archive", "reinforce", "pin")
"""The operations that change nothing but scores."""
_BELOW = 0.98
"""Of the score at which a memory is no longer dormant: so near that two uses lift it again."""
_LEAST = 0.0001
"""A score of exactly 0 would say that a person wanted it forgotten."""


class SettledReflection(Value):
    """A decision: of which record, what of each item by its number, and with what: `done` are the
    operations that hold, as they were carried out.
    """

    record: ReflectionRecord
    decision: Decision
    items: Mapping[int, str]
    done: tuple[Operation, ...] = ()

    @property
    def applied(self) -> int:
        """How many items hold."""
        return sum(word.partition(":")[0] in TAKEN for word in self.items.values())


def choose_status(items: Mapping[int, str]) -> str:
    """The status of a reflection of which something holds."""
    whole = all(word.partition(":")[0] in TAKEN for word in items.values())
    return "approved" if whole else "partial"


def edit_books(tree: Tree, settled: SettledReflection) -> Edits:
    """The record with what was decided, the entry of the log, and what the long arc gains."""
    one, date = settled.record, settled.decision.decided[:10]
    edits: Edits = {record.record_path(one.id): _decide_record(settled).encode()}
    entry = _make_entry(settled, date)
    text = histories.append_entry(_read(tree, histories.LOG), entry)
    edits[histories.LOG] = text.encode()
    arc = before = _read(tree, histories.EVOLUTION)
    for each in settled.done:
        if each.op == "insight":
            arc = histories.add_insight(arc, Insight(each.text("text"), date, one.id))
            thread = each.text("thread")
            arc = histories.add_thread(arc, thread) if thread else arc
    milestone = str(dict(one.fields).get("milestone", ""))
    if milestone and settled.applied:
        arc = histories.add_milestone(arc, f"{date}: {milestone}")
    if arc and arc != before:
        edits[histories.EVOLUTION] = arc.encode()
    return edits


def _read(tree: Tree, path: str) -> str | None:
    return trees.read_strict(tree, path) or None


def _decide_record(settled: SettledReflection) -> str:
    """The text of the record; of an item that a person has edited it says how it was edited."""
    edited = {one.n: one for one in settled.done if settled.items.get(one.n) == EDITED}
    items = tuple(
        _decide_item(item, settled.items.get(item.n, item.decision), edited.get(item.n))
        for item in settled.record.items
    )
    decided = settled.decision.asdict()
    return record.render_record(settled.record.replace(items=items, **decided))


def _decide_item(item: ReflectionItem, decision: str, one: Operation | None) -> ReflectionItem:
    more = item.more
    if one is not None:
        told = {"args": one.args, "evidence": list(one.evidence), "reason": one.reason}
        more = (*more, ("edited", told))
    return item.replace(decision=decision, more=more)


def _make_entry(settled: SettledReflection, date: str) -> ReflectionEntry:
    kinds: dict[str, int] = {}
    for one in settled.done:
        kinds[one.op] = kinds.get(one.op, 0) + 1
    counted = (f"{op} × {count}" if count > 1 else op for op, count in kinds.items())
    left = (
        (number, *word.partition(":")[::2])
        for number, word in sorted(settled.items.items())
        if word.partition(":")[0] not in TAKEN
    )
    why = settled.decision.reason
    rows = tuple(
        f"{number} ({' '.join(said.split()) or why or word})" for number, word, said in left
    )
    return ReflectionEntry(
        settled.record.id,
        date,
        settled.decision.status,
        settled.applied,
        len(settled.items),
        settled.decision.by,
        ", ".join(counted),
        rows,
        tuple(one.text("text") for one in settled.done if one.op == "insight"),
        (("Reason", why),) if why else (),
    )


class ScoreEdits:
    """What operations do to the scores of a tree, one after the other."""

    def __init__(self, tree: Tree, now: float, fading: Fading) -> None:
        self._tree = tree
        self._now = now
        self._fading = fading
        self.before = self.text = trees.read_strict(tree, paths.SCORES)

    @property
    def edits(self) -> Edits:
        """The edits; none where nothing changes."""
        return {} if self.text == self.before else {paths.SCORES: self.text.encode()}

    def follow_merge(self, into: str, other: str) -> None:
        """The score of an entity that became part of another one."""
        over = Overlay(self._tree, {paths.SCORES: self.text.encode()})
        moved = unite.move_score(over, other, into).get(paths.SCORES)
        self.text = moved.decode() if moved is not None else self.text

    def drop_gone(self, memories: Iterable[str]) -> None:
        """Take away the scores of memories that are there no more; who forgot one is believed."""
        gone = [name for name in memories if not inventory.has_memory(self._tree, name)]
        known = score_file.find_entries(self.text, gone)
        left = [name for name, entry in known.items() if not score_file.is_forgotten(entry)]
        if left:
            self.text = score_file.edit_entries(self.text, dict.fromkeys(left))

    def apply_operation(self, one: Operation) -> str:
        """Carry out what an operation does to scores; gives why it does not apply, or empty."""
        if one.op == "reinforce":
            found = [memory for memory in one.texts("memories") if not self._find_obstacle(memory)]
            for memory in found:
                self._reinforce(memory)
            return "" if found else "none of it is a memory any more"
        memory = one.text("memory")
        wrong = self._find_obstacle(memory)
        if wrong:
            return wrong
        entry, origin = self._look_up(memory)
        pinned = entry.get("pinned") is True or origin.pinned
        if one.op == "archive" and pinned:
            return f"{memory} is pinned"
        self._set(memory, _pin(entry) if one.op == "pin" else self._archive(memory, entry))
        return ""

    def _find_obstacle(self, memory: str) -> str:
        if not inventory.has_memory(self._tree, memory):
            return f"{memory} is there no more"
        entry = score_file.find_entries(self.text, (memory,)).get(memory, {})
        return f"{memory} was forgotten" if score_file.is_forgotten(entry) else ""

    def _look_up(self, memory: str) -> tuple[dict[str, Any], Origin]:
        """The entry of a memory, made where it has none, and what its text tells."""
        origin = inventory.find_origins(self._tree, (memory,))[memory]
        known = score_file.find_entries(self.text, (memory,)).get(memory)
        return known or fold.make_entry(memory, origin), origin

    def _set(self, memory: str, entry: Mapping[str, Any]) -> None:
        self.text = score_file.edit_entries(self.text, {memory: entry})

    def _reinforce(self, memory: str) -> None:
        known = score_file.find_entries(self.text, (memory,)).get(memory)
        origin = inventory.find_origins(self._tree, (memory,))[memory]
        self._set(memory, fold.add_uses(memory, known, Used(1, self._now), origin))

    def _archive(self, memory: str, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry whose base relevance is so small that the formula calls it archived, whenever
        it was used last: base × log2(uses + 1) × weight just below the floor of what is dormant.
        """
        count = max(1, int(score_file.read_number(entry, "access_count", 1)))
        weight = score_file.read_number(entry, "type_weight", paths.weight_of(memory))
        most = weight * self._fading.ratio_of(memory) * log2(count + 1)
        least = self._fading.floors[-1] * _BELOW
        base = min(score_file.read_number(entry, "base_relevance", 1.0), least / max(most, _LEAST))
        told = {"base_relevance": round(base, 6), "current_score": max(round(least, 4), _LEAST)}
        return {**entry, **told, "status": "archived"}


def score_operations(books: ScoreEdits, done: Iterable[PlannedStep]) -> dict[int, str]:
    """Carry out what operations do to scores; gives why some of them do not apply, by number."""
    wrong: dict[int, str] = {}
    for each in done:
        if each.operation.op == "merge-entities" and len(each.memories) == 2:
            books.follow_merge(*each.memories)
        elif each.operation.op in SCORED:
            why = books.apply_operation(each.operation)
            wrong |= {each.operation.n: why} if why else {}
        else:
            books.drop_gone(each.memories)
    return wrong


def _pin(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "pinned": True, "current_score": 1.0, "status": "active"}


def read_day(one: ReflectionRecord) -> str:
    """The day on which a reflection was made, with which its operations stamp what they write:
    however it comes to the main branch, it brings the same.
    """
    day = one.created[:10]
    return day if times.is_date(day) else "1970-01-01"


def read_operations(one: ReflectionRecord) -> tuple[Operation, ...]:
    """The operations of a record; what is none is left out, and its hash tells. Of more than a
    plan may have, the first: nobody reads on, and each takes its time.
    """
    return tuple(filter(None, map(plan.from_item, one.items[: plan.MOST_OPERATIONS])))
