"""A plan as a host or a model gives it: what of it can be used, and what is to be mended."""

from __future__ import annotations

from molt.formats import bullets, episodes, times
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation, ParsedPlan, PlanFault
from molt.memory.engines import fit
from molt.memory.reflect.plans import loose_json, spellings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

LONGEST = 1 << 20
"""Characters of a plan that are read: all operations that it may hold have a fifth of it."""
_COMMON = ("evidence", "reason", "confidence")
_BLOCKS = {name.casefold(): name for name in bullets.BLOCKS}
_DAYS = ("since", "until")


def read_plan(text: str, resolve: Callable[[str], str] = str) -> ParsedPlan:
    """The operations of a plan, whatever is around it and however it spells them; what cannot be
    used is a fault that says how to mend it. `resolve` gives the id that some words mean, or the
    words. Never raises.
    """
    found = loose_json.read_items(text[:LONGEST])
    faults = [PlanFault(at, "", wrong) for at, wrong in found.faults]
    kept: list[Operation] = []
    for at, item in found.items[: plan.MOST_OPERATIONS]:
        operation, fault = _read_item(at, item, resolve)
        if fault is not None:
            faults.append(fault)
        elif operation is not None:
            kept.append(operation)
    for at, item in found.items[plan.MOST_OPERATIONS :]:
        wrong = f"a plan has {plan.MOST_OPERATIONS} operations at most"
        faults.append(PlanFault(at, str(item)[:20], wrong))
    faults.sort(key=lambda one: one.at)
    return ParsedPlan(plan.number_operations(_join_cores(kept)), tuple(faults))


def _read_item(
    at: int, item: object, resolve: Callable[[str], str]
) -> tuple[Operation | None, PlanFault | None]:
    if not isinstance(item, dict):
        return None, PlanFault(at, "", 'it is no object; an operation is `{"op": …}`')
    name, fields = spellings.open_item(item)
    op = spellings.find_kind(name)
    if op not in plan.KINDS:
        wrong = f"no operation {name[:40]!r}; one of {', '.join(plan.KINDS)}"
        return None, PlanFault(at, name[:40], wrong)
    fields = spellings.rename_fields(op, fields)
    common = {key: fields.pop(key, None) for key in _COMMON}
    schema = plan.item_schema(op)
    args = _shape_object(fields, schema, resolve)
    wrong = fit.find_misfit(args, schema, "item").replace("item.", "", 1)
    if wrong:
        return None, PlanFault(at, op, f"{wrong}; like {spellings.EXAMPLES[op]}")
    return Operation(
        op,
        args,
        _read_ids(common["evidence"], resolve),
        _clean_text(common["reason"])[: plan.REASON],
        _read_confidence(common["confidence"]),
    ), None


def _clean_text(value: object) -> str:
    """A text on one line, without what cannot be printed."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _read_ids(value: object, resolve: Callable[[str], str]) -> tuple[str, ...]:
    """The ids of a list, of one text, or of objects that have one."""
    every = value if isinstance(value, list) else [] if value is None else [value]
    found: list[str] = []
    for one in every[: plan.MOST_ITEMS]:
        if isinstance(one, dict):
            one = next((one[key] for key in ("id", "memory", "ref", "source") if key in one), "")
        text = _clean_text(one)[:240]
        named = text.split(", ") if "," in text else [text]
        found += [resolve(each) for each in named if each]
    return tuple(dict.fromkeys(found))


def _read_confidence(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Compared and not divided: an integer can be too large for a float.
        high, medium = (80, 50) if value > 1 else (0.8, 0.5)
        return "high" if value >= high else "medium" if value >= medium else "low"
    word = _clean_text(value).lower()
    return word if word in episodes.CONFIDENCES else "medium"


def _shape_object(
    fields: dict[str, Any], schema: dict[str, Any], resolve: Callable[[str], str]
) -> dict[str, Any]:
    """The fields that a schema asks for, as near to its shape as they can be brought."""
    shaped: dict[str, Any] = {}
    for name, wanted in schema["properties"].items():
        value = fields.get(name)
        if value is None or value in ("", []):
            continue
        made = _shape_value(name, value, wanted, resolve)
        if name in _DAYS and not times.is_date(str(made)):
            continue
        if made or not isinstance(made, str | list):
            shaped[name] = made
    return shaped


def _shape_value(
    name: str, value: Any, schema: dict[str, Any], resolve: Callable[[str], str]
) -> Any:
    if schema.get("type") == "array":
        rows = value if isinstance(value, list) else [value]
        if schema["items"].get("type") == "object":
            every = (spellings.open_row(name, row) for row in rows)
            return [_shape_object(row, schema["items"], resolve) for row in every]
        if name in ("evidence", "memories"):
            return list(_read_ids(rows, resolve))
        return [text for text in map(_read_text, rows) if text]
    if "enum" in schema:
        word = _read_text(value)
        return _BLOCKS.get(word.casefold().lstrip("# "), word if name == "block" else word.lower())
    text = _read_text(value)
    return resolve(text) if name in ("memory", "into", "other", "bullet") else text


def _read_text(value: object) -> str:
    """A text, also where it is the only one of a list, or in an object that names it."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else ", ".join(map(_clean_text, value))
    if isinstance(value, dict):
        value = next((value[key] for key in spellings.TEXTS if key in value), "")
    return _clean_text(value)


def _join_cores(operations: Iterable[Operation]) -> list[Operation]:
    """The operations with all rewrites of core memory as one."""
    found: list[Operation] = []
    core: Operation | None = None
    for one in operations:
        if one.op != "rewrite-core":
            found.append(one)
        elif core is None:
            core = one
        else:
            args = {
                name: [*core.rows(name), *one.rows(name)][: plan.MOST_ITEMS]
                for name in ("add", "replace", "drop")
                if core.rows(name) or one.rows(name)
            }
            bearing = tuple(dict.fromkeys((*core.evidence, *one.evidence)))
            core = core.replace(args=args, evidence=bearing)
    return [*found, core] if core is not None else found


def describe_fault(one: PlanFault) -> str:
    """A fault in one line: where, and what to mend."""
    where = f"item {one.at + 1}" if one.at >= 0 else "the plan"
    return f"{where}{f' ({one.op})' if one.op else ''}: {one.wrong}"
