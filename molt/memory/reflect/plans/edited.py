"""The operations of a plan as a person edits them: YAML, a list, each with its number."""

from __future__ import annotations

import json

from molt import errors, untrusted
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

_HEAD = """# What is in this list is approved as you save it; what you take out is rejected.
# Numbers stay. Each line is YAML, and JSON is YAML too. An empty list approves nothing.
"""
_FIELDS = ("evidence", "reason", "confidence")
_SHOWN = 5  # rows that are named; the others are counted


def render_operations(operations: Iterable[Operation]) -> str:
    """Operations as text for an editor; `parse_operations` reads the same from it."""
    rows = [_HEAD]
    for one in operations:
        rows += [f"- n: {one.n}", f"  op: {json.dumps(one.op)}"]
        rows += [f"  {row}" for row in render_fields(one)]
    return "\n".join(rows) + "\n"


def render_fields(one: Operation) -> list[str]:
    """All that an operation is told, a row for each field."""
    told = {**one.args, "evidence": list(one.evidence)}
    told |= {"reason": one.reason, "confidence": one.confidence}
    return [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items()]


def parse_operations(text: str, known: Sequence[Operation]) -> tuple[Operation, ...]:
    """The operations of an edited text. Raises Usage with what is wrong, item by item."""
    try:
        items = untrusted.parse_yaml(text)
    except ValueError as error:
        raise errors.Usage(f"this is no YAML: {error}", "nothing was approved") from error
    if not isinstance(items, list):
        raise errors.Usage("this is no list of operations", "nothing was approved")
    before = {one.n: one for one in known}
    every = [_read_item(item, before) for item in items]
    numbers = [one.n for one in every if isinstance(one, Operation)]
    wrong = [f"item {at}: {said}" for at, said in enumerate(every, 1) if isinstance(said, str)]
    wrong += [f"{number} is there twice" for number in set(numbers) if numbers.count(number) > 1]
    if wrong:
        raise errors.Usage("; ".join(wrong[:_SHOWN]), "nothing was approved; edit it again")
    return tuple(one for one in every if isinstance(one, Operation))


def _read_item(item: Any, known: Mapping[int, Operation]) -> Operation | str:
    """The operation of an item, or what is wrong with it."""
    if not isinstance(item, dict):
        return "it is no operation"
    number = item.get("n")
    if not isinstance(number, int) or number not in known:
        return f"no operation has the number {number!r}"
    if item.get("op") != known[number].op:
        return f"{number} is {known[number].op}, which stays so"
    args = {key: value for key, value in item.items() if key not in ("n", "op", *_FIELDS)}
    said = plan.find_misfit(args, plan.item_schema(known[number].op), str(number))
    evidence = item.get("evidence", [])
    if said:
        return said
    if not isinstance(evidence, list) or not all(isinstance(one, str) for one in evidence):
        return f"{number}: evidence is a list of ids"
    reason, sure = str(item.get("reason") or ""), str(item.get("confidence") or "medium")
    before = known[number]
    held = tuple(quote for quote in before.quotes if quote.id in evidence)
    # What a person puts in other words is no longer the model's, and no quotation.
    wording = before.wording if args == before.args else ""
    return before.replace(
        args=args,
        evidence=tuple(evidence),
        reason=reason,
        confidence=sure,
        quotes=held,
        wording=wording,
    )
