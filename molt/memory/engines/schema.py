"""The fields of a route: the schema that a model is given, and what of its answer can be used.

An answer is read field by field. What is not understood is left out, and the rest is kept.
"""

from __future__ import annotations

from contextlib import suppress

from molt import resources, untrusted
from molt.formats import bullets, entity, episodes, ids, lines, paths
from molt.memory.engines.names import GUESSED, GraphWords
from molt.memory.engines.verdict import NONE, Edge, Named, RouteAnswer
from molt.untrusted import model_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_LABEL, _TAG, _WORDS = 120, 40, 4000
"""Characters of a name, of a tag, and of a text; what is longer is something else."""
_ENTITIES, _RELATIONS, _TAGS, _STEPS = 32, 64, 8, 64
"""The most of each that one memory has; the rest is left out."""
LOOSE = "relates-to"
"""The relation in place of a word that relations.md does not have."""
_LISTS = resources.load_lists("templates/routing/answers.txt")
_OTHER_TYPES = {
    word: kind for kind, words in _LISTS.items() if kind[0] != "." for word in words.split()
}
_OTHER_KEYS = {
    word: key[1:] for key, words in _LISTS.items() if key[0] == "." for word in words.split()
}
_LISTED = frozenset(("entities", "relations", "tags", "steps", "notes", "entity", "relation"))
"""Fields whose values are no wrapping."""
_DEEP = 3
_HIGH, _MEDIUM = 0.8, 0.5
"""From which number on a confidence is so called."""


def make_schema(words: GraphWords) -> dict[str, Any]:
    """Return the JSON schema of an answer, for servers that bind a model to one."""
    text = {"type": "string"}
    texts = {"type": "array", "items": text}
    named = {"name": text, "type": {"enum": list(words.types)}}
    ends = {"from": text, "relation": {"enum": sorted(words.relations)}, "to": text}
    fields = {
        "store": {"enum": [*paths.STORE_NAMES, NONE]},
        "type": {"enum": list(episodes.TYPES)},
        "block": {"enum": list(bullets.BLOCKS)},
        "entities": {"type": "array", "items": {"type": "object", "properties": named}},
        "relations": {"type": "array", "items": {"type": "object", "properties": ends}},
        "tags": texts,
        "confidence": {"enum": list(episodes.CONFIDENCES)},
        "core_update": {"type": "boolean"},
        "summary": text,
        "title": text,
        "trigger": text,
        "steps": texts,
        "notes": texts,
        "supersedes": text,
        "reason": text,
    }
    return {"type": "object", "properties": fields, "required": ["store", "summary"]}


def parse_answer(data: str, engine: str, words: GraphWords) -> RouteAnswer:
    """Return what a model's answer, in JSON or in words, says where a text belongs. Raises
    ValueError where it has no field of a route.
    """
    try:
        value = model_answer.parse_answer(data)
    except ValueError:
        value = read_rows(data)
    found = read_answer(value, engine, words)
    if found is None:
        raise ValueError("it has no field of a route")
    return found


def read_answer(value: object, engine: str, words: GraphWords) -> RouteAnswer | None:
    """Return what of a model's answer, as JSON, says where a text belongs; None where nothing
    does.
    """
    fields = _merge_fields(value)
    entities = _read_entities(fields, words.types)
    about = entities[0].label if entities else ""
    relations = fields.get("relations", fields.get("relation"))
    edges = tuple(dict.fromkeys(_read_edges(relations, words, entities)))
    answer = RouteAnswer(
        engine,
        _pick(fields.get("store"), (*paths.STORE_NAMES, NONE), _read_store),
        _read_text(fields.get("summary"), _WORDS),
        _pick(fields.get("type"), episodes.TYPES),
        _pick(fields.get("block"), bullets.BLOCKS),
        about,
        tuple(entities[:_ENTITIES]),
        edges[:_RELATIONS],
        tuple(_read_tags(fields.get("tags"))),
        _read_confidence(fields.get("confidence")),
        _read_flag(fields.get("core_update")),
        title=_read_text(fields.get("title"), _LABEL),
        trigger=_read_text(fields.get("trigger"), _WORDS),
        steps=tuple(_read_texts(fields.get("steps"))),
        notes=tuple(_read_texts(fields.get("notes"))),
        supersedes=_read_text(fields.get("supersedes"), _WORDS),
        why=_read_text(fields.get("reason"), _WORDS),
    )
    empty = RouteAnswer(engine, "", "")
    return None if answer.replace(text="", why="") == empty else answer


