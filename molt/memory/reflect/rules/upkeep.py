"""What keeps memory tidy: the faded goes, what is spoken of again stays, doubles become one."""

from __future__ import annotations

import re

from molt.formats import ids
from molt.formats.meta import proposals
from molt.formats.reflections.plan import Operation
from molt.memory.engines import rules as routing
from molt.memory.engines.verdict import NONE
from molt.memory.graph import name_keys, resolve
from molt.memory.reflect.rules import attributes
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.spoken import is_assistant, split_speaker, split_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
    from molt.memory.reflect.rules.names.named import EntityNames, NamedThings

_ARCHIVED, _REINFORCED, _ACCEPTED, _DOUBLES = 6, 20, 8, 4
"""Memories that one night archives, reinforces and accepts, and doubles that it tells of."""
_PINNED = 2
"""Memories that one night pins."""
_VITAL = re.compile(
    r"\b(?:am|is|are|'m|'s|severely|deadly) (?:\w+ )?allergic to\b"
    r"|\b(?:has|have) an? (?:\w+ )?allergy\b"
    r"|\banaphyla\w+|\bepipen\b|\bblood type is\b|\bemergency contact is\b"
    r"|对[^，。]{1,12}过敏|严重过敏|血型是|紧急联系人是",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\?|？|\bnot allergic\b|\bif \w+ (?:is|are) allergic\b|不过敏|没有过敏|是否")
_CROWD = 24
"""Entities that share a word from which on it tells no doubles: a family, a product line."""


def archive_faded(material: ReflectionMaterial) -> Iterator[RankedOperation]:
    """The faintest memories of which nobody has made use: small talk first, once it has faded, then
    what has faded out of sight.
    """
    fresh = {one.id for one in material.fresh}
    found: list[tuple[bool, float, str]] = []
    for one in material.memories.values():
        if one.id not in fresh and not one.pinned and one.standing.score > 0:
            idle = one.id.startswith("episode:") and _has_faded(one, "dormant") and _is_idle(one)
            if idle or (_has_faded(one) and one.id.startswith(("episode:", "procedure:"))):
                found.append((not idle, one.standing.score, one.id))
    for busy, _, memory in sorted(found)[:_ARCHIVED]:
        why = "it has faded, and nobody has used it" if busy else "small talk that has faded"
        archived = Operation("archive", {"memory": memory}, (memory,), why)
        yield RankedOperation(0.5, archived)


def _has_faded(one: KnownMemory, *more: str) -> bool:
    return one.standing.status in ("archived", *more)


def _is_idle(one: KnownMemory) -> bool:
    """Whether every sentence of an episode is small talk, a question or a request."""
    said = split_text(split_speaker(one.text)[1])
    return all(routing.judge_sentence(text)[0].store == NONE for text in said)


def pin_vital(material: ReflectionMaterial) -> Iterator[RankedOperation]:
    """Memories that say what somebody's health hangs on: they must never fade."""
    found = [
        one.id
        for one in material.memories.values()
        if one.id.startswith(("episode:", "core:"))
        and not one.pinned
        and one.standing.status != "archived"
        and not is_assistant(one.text)
        and _VITAL.search(one.text)
        and not _UNSURE.search(one.text)
    ]
    for memory in found[:_PINNED]:
        reason = "health may hang on it, so it must not fade"
        yield RankedOperation(2.2, Operation("pin", {"memory": memory}, (memory,), reason))


def reinforce_spoken(material: ReflectionMaterial, found: NamedThings) -> Iterator[RankedOperation]:
    """Entities that had begun to fade and are spoken of again."""
    memories: dict[str, str] = {}
    for one in found.found.values():
        memory = material.memories.get(ids.entity(one.stem)) if one.stem else None
        if memory and memory.standing.status != "active" and not memory.pinned and one.memories:
            memories[memory.id] = one.memories[0]
    if memories:
        named = list(memories)[:_REINFORCED]
        bearing = tuple(dict.fromkeys(memories[memory] for memory in named))
        reason = "new episodes speak of them"
        made = Operation("reinforce", {"memories": named}, bearing, reason)
        yield RankedOperation(2.0, made)


def unite_doubles(
    material: ReflectionMaterial, found: NamedThings, known: EntityNames
) -> Iterator[RankedOperation]:
    """Entities of one type whose names are alike, of which one was spoken of: as one where the
    names are nearly the same, else as a question.
    """
    holders: dict[str, list[str]] = {}
    for stem, entity in known.entities.items():
        for word in _list_marks(entity.label):
            holders.setdefault(word, []).append(stem)
    seen: set[tuple[str, str]] = set()
    for stem in sorted({one.stem for one in found.found.values() if one.stem}):
        entity = known.entities[stem]
        for word in sorted(_list_marks(entity.label)):
            crowd = holders.get(word, [])
            for other in crowd if len(crowd) <= _CROWD else ():
                pair = (min(stem, other), max(stem, other))
                if stem == other or pair in seen or len(seen) >= _DOUBLES:
                    continue
                made = _compare_entities(material, known, pair)
                if made is not None:
                    seen.add(pair)
                    yield made


def _list_marks(label: str) -> set[str]:
    """What one of two labels that may be doubles has in common with the other: a word, a spelling,
    or its initials.
    """
    slug = ids.slug(label)
    return {*slug.split("-"), *name_keys.list_keys(slug)} - resolve.GENERIC


def _compare_entities(
    material: ReflectionMaterial, known: EntityNames, pair: tuple[str, str]
) -> RankedOperation | None:
    first, second = (known.entities[stem] for stem in pair)
    if first.type != second.type:
        return None
    degree = resolve.compare_names(first.label, second.label, first.type)
    bearing = tuple(ids.entity(stem) for stem in pair)
    if degree >= material.config.graph_similarity:
        older, newer = sorted((first, second), key=lambda one: (one.created or "~", one.id))
        args = {"into": older.id, "other": newer.id}
        reason = "their names are nearly the same"
        return RankedOperation(3.0, Operation("merge-entities", args, bearing, reason))
    if degree < material.config.graph_ask:
        return None
    text = f"Is {first.label} the same {first.type} as {second.label}?"
    asked = Operation("question", {"text": text, "about": first.label}, bearing)
    return RankedOperation(1.5, asked)


def accept_proposals(material: ReflectionMaterial) -> Iterator[RankedOperation]:
    """Proposals that their agents are sure of, that say something and contradict nothing."""
    taken: dict[tuple[str, str], str] = {}
    count = 0
    for one in material.proposals:
        said = attributes.read_attribute(one.content)
        clash = said is not None and taken.get(said.key, said.value) != said.value
        if said is not None:
            taken.setdefault(said.key, said.value)
        plain = one.confidence == "high" and proposals.CONFLICT not in one.flag and not clash
        if not plain or one.status != "pending" or _says_nothing(one.content):
            continue
        count += 1
        if count > _ACCEPTED:
            return
        reason = f"{one.agent} is sure of it, and nothing contradicts it"
        accepted = Operation("accept-proposal", {"proposal": one.id}, (one.id,), reason)
        yield RankedOperation(3.5, accepted)


def _says_nothing(text: str) -> bool:
    return routing.find_route(text).verdict.store == NONE
