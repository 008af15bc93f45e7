"""A plan as a host or a model gives it: what of it can be used, and what is to be mended."""

from __future__ import annotations

from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation, ParsedPlan, PlanFault
from molt.memory.engines import fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COMMON = ("evidence", "reason", "confidence")


def read_plan(text: str) -> ParsedPlan:
    """The operations of a plan, whatever is around it; items that are none are faults. Never
    raises.
    """
    value = fit.cut_object(text)
    items = value.get("operations") if value else None
    if not isinstance(items, list):
        return ParsedPlan((), (PlanFault(-1, "", "there is no list `operations` in it"),))
    kept: list[Operation] = []
    faults: list[PlanFault] = []
    for at, item in enumerate(items):
        wrong = _find_fault(item)
        if wrong:
            op = item.get("op", "") if isinstance(item, dict) else ""
            faults.append(PlanFault(at, str(op), wrong))
        else:
            kept.append(_make_operation(item))
    return ParsedPlan(plan.number_operations(kept), tuple(faults))


def _find_fault(item: Any) -> str:
    if not isinstance(item, dict):
        return "the item is no object"
    if item.get("op") not in plan.KINDS:
        return f"no operation {item.get('op')!r}"
    args = {key: value for key, value in item.items() if key not in ("op", *_COMMON)}
    return fit.find_misfit(args, plan.item_schema(item["op"]), "item")


def _make_operation(item: dict[str, Any]) -> Operation:
    args = {key: value for key, value in item.items() if key not in ("op", *_COMMON)}
    evidence = tuple(map(str, item.get("evidence") or ()))
    reason, sure = str(item.get("reason", "")), str(item.get("confidence", "medium"))
    return Operation(item["op"], args, evidence, reason, sure)