def read_rows(text: str) -> dict[str, str]:
    """Return the fields that the lines of an answer in words give: `**Store**: core`."""
    pairs = (row.replace("*", "").strip("-# `\t").partition(":") for row in text.split("\n"))
    return {key.strip(): value.strip() for key, colon, value in pairs if colon and value.strip()}


_FIELDS = frozenset(make_schema(GraphWords((), ()))["properties"])


def _merge_fields(value: object, depth: int = 0) -> dict[str, Any]:
    """The fields of an answer under the names that they have in a route, those of an object that
    it is wrapped in among them; of several answers those of the first that has a store.
    """
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        with suppress(ValueError):
            value = untrusted.parse_json(value)
    if isinstance(value, list):
        every = [_merge_fields(one, depth + 1) for one in value] if depth < _DEEP else []
        return next((one for one in every if "store" in one), next(iter(every), {}))
    fields = _rename(value) if isinstance(value, dict) else {}
    for key, one in tuple(fields.items()):
        own = key in _LISTED or (isinstance(one, list) and not _holds_object(one))
        if depth < _DEEP and not own and isinstance(one, dict | list | str):
            inner = _merge_fields(one, depth + 1)
            # In place: a copy for each key takes the square of their number.
            for name, said in inner.items():
                fields.setdefault(name, said)
            fields[key] = inner.get(key, fields[key])
    return fields


def _holds_object(value: list[Any]) -> bool:
    return any(isinstance(one, dict) for one in value)


