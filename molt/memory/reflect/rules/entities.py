"""New entities, and what is new about known ones, as operations."""

from __future__ import annotations

import re

from molt.formats import entity as entity_notes
from molt.formats import facts
from molt.formats.reflections.plan import LABEL, TEXT, Operation
from molt.memory.engines import rules as routing
from molt.memory.reflect.rules import claims, cues
from molt.memory.reflect.rules.names import named
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.names.mentions import Mention
    from molt.memory.reflect.rules.names.named import EntityNames, NamedThing, NamedThings
    from molt.memory.reflect.rules.spoken import Statement

_MOST_FACTS = 8
"""Facts that rules give an entity in all: what has more reads like a log, and pushes the episodes
themselves from the results of a search."""
_A_NIGHT = 2
"""Facts that one reflection gives an entity."""
_SHORTEST, _LONGEST = 12, 280
"""Characters of a sentence that is a fact of what it names."""


def propose_entities(
    material: ReflectionMaterial, found: NamedThings, known: EntityNames
) -> Iterator[RankedOperation]:
    """Operations for what the episodes name: new entities, and what is new about known ones.

    A new name that is much like that of an entity is a question.
    """
    for one in found.list_sure():
        made = _extend(one, known) if one.stem else _create(material, one, known)
        if made is not None:
            yield made


def _create(
    material: ReflectionMaterial, one: NamedThing, known: EntityNames
) -> RankedOperation | None:
    kind = one.kind or "concept"
    if one.spoken:
        kind = "person"
    if not _is_label(one.label) or kind not in entity_notes.ENTITY_TYPES:
        return None
    degree, stem = named.find_double(one.label, kind, known)
    if material.config.graph_ask <= degree < 1:
        return _ask(one, known.entities[stem].label, kind)
    told = [] if one.spoken else _choose_facts(one, ())
    if not told and not one.spoken:
        return None
    evidence = _list_evidence(one, told)
    if not evidence:
        return None
    label = _fit_label(one.label, [fact for fact, _ in told])
    args: dict[str, object] = {"entity": f"{kind}:{label}"}
    if one.aliases:
        args["aliases"] = list(one.aliases)[:8]
    if told:
        args["facts"] = [fact for fact, _ in told]
    weight = _weigh(one, kind) + 2
    reason = _tell_reason(one)
    sure = "high" if one.spoken else "medium"
    return RankedOperation(weight, Operation("upsert-entity", args, evidence, reason, sure))


def _fit_label(label: str, told: Iterable[str]) -> str:
    """A name in the number in which its facts have it."""
    said = " ".join(told).lower()
    forms = (label, f"{label}s", f"{label}es", f"{label.removesuffix('y')}ies")
    whole = next((form for form in forms if form.lower() in said), "")
    # A fact may have other words before the last one: `dance and yoga classes`.
    last = (form for form in forms if form.lower().rpartition(" ")[2] in said.split())
    return whole or next(last, label)


def _ask(one: NamedThing, other: str, kind: str) -> RankedOperation:
    text = f"Is {one.label} the same {kind} as {other}?"
    evidence = one.memories[:3]
    asked = Operation("question", {"text": text, "about": other}, evidence, "their names are alike")
    return RankedOperation(2.0, asked)


def _extend(one: NamedThing, known: EntityNames) -> RankedOperation | None:
    """What is new about a known entity: further names, and facts while it has few."""
    entity = known.entities[one.stem]
    fresh = [name for name in one.aliases if not known.find_stem(name)]
    told = [] if one.spoken else _choose_facts(one, entity.facts)
    told = [(fact, memory) for fact, memory in told if not known.has_put_right(memory)]
    if not fresh and not told:
        return None
    named = tuple(dict.fromkeys(one.aliases[name] for name in fresh))
    evidence = _list_evidence(one, told) if told else named
    args: dict[str, object] = {"entity": one.stem}
    if fresh:
        args["aliases"] = fresh[:8]
    if told:
        args["facts"] = [fact for fact, _ in told]
    reason = f"{entity.label} is named again" if told else f"{entity.label} is called so"
    return RankedOperation(
        _weigh(one, entity.type), Operation("upsert-entity", args, evidence, reason)
    )


