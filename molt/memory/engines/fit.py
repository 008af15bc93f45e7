"""Whether a value fits a JSON schema."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def find_misfit(value: object, schema: Mapping[str, Any], where: str = "answer") -> str:
    """What is wrong with a value, and where; empty where it fits. Of JSON schema it reads type,
    enum, properties, required, additionalProperties, items, and lengths.
    """
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type")
    if kind and not _is_of(value, kind):
        return f"{where} is no {kind if isinstance(kind, str) else ' or '.join(kind)}"
    if isinstance(value, str | list):
        less, more = (
            ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
        )
        if not schema.get(less, 0) <= len(value) <= schema.get(more, len(value)):
            return f"{where} is too long or too short"
    if isinstance(value, list):
        return _find_item_misfit(value, schema.get("items", {}), where)
    return _find_field_misfit(value, schema, where) if isinstance(value, dict) else ""


def _is_of(value: object, kind: str | list[str]) -> bool:
    kinds = [kind] if isinstance(kind, str) else kind
    if isinstance(value, bool):
        return "boolean" in kinds
    return any(isinstance(value, _TYPES[one]) for one in kinds)


def _find_item_misfit(value: list[Any], schema: Mapping[str, Any], where: str) -> str:
    wrong = (find_misfit(one, schema, f"{where}[{at}]") for at, one in enumerate(value))
    return next(filter(None, wrong), "")


def _find_field_misfit(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> str:
    fields = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        return f"{where}.{missing[0]} is missing"
    if schema.get("additionalProperties") is False:
        unknown = [name for name in value if name not in fields]
        if unknown:
            return f"{where}.{unknown[0][:40]} is not asked for"
    wrong = (
        find_misfit(value[one], fields[one], f"{where}.{one}") for one in value if one in fields
    )
    return next(filter(None, wrong), "")