def _rename(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of an object under the names that they have in a route; no empty ones."""
    found: dict[str, Any] = {}
    for key, value in fields.items():
        if value not in (None, "", [], {}):
            name = _to_snake(key)
            own = name in _FIELDS or name in ("name", "from", "to", "relation", "entity")
            found.setdefault(name if own else _OTHER_KEYS.get(name, name), value)
    return found


def _to_snake(name: str) -> str:
    """A name in small letters with `_` between its words: `coreUpdate`, `Core Update`."""
    humps = zip(f"_{name}", name, strict=False)
    parts = (f"_{char}" if char.isupper() and last.islower() else char for last, char in humps)
    return "".join(parts).strip().lower().replace("-", "_").replace(" ", "_")


def _take_one(value: object) -> object:
    """The first of a list, or of the values of an object; any other value as it is."""
    every = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return next(iter(every), value)


def _pick(value: object, known: Iterable[str], other: Callable[[str], str] = str) -> str:
    """The one of some words that a value is, whatever its case; empty for none."""
    value = _take_one(value)
    if not isinstance(value, str):
        return ""
    slug = ids.slug(value.partition("|")[0])
    return next((one for one in known if ids.slug(one) in (slug, other(slug))), "")


def _read_store(slug: str) -> str:
    """The store that a word names by the kind of its memories: `episode`, `semantic-memory`."""
    first = slug.partition("-")[0]
    kinds = (one.name for one in paths.STORES if first in (one.kind, one.name))
    return next(kinds, "")


def _read_text(value: object, most: int) -> str:
    """A text that a file can hold; empty for what is none, or is too long."""
    if not isinstance(value, str) or len(value) > most:
        return ""
    if any(lines.is_control(char) and char not in "\n\t" for char in value):
        return ""
    return value.strip()


def _read_texts(value: object) -> list[str]:
    """The texts of a list, each once, without the numbers before them; of an object its longest
    text. One text is a list of its lines.
    """
    every = value.split("\n") if isinstance(value, str) else value
    kept: list[str] = []
    for one in every if isinstance(every, list) else ():
        parts = one.values() if isinstance(one, dict) else [one]
        texts = [part for part in parts if isinstance(part, str)]
        text = " ".join(_read_text(max(texts, key=len, default=""), _WORDS).split())
        number, mark, rest = text.partition(" ")
        bare = rest if mark and number.rstrip(".)").isdecimal() and number[-1:] in ".)" else text
        kept += [bare.removeprefix("- ")] if any(map(str.isalnum, bare)) else []
    return list(dict.fromkeys(kept))[:_STEPS]


def _read_tags(value: object) -> list[str]:
    every = value.split(",") if isinstance(value, str) else value
    texts = (_read_text(one, _TAG) for one in (every if isinstance(every, list | dict) else ()))
    kept = (" ".join(one.lstrip("#").split()) for one in texts if any(map(str.isalnum, one)))
    return list({one.casefold(): one for one in kept}.values())[:_TAGS]


def _read_flag(value: object) -> bool:
    said = value.strip().casefold() if isinstance(value, str) else value
    return said in (True, "true", "yes")


def _read_confidence(value: object) -> str:
    """A confidence by its word or as a number, of 1 or in percent."""
    value = _take_one(value)
    if isinstance(value, str):
        word = _pick(value, episodes.CONFIDENCES)
        number = value.strip().removesuffix("%")
        if word or not number.replace(".", "", 1).isdecimal():
            return word
        value = float(number)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return ""
    share = value / 100 if value > 1 else value
    return "high" if share >= _HIGH else "medium" if share >= _MEDIUM else "low"


def _read_entities(fields: dict[str, Any], types: Iterable[str]) -> list[Named]:
    """The entities of an answer: objects, names, `TYPE:LABEL`, ids, or types by their names."""
    value = fields.get("entities")
    every: list[object] = value if isinstance(value, list) else [value]
    if isinstance(value, str):
        every = list(value.split(","))
    if isinstance(value, dict) and "name" not in _rename(value):
        every = [{"name": name, "type": kind} for name, kind in value.items()]
    found: dict[str, Named] = {}
    for one in (fields.get("entity"), *every):
        named = _read_entity(one, tuple(types))
        if named:
            found.setdefault(ids.slug(named.label), named)
    return list(found.values())


def _read_entity(value: object, types: tuple[str, ...]) -> Named | None:
    if isinstance(value, list):
        value = dict(zip(("name", "type"), value, strict=False))
    fields = _rename(value) if isinstance(value, dict) else {"name": value}
    text = _read_text(fields.get("name", fields.get("entity", fields.get("id"))), _LABEL)
    text = " ".join(text.removeprefix("entity:").split())
    kind, label = _split_name(text, types)
    said = ids.slug(str(_take_one(fields.get("type")) or kind))
    label = label.removesuffix(f"({said})").strip()
    if entity.find_name_fault(label) or not any(map(str.isalnum, label)):
        return None
    own = next((one for one in types if ids.slug(one) == said), "")
    other = own or _OTHER_TYPES.get(said, "")
    return Named(label, other if other in types else GUESSED, guessed=not own)


def _split_name(text: str, types: tuple[str, ...]) -> tuple[str, str]:
    """The type and the label of `TYPE:LABEL` and `type--label`; of another name no type."""
    kind, dashes, label = text.partition("--")
    if dashes and ids.slug(kind) in types and label == ids.slug(label):
        return kind, label.replace("-", " ")
    kind, colon, label = text.partition(":")
    if colon and (ids.slug(kind) in types or ids.slug(kind) in _OTHER_TYPES):
        return kind, label.strip()
    return "", text


def _read_edges(value: object, words: GraphWords, entities: list[Named]) -> Iterator[Edge]:
    """The relations of an answer; an end that the entities lack is one of them from then on."""
    labels: dict[str, str] = {}
    for entity_named in entities:
        _note_end(labels, entity_named)
    for one in value if isinstance(value, list) else [value]:
        fields = _rename(one) if isinstance(one, dict) else _split_relation(one, words)
        said = _read_text(fields.get("relation", fields.get("type")), _LABEL)
        ends = [_find_end(fields.get(end), words, entities, labels) for end in ("from", "to")]
        if not said or not all(ends) or ids.slug(ends[0]) == ids.slug(ends[1]):
            continue
        slug = ids.slug(_to_snake(said))
        known = slug in words.relations
        yield Edge(ends[0], slug if known else LOOSE, ends[1], "" if known else slug)


def _split_relation(value: object, words: GraphWords) -> dict[str, Any]:
    """The parts of a relation in a list or in words: `Lumen depends on Stripe`."""
    if isinstance(value, list) and len(value) == 3:
        return dict(zip(("from", "relation", "to"), value, strict=True))
    for word in words.relations if isinstance(value, str) else ():
        for form in (f" {word} ", f" {word.replace('-', ' ')} "):
            first, found, last = str(value).partition(form)
            if found:
                return {"from": first, "relation": word, "to": last}
    return {}


def _note_end(labels: dict[str, str], one: Named) -> None:
    """Note how an entity is named as an end: by its label, and by its id."""
    slug = ids.slug(one.label)
    labels.setdefault(slug, one.label)
    labels.setdefault(f"{one.type}-{slug}", one.label)


def _find_end(
    value: object, words: GraphWords, entities: list[Named], labels: dict[str, str]
) -> str:
    """The label of an end of a relation, which is named by label, id or `TYPE:LABEL`; `labels` are
    those of the entities, by what may name them.
    """
    named = _read_entity(value, words.types)
    if named is None:
        return ""
    text = ids.slug(str(value if isinstance(value, str) else named.label).removeprefix("entity:"))
    known = labels.get(ids.slug(named.label)) or labels.get(text)
    if known:
        return known
    entities.append(named)
    _note_end(labels, named)
    return named.label
