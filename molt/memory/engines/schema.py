"""What a model may answer where a text belongs: the schema that it is given, held to strictly."""

from __future__ import annotations

from molt import errors, untrusted
from molt.formats import bullets, episodes, ids, paths
from molt.memory.engines.verdict import NONE, Edge, Named, RouteAnswer
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

LONGEST = 1 << 16
"""Bytes of an answer; one that says all it can has a tenth of them."""
_LABEL, _TAG, _SUMMARY = 120, 40, 4000
_ENTITIES, _RELATIONS, _TAGS = 32, 64, 8
_STORES = (*paths.STORE_NAMES, NONE)


class Words(Value):
    """The words that an answer may use: types of entities, and of relations."""

    types: tuple[str, ...]
    relations: tuple[str, ...]


def make_schema(words: Words) -> dict[str, Any]:
    """The JSON schema of an answer."""
    label = {"type": "string", "minLength": 1, "maxLength": _LABEL}
    entity = _object({"name": label, "type": {"enum": list(words.types)}}, ("name", "type"))
    ends = {"from": label, "relation": {"enum": sorted(words.relations)}, "to": label}
    tag = {"type": "string", "minLength": 1, "maxLength": _TAG}
    fields = {
        "store": {"enum": list(_STORES)},
        "type": {"enum": list(episodes.TYPES)},
        "block": {"enum": list(bullets.BLOCKS)},
        "entities": {"type": "array", "items": entity, "maxItems": _ENTITIES},
        "relations": {"type": "array", "items": _object(ends, tuple(ends)), "maxItems": _RELATIONS},
        "tags": {"type": "array", "items": tag, "maxItems": _TAGS},
        "confidence": {"enum": list(episodes.CONFIDENCES)},
        "core_update": {"type": "boolean"},
        "summary": {"type": "string", "maxLength": _SUMMARY},
        "reason": {"type": "string", "maxLength": _SUMMARY},
    }
    return _object(fields, ("store", "summary"))