def _is_label(label: str) -> bool:
    plain = label.isprintable() and "[[" not in label and "]]" not in label
    return plain and len(label) <= LABEL and any(map(str.isalnum, label))


def _weigh(one: NamedThing, kind: str) -> float:
    named = {"person": 1.5, "place": 1.0, "event": 0.8}.get(kind, 0.5)
    return named + one.sure + min(len(one.memories), 3) + 4 * one.spoken


def _tell_reason(one: NamedThing) -> str:
    count = len(one.memories)
    if one.spoken:
        return f"{one.label} speaks in these episodes"
    return f"named in {count} episodes" if count > 1 else "named in an episode"


def _list_evidence(one: NamedThing, told: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    bearing = dict.fromkeys(memory for _, memory in told)
    bearing.update(dict.fromkeys((*one.heard[:1], *one.aliases.values())))
    return tuple(bearing) or one.memories[:1]


def _choose_facts(one: NamedThing, known: tuple[str, ...]) -> list[tuple[str, str]]:
    """The sentences that tell most of a thing, as facts with their sources, each with its memory;
    none that the thing has already.
    """
    room = min(_A_NIGHT, _MOST_FACTS - len(known))
    said = {facts.strip_asides(fact).casefold() for fact in known}
    told: list[tuple[float, str, str]] = []
    seen: set[str] = set()
    for mention in one.mentions:
        statement = _drop_question(mention)
        if statement.memory in seen or not _tells(statement):
            continue
        fact = claims.quote_statement(statement)
        if fact.casefold() not in said and len(fact) <= TEXT:
            seen.add(statement.memory)
            told.append((_weigh_fact(mention.sure, statement), fact, statement.memory))
    told.sort(key=lambda row: -row[0])
    # What is said to somebody tells little; it is better than nothing.
    best = [row for row in told if row[0] > 0] or (told[:1] if not known else [])
    return [(f"{fact} (source: {memory})", memory) for _, fact, memory in best[: max(room, 0)]]


_ASKING = (
    "do did does is are was were can could will would shall should have has had want wanna "
    "who what when where which why how"
)
_ASKS = frozenset((*_ASKING.split(), "if", "unless", "while", "since", "before", "after"))
_ASKED = re.compile(rf" - |, (?=(?:{_ASKING.replace(' ', '|')})\b)")
"""Before a question that follows on something told, which begins with none of the words above."""


def _drop_question(one: Mention) -> Statement:
    """The sentence of a mention, without a question behind it: `Dune is great - isn't it?`"""
    said = one.statement
    found = _ASKED.search(said.text) if said.text.endswith("?") else None
    first = said.text[: found.start()] if found else ""
    asks = any(word.low in _ASKS for word in split_words(first)[:1])
    return said if asks or one.label.lower() not in first.lower() else said.replace(text=first)


def _tells(one: Statement) -> bool:
    """Whether a sentence tells something, and does not only speak to somebody."""
    if routing.is_chinese(one.text):
        return len(one.text) > _SHORTEST // 3 and not one.text.endswith("？")
    if not _SHORTEST <= len(one.text) <= _LONGEST or "?" in one.text:
        return False
    first = next(iter(split_words(one.text)), None)
    dull = ("sounds", "congrats", "sorry", "glad", "thanks", "hope")
    return first is not None and first.low not in dull


def _weigh_fact(sure: int, one: Statement) -> float:
    low = {word.low for word in split_words(one.text)}
    spoken = not cues.SECOND_PERSON.isdisjoint(low)
    own = not low.isdisjoint(("i", "i'm", "i've", "my", "we", "our")) or "我" in one.text
    return sure + 1.5 * own - 2.5 * spoken - 0.004 * len(one.text)
