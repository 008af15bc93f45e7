"""A plan as a host or a model gives it: what of it can be used, and what is to be put right."""

from __future__ import annotations

import re

from molt import untrusted
from molt.formats import bullets, episodes, times
from molt.formats.reflections import plan
from molt.formats.reflections.plan import EvidenceQuote, Operation, ParsedPlan, PlanFault
from molt.memory.reflect.plans import spellings
from molt.untrusted import model_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Resolve = Callable[[str], str]
    """Gives the id that some words mean, or the words."""

_NO_PLAN = 'a plan is `{"operations": [{"op": …}, …]}`'
_CUT_OFF = "the plan breaks off: what stands before is read; send the rest as a further plan"
_LISTS = ("operations", "plan", "ops", "actions", "items", "changes", "proposals")
_BLOCKS = {name.casefold(): name for name in bullets.BLOCKS}
_DAYS = ("since", "until")
_CORE = "rewrite-core"
_YAML = re.compile(r"^(?:operations|plan):\s*$|^- op:", re.MULTILINE)
_DEEPEST = 6
"""Levels below which a list of operations is no longer looked for."""


def read_plan(text: str, resolve: Resolve = str) -> ParsedPlan:
    """Return the operations of a plan, whatever is around it and however it spells them; what
    cannot be used is a fault that says why, and how to put it right. Never raises.
    """
    try:
        answer = model_answer.read_answer(text)
        items, cut_off = list(_list_items(answer.value)), answer.cut_off
    except ValueError:
        answer, items, cut_off = model_answer.ModelAnswer(None), [], False
    if not any(isinstance(one, dict) and spellings.is_operation(one) for one in items):
        # The values of a plan in YAML may be JSON.
        items = _read_yaml(text) or items
    found = bool(items) or _is_empty(answer.value)
    faults = [] if found else [PlanFault(-1, "", f"there are no operations in it; {_NO_PLAN}")]
    kept: list[Operation] = []
    for at, item in enumerate(items):
        if len(kept) >= plan.MOST_OPERATIONS:
            wrong = f"a plan has {plan.MOST_OPERATIONS} operations at most"
            faults.append(PlanFault(at, str(item)[:20], wrong))
            continue
        try:
            kept += plan.split_core(_read_item(item, resolve))
        except _Unusable as error:
            faults.append(PlanFault(at, error.op, error.wrong))
    if cut_off:
        faults.append(PlanFault(len(items), "", _CUT_OFF))
    return ParsedPlan(plan.number_operations(kept), tuple(faults))


class _Unusable(Exception):
    """Why an item is no operation."""

    def __init__(self, op: str, wrong: str) -> None:
        super().__init__(wrong)
        self.op, self.wrong = op, wrong


def _list_items(value: object, depth: int = 0) -> Iterator[object]:
    """Yield the operations of a plan, wherever they stand in an answer: below another name, in the
    arguments of a call, in the message of a server.
    """
    if isinstance(value, str) and "{" in value and depth:
        try:
            value = model_answer.parse_answer(value)
        except ValueError:
            return
    if isinstance(value, list):
        for one in value:
            holds = isinstance(one, dict) and not spellings.is_operation(one) and depth < _DEEPEST
            yield from (list(_list_items(one, depth + 1)) if holds else []) or (one,)
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    inner = _find_list(value)
    if inner is not None:
        yield from _list_items(inner, depth + 1)
    elif value and all(str(key).isdecimal() for key in value):
        yield from value.values()
    elif spellings.is_operation(value):
        yield value
    else:
        every = (list(_list_items(one, depth + 1)) for one in value.values())
        yield from max(every, key=len, default=[])


def _find_list(value: dict[str, Any]) -> object:
    """Return what an object holds below a name for operations; None for nothing."""
    if spellings.is_operation(value):
        return None
    low = {str(key).lower(): one for key, one in value.items()}
    return next(
        (low[name] for name in _LISTS if isinstance(low.get(name), list | dict | str)), None
    )


def _is_empty(value: object) -> bool:
    """Return whether a plan has no operations, and says so."""
    inner = _find_list(value) if isinstance(value, dict) else value
    return inner in ([], {})


def _read_yaml(text: str) -> list[object]:
    """Return the items of a plan that a model wrote as YAML; none where it is none."""
    start = _YAML.search(text, 0, untrusted.MOST_YAML)
    if start is None:
        return []
    try:
        found = untrusted.parse_yaml(text[start.start() :].split("```")[0])
    except ValueError:
        return []
    every = next(iter(found.values()), None) if isinstance(found, dict) else found
    return every if isinstance(every, list) else []