def _object(fields: dict[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(required),
        "additionalProperties": False,
    }


def parse_answer(data: str, engine: str, words: Words) -> RouteAnswer:
    """The answer in a JSON text. Raises Usage that says what is wrong and where."""
    if len(data.encode("utf-8", "surrogatepass")) > LONGEST:
        raise _wrong("", f"more than {LONGEST:,} bytes")
    try:
        value = untrusted.parse_json(data)
    except ValueError as error:
        raise _wrong("", f"no JSON: {error}") from error
    return read_answer(value, engine, words)


def read_answer(value: object, engine: str, words: Words) -> RouteAnswer:
    """The answer in a value that was JSON. Raises Usage that says what is wrong and where."""
    fields = _check_object(value, "", _FIELDS, ("store", "summary"))
    for name, check in _FIELDS.items():
        if name in fields:
            check(fields[name], name)
    entities = [_read_entity(one, f"entities[{n}]", words) for n, one in _each(fields, "entities")]
    edges = [
        _read_edge(one, f"relations[{n}]", words, entities) for n, one in _each(fields, "relations")
    ]
    store, summary = fields["store"], fields["summary"].strip()
    if not summary and store != NONE:
        raise _wrong("summary", "empty")
    tags = [_check_text(one, f"tags[{n}]", _TAG) for n, one in _each(fields, "tags")]
    return RouteAnswer(
        engine,
        store,
        summary,
        fields.get("type", "fact"),
        fields.get("block", ""),
        entities[0].label if entities else "",
        tuple(entities),
        tuple(edges),
        tuple(dict.fromkeys(tags)),
        fields.get("confidence", ""),
        fields.get("core_update", False),
        why=fields.get("reason", ""),
    )


def find_fault(value: object, words: Words) -> str:
    """What is wrong with a value that was JSON, and where; empty where it is an answer."""
    try:
        read_answer(value, "", words)
    except errors.Usage as error:
        return error.message
    return ""


def _each(fields: dict[str, Any], name: str) -> list[tuple[int, Any]]:
    return list(enumerate(fields.get(name, ())))


def _wrong(where: str, what: str) -> errors.Usage:
    hint = "`molt remember --brief TEXT` prints the schema"
    return errors.Usage(f"the route is not one: {where or 'it'} is {what}", hint)


def _check_object(
    value: object, where: str, known: object, required: Sequence[str]
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(where, "no object")
    names = known if isinstance(known, dict | tuple) else ()
    for name in value:
        if name not in names:
            raise _wrong(_join(where, str(name)[:_TAG]), "no key of the schema")
    for name in required:
        if name not in value:
            raise _wrong(_join(where, name), "missing")
    return value


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _check_text(value: object, where: str, most: int) -> str:
    if not isinstance(value, str):
        raise _wrong(where, "no text")
    if len(value) > most:
        raise _wrong(where, f"longer than {most} characters")
    if any((char < " " and char not in "\n\t") or "\ud800" <= char <= "\udfff" for char in value):
        raise _wrong(where, "no plain text: it has control characters")
    if most <= _LABEL and not any(map(str.isalnum, value)):
        raise _wrong(where, "empty")
    return value.strip()


def _choice(known: Sequence[str]) -> Callable[[object, str], None]:
    def check(value: object, where: str) -> None:
        if not isinstance(value, str) or value not in known:
            raise _wrong(where, f"{str(value)[:_TAG]!r}, and none of {', '.join(known)}")

    return check


def _list(most: int) -> Callable[[object, str], None]:
    def check(value: object, where: str) -> None:
        if not isinstance(value, list):
            raise _wrong(where, "no list")
        if len(value) > most:
            raise _wrong(where, f"a list of more than {most}")

    return check


def _check_flag(value: object, where: str) -> None:
    if not isinstance(value, bool):
        raise _wrong(where, "neither true nor false")


def _check_words(value: object, where: str) -> None:
    _check_text(value, where, _SUMMARY)


_FIELDS: dict[str, Callable[[object, str], None]] = {
    "store": _choice(_STORES),
    "type": _choice(episodes.TYPES),
    "block": _choice(bullets.BLOCKS),
    "entities": _list(_ENTITIES),
    "relations": _list(_RELATIONS),
    "tags": _list(_TAGS),
    "confidence": _choice(episodes.CONFIDENCES),
    "core_update": _check_flag,
    "summary": _check_words,
    "reason": _check_words,
}


def _read_entity(value: object, where: str, words: Words) -> Named:
    fields = _check_object(value, where, ("name", "type"), ("name", "type"))
    _choice(words.types)(fields["type"], f"{where}.type")
    label = " ".join(_check_text(fields["name"], f"{where}.name", _LABEL).split())
    return Named(label, fields["type"])


def _read_edge(value: object, where: str, words: Words, entities: list[Named]) -> Edge:
    """An edge between entities of the answer; one that an id names is one of them from then on."""
    fields = _check_object(value, where, ("from", "relation", "to"), ("from", "relation", "to"))
    _choice(words.relations)(fields["relation"], f"{where}.relation")
    ends = [_read_end(fields[name], f"{where}.{name}", words, entities) for name in ("from", "to")]
    if ends[0] == ends[1]:
        raise _wrong(where, "a relation of an entity to itself")
    return Edge(ends[0], fields["relation"], ends[1])


def _read_end(value: object, where: str, words: Words, entities: list[Named]) -> str:
    name = _check_text(value, where, _LABEL)
    slug = ids.slug(name.removeprefix("entity:"))
    for one in entities:
        if slug in (ids.slug(one.label), f"{one.type}-{ids.slug(one.label)}"):
            return one.label
    kind, dashes, label = name.removeprefix("entity:").partition("--")
    if dashes and kind in words.types and label == ids.slug(label):
        entities.append(Named(label, kind))
        return label
    raise _wrong(where, f"{name[:_TAG]!r}, which is no name of `entities` and no id")
