"""A reflection without what was forgotten since it was made: none of its words is left."""

from __future__ import annotations

from molt.formats import ids, times
from molt.formats.reflections import erased as erasing
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.reflect import meta
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import settle, unsaid
from molt.memory.reflect.material import material as materials
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.plans import budget
from molt.memory.reflect.summary import summarise
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from molt.formats.reflections.record import ReflectionRecord
    from molt.formats.reflections.summary import Summary
    from molt.memory.reflect.decisions.unsaid import Erased
    from molt.memory.reflect.unfit import UnfitWords
    from molt.memory.workspace import Workspace

_ROWS = ("add", "replace", "drop")
"""The fields of an operation that are lists of bullets."""


class CleanRecord(Value):
    """A record of which no word was forgotten, and what it was left without: operations of which
    nothing can be read.
    """

    record: ReflectionRecord
    dropped: tuple[tuple[Operation, str], ...] = ()


def clean_record(
    ws: Workspace, one: ReflectionRecord, words: UnfitWords, erased: Erased
) -> CleanRecord:
    """A record without the operations that say what was forgotten, or rest on it alone, and with a
    summary that is written anew from today's memory. Itself where it says nothing of it.
    """
    why = unsaid.find_forgotten(one, words, erased)
    if not why:
        return CleanRecord(one)
    every = settle.read_operations(one)
    sifted = (words.sift(each)[0] for each in every)
    kept = (_drop_evidence(words.sift_quotes(each), erased.memories) for each in sifted if each)
    operations = tuple(filter(None, kept))
    left = {each.n for each in operations}
    dropped = tuple((Operation(each.op, {}, n=each.n), why) for each in every if each.n not in left)
    fields = ((name, erasing.keep_rows(value, words.find_forgotten)) for name, value in one.fields)
    record = one.replace(
        items=tuple(map(plan.to_item, operations)),
        fields=tuple((name, value) for name, value in fields if value is not None),
        summary=_write_summary(ws, one, operations, words),
    )
    return CleanRecord(record, dropped)


def _drop_evidence(one: Operation, gone: frozenset[str]) -> Operation | None:
    """An operation without the memories that are gone; None where it rests on no other."""
    if gone.isdisjoint(plan.list_evidence(one)):
        return one
    evidence = _keep_ids(one.evidence, gone)
    args: dict[str, Any] = dict(one.args)
    for name in plan.KINDS[one.op].own_evidence:
        named = args.get(name, ())
        args[name] = _keep_ids([named] if isinstance(named, str) else named, gone)
        if not args[name]:
            return None
        args[name] = named if isinstance(named, str) else args[name]
    for name in _ROWS:
        rows = [_drop_row(row, gone) for row in one.rows(name)]
        args |= {name: [row for row in rows if row]} if rows else {}
    rests = not one.evidence or evidence or plan.KINDS[one.op].own_evidence
    left = one.op != "rewrite-core" or any(args.get(name) for name in _ROWS)
    held = tuple(quote for quote in one.quotes if ids.complete_id(quote.id) not in gone)
    made = one.replace(args=args, evidence=tuple(evidence), quotes=held)
    return made if rests and left else None


def _drop_row(row: dict[str, Any], gone: frozenset[str]) -> dict[str, Any] | None:
    """The same of one bullet of core memory."""
    evidence = _keep_ids(row.get("evidence", ()), gone)
    if row.get("bullet") in gone or (row.get("evidence") and not evidence):
        return None
    return {**row, "evidence": evidence} if "evidence" in row else row


def _keep_ids(named: Iterable[str], gone: frozenset[str]) -> list[str]:
    return [memory for memory in named if ids.complete_id(memory) not in gone]


def _write_summary(
    ws: Workspace, one: ReflectionRecord, operations: tuple[Operation, ...], words: UnfitWords
) -> Summary:
    """What a record says of some operations; what was read for it stays as it was told."""
    before, day = one.summary, settle.read_day(one)
    read = materials.read_material(ws, day, times.parse_time(one.created) or 0.0, skipped=())
    stamp = ReflectionStamp(one.id, day, ws.config, SuccessiveGraphs(ws.repo.cache))
    edits = apply.apply_all(read.tree, operations, stamp).edits
    spent = sum(map(budget.count_operation, operations))
    harvest = summarise.Harvest(read, meta.review_past(read), operations, (), (), edits, spent)
    told = {
        name: getattr(before, name)
        for name in ("date", "intro", "processed", "reviewed")
        if not words.find_forgotten(getattr(before, name))
    }
    made = summarise.make_summary(harvest)
    # What past reflections asked, and why they were declined, stands in their records still.
    parts = tuple(each.replace(body=_keep_lines(each.body, words)) for each in made.sections)
    return branch.set_number(made, before.number).replace(sections=parts, **told)


def _keep_lines(text: str, words: UnfitWords) -> str:
    return "\n".join(row for row in text.split("\n") if not words.find_forgotten(row))