def _read_item(item: object, resolve: Resolve) -> Operation:
    """Return the operation of an item. Raises _Unusable."""
    if not isinstance(item, dict):
        raise _Unusable("", 'it is no object; an operation is `{"op": …}`')
    name, fields = spellings.open_item(item)
    op = spellings.find_kind(name)
    if op not in plan.KINDS:
        wrong = f"no operation {name[:40]!r}; one of {', '.join(plan.KINDS)}"
        raise _Unusable(name[:40], wrong)
    fields = spellings.rename_fields(op, fields)
    held = _read_evidence(fields.pop("evidence", None), resolve)
    reason = _clean_text(fields.pop("reason", None))[: plan.REASON]
    sure = _read_confidence(fields.pop("confidence", None))
    schema = plan.item_schema(op)
    args = _shape_object(fields, schema, resolve)
    for row in (row for key in ("add", "replace") for row in args.get(key, ()) if op == _CORE):
        own = _read_evidence(row.pop("evidence", None), resolve)
        held += [one for one in own if one not in held]
        row |= {"evidence": [one.id for one in own if one.id]} if own else {}
    if wrong := plan.find_misfit(args, schema, "item").replace("item.", "", 1):
        raise _Unusable(op, f"{wrong}; like {spellings.EXAMPLES[op]}")
    memories = tuple(dict.fromkeys(one.id for one in held if one.id))
    given = tuple(one for one in held if one.text)
    return Operation(op, args, memories, reason, sure, quotes=given)


def _clean_text(value: object) -> str:
    """Return a text on one line, without what cannot be printed."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _read_evidence(value: object, resolve: Resolve) -> list[EvidenceQuote]:
    """Return the memories that something names, each with its quote where it has one: ids, quotes
    alone, objects that have both, or an object of ids with their quotes.
    """
    if isinstance(value, dict) and not spellings.find_quote(value):
        value = [{"id": key, "quote": said} for key, said in value.items()]
    rows = value if isinstance(value, list) else [] if value is None else [value]
    found: list[EvidenceQuote] = []
    for one in rows[: plan.MOST_ITEMS]:
        if isinstance(one, dict):
            named, said = spellings.find_quote(one) or ("", "")
            memory = resolve(_clean_text(named)[:240]) if named else ""
            quote = _clean_text(said)[: plan.QUOTE]
            found += [EvidenceQuote(memory, quote)] if memory or quote else []
        elif text := _clean_text(one):
            found += _read_reference(text, resolve)
    return list(dict.fromkeys(found))


def _read_reference(text: str, resolve: Resolve) -> Iterator[EvidenceQuote]:
    """Yield the memories that a text names; the text as a quote where it is a sentence of one."""
    memory = resolve(text[:240])
    named = [resolve(part) for part in text.split(", ")]
    if memory != text[:240] or (" " not in text and "," not in text):
        yield EvidenceQuote(memory, "")
    elif all(" " not in one for one in named):
        yield from (EvidenceQuote(one, "") for one in named)
    elif text.isascii() and len(text.split()) < spellings.FEW_WORDS:
        yield EvidenceQuote(text, "")
    else:
        yield EvidenceQuote("", text[: plan.QUOTE])


def _read_confidence(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Compared and not divided: an integer can be too large for a float.
        high, medium = (80, 50) if value > 1 else (0.8, 0.5)
        return "high" if value >= high else "medium" if value >= medium else "low"
    word = _clean_text(value).lower()
    return word if word in episodes.CONFIDENCES else "medium"


def _shape_object(
    fields: dict[str, Any], schema: dict[str, Any], resolve: Resolve
) -> dict[str, Any]:
    """Return the fields that a schema asks for, as near to its shape as they can be brought."""
    shaped: dict[str, Any] = {}
    for name, wanted in schema["properties"].items():
        value = fields.get(name)
        if value is None or value in ("", []):
            continue
        made = value if name == "evidence" else _shape_value(name, value, wanted, resolve)
        if name in _DAYS and not times.is_date(str(made)):
            continue
        if made or not isinstance(made, str | list):
            shaped[name] = made
    return shaped


def _shape_value(name: str, value: Any, schema: dict[str, Any], resolve: Resolve) -> Any:
    if schema.get("type") == "array":
        rows = value if isinstance(value, list) else [value]
        if schema["items"].get("type") == "object":
            every = (spellings.open_row(row) for row in rows)
            return [_shape_object(row, schema["items"], resolve) for row in every]
        if name == "memories":
            return [one.id for one in _read_evidence(rows, resolve) if one.id]
        return [text for text in map(_read_text, rows) if text]
    if "enum" in schema:
        word = _read_text(value)
        return _BLOCKS.get(word.casefold().lstrip("# "), word if name == "block" else word.lower())
    text = _read_text(value)
    return resolve(text) if name in ("memory", "into", "other", "bullet") else text


def _read_text(value: object) -> str:
    """Return a text, also where it is the only one of a list, or in an object that names it."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else ", ".join(map(_clean_text, value))
    if isinstance(value, dict):
        value = next((value[key] for key in spellings.TEXTS if key in value), "")
    return _clean_text(value)


def describe_fault(one: PlanFault) -> str:
    """Return a fault in one line: where, and what to put right."""
    where = f"item {one.at + 1}" if one.at >= 0 else "the plan"
    return f"{where}{f' ({one.op})' if one.op else ''}: {one.wrong}"
