"""What a model may answer where a text belongs: the schema that it is given, held to strictly."""

from __future__ import annotations

from molt import errors, untrusted
from molt.formats import bullets, episodes, ids, paths
from molt.memory.engines import fit
from molt.memory.engines.verdict import NONE, Edge, Named, RouteAnswer
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LONGEST = 1 << 16
"""Bytes of an answer; one that says all it can has a tenth of them."""
_LABEL, _TAG, _SUMMARY = 120, 40, 4000
"""Characters of a name, of a tag, and of words: a name that is a sentence is none, and a summary
says less than the text that it is of."""
_ENTITIES, _RELATIONS, _TAGS = 32, 64, 8
"""So many of each has no text that is one memory: what lists more has read out a page."""
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
        "supersedes": {"type": "string", "maxLength": _SUMMARY},
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
        raise _wrong(f"it is more than {LONGEST:,} bytes")
    try:
        value = untrusted.parse_json(data)
    except ValueError as error:
        raise _wrong(f"it is no JSON: {error}") from error
    return read_answer(value, engine, words)


def read_answer(value: Any, engine: str, words: Words) -> RouteAnswer:
    """The answer in a value that was JSON. Raises Usage that says what is wrong and where."""
    if wrong := fit.find_misfit(value, make_schema(words), "route"):
        raise _wrong(wrong)
    fields: dict[str, Any] = value
    store, summary = fields["store"], _read_words(fields["summary"], "summary")
    if not summary and store != NONE:
        raise _wrong("summary is empty")
    entities = [
        Named(_read_name(one["name"], f"entities[{n}].name"), one["type"])
        for n, one in _each(fields, "entities")
    ]
    edges = [
        _read_edge(one, f"relations[{n}]", words, entities) for n, one in _each(fields, "relations")
    ]
    tags = [_read_name(one, f"tags[{n}]") for n, one in _each(fields, "tags")]
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
        why=_read_words(fields.get("reason", ""), "reason"),
        supersedes=_read_words(fields.get("supersedes", ""), "supersedes"),
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


def _wrong(what: str) -> errors.Usage:
    hint = "`molt remember --brief TEXT` prints the schema"
    return errors.Usage(f"the route is not one: {what}", hint)


def _read_words(text: str, where: str) -> str:
    """Words that the schema has let through. Raises Usage where a file could not hold them."""
    if any((char < " " and char not in "\n\t") or "\ud800" <= char <= "\udfff" for char in text):
        raise _wrong(f"{where} is no plain text: it has control characters")
    return text.strip()


def _read_name(text: str, where: str) -> str:
    """A name or tag on one line. Raises Usage for one without a letter or digit."""
    if not any(map(str.isalnum, text)):
        raise _wrong(f"{where} is empty")
    return " ".join(_read_words(text, where).split())


def _read_edge(fields: dict[str, str], where: str, words: Words, entities: list[Named]) -> Edge:
    """An edge between entities of the answer; one that an id names is one of them from then on."""
    ends = [_read_end(fields[name], f"{where}.{name}", words, entities) for name in ("from", "to")]
    if ends[0] == ends[1]:
        raise _wrong(f"{where} is a relation of an entity to itself")
    return Edge(ends[0], fields["relation"], ends[1])


def _read_end(text: str, where: str, words: Words, entities: list[Named]) -> str:
    name = _read_name(text, where)
    slug = ids.slug(name.removeprefix("entity:"))
    for one in entities:
        if slug in (ids.slug(one.label), f"{one.type}-{ids.slug(one.label)}"):
            return one.label
    kind, dashes, label = name.removeprefix("entity:").partition("--")
    if dashes and kind in words.types and label == ids.slug(label):
        entities.append(Named(label, kind))
        return label
    raise _wrong(f"{where} is {name[:_TAG]!r}, which is no name of `entities` and no id")
