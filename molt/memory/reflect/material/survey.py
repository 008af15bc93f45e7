"""Phase 1 of a reflection: what there is to consolidate, the most urgent first."""

from __future__ import annotations

from molt import tokens
from molt.formats import bullets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial

_WEIGHTS = {
    "correction": 1.0,
    "decision": 0.8,
    "preference": 0.7,
    "task": 0.6,
    "event": 0.5,
    "emotion": 0.5,
    "fact": 0.4,
}
"""What one episode of a type adds to the weight of an area: a correction makes memory wrong until
it is consolidated, a plain fact can wait."""
_PROPOSAL, _FADED, _STALE = 0.9, 0.1, 0.5
"""The same of a pending proposal, of a memory that has faded, of a bullet of core memory that has:
each of those costs tokens in every conversation."""
_NEAR_CAP = 0.9
"""The share of its cap from which core memory is worth tidying for itself."""


class Area(Value):
    """Something to consolidate: what it is, why, the ids of the memories that it is about, and how
    much it weighs.
    """

    title: str
    why: str
    memories: tuple[str, ...]
    weight: float


class Survey(Value):
    """The areas of a reflection, the weightiest first."""

    areas: tuple[Area, ...] = ()


def survey_material(material: ReflectionMaterial) -> Survey:
    """What a reflection should look at, ranked."""
    found = [
        *_list_topics(material),
        *_list_kinds(material),
        *_list_proposals(material),
        *_list_stale(material),
        *_list_faded(material),
        *_judge_cap(material),
    ]
    found.sort(key=lambda one: (-one.weight, one.title))
    return Survey(tuple(found))


def _list_topics(material: ReflectionMaterial) -> Iterator[Area]:
    """Known entities that new episodes speak of."""
    named: dict[str, list[str]] = {}
    weights: dict[str, float] = {}
    texts = [(one, f" {_flatten(one.text)} ") for one in material.fresh]
    for stem, entity in material.entities.items():
        names = [_flatten(name) for name in (entity.label, *entity.aliases)]
        wanted = [name if not name.isascii() else f" {name} " for name in names if name.strip()]
        for one, text in texts:
            if any(name in text for name in wanted):
                named.setdefault(stem, []).append(one.id)
                weights[stem] = weights.get(stem, 0.0) + _WEIGHTS.get(one.type, 0.4)
    for stem, episodes in named.items():
        label = material.entities[stem].label or stem
        why = f"{_count(len(episodes), 'new episode')} speak of {label}"
        memories = (f"entity:{stem}", *episodes)
        yield Area(f"{label} ({stem})", why, memories, round(weights[stem], 3))


def _flatten(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"


def _list_kinds(material: ReflectionMaterial) -> Iterator[Area]:
    """New episodes by their type."""
    kinds: dict[str, list[str]] = {}
    for one in material.fresh:
        kinds.setdefault(one.type, []).append(one.id)
    for kind, episodes in kinds.items():
        why = f"{_count(len(episodes), 'new episode')} of type {kind}, not yet consolidated"
        weight = _WEIGHTS.get(kind, 0.4) * len(episodes)
        yield Area(f"New: {kind}", why, tuple(episodes), round(weight, 3))


def _list_proposals(material: ReflectionMaterial) -> Iterator[Area]:
    if material.proposals:
        names = tuple(one.id for one in material.proposals)
        why = f"{_count(len(names), 'proposal')} of sub-agents wait for a decision"
        yield Area("Pending proposals", why, names, _PROPOSAL * len(names))


def _list_stale(material: ReflectionMaterial) -> Iterator[Area]:
    """Bullets of core memory that nobody has used for long."""
    every = (material.memories.get(one.id) for one in bullets.core_bullets(material.core))
    stale = [one.id for one in every if one and _is_stale(one)]
    if stale:
        why = f"{_count(len(stale), 'bullet')} of MEMORY.md have not been used for long"
        yield Area("Stale core memory", why, tuple(stale), _STALE * len(stale))


def _is_stale(one: KnownMemory) -> bool:
    return not one.pinned and one.standing.status in ("dormant", "archived")


def _list_faded(material: ReflectionMaterial) -> Iterator[Area]:
    """Memories below the least score, the faintest first."""
    settled = material.list_archived()
    faded = [
        one
        for one in material.memories.values()
        if one.standing.status == "archived" and not one.pinned and one.id not in settled
        if not one.id.startswith("core:")
    ]
    faded.sort(key=lambda one: (one.standing.score, one.id))
    if faded:
        why = f"{_count(len(faded), 'memory' if len(faded) == 1 else 'memorie')} faded"
        weight = min(_FADED * len(faded), 5.0)
        yield Area("Faded memories", why, tuple(one.id for one in faded), weight)


def _judge_cap(material: ReflectionMaterial) -> Iterator[Area]:
    cap = material.config.core_cap
    if len(material.core.encode()) <= cap * _NEAR_CAP:
        return
    count = tokens.count_tokens(material.core, material.config.core_encoding)
    if count > cap * _NEAR_CAP:
        why = f"MEMORY.md holds {count:,} of its {cap:,} tokens"
        yield Area("Core memory is nearly full", why, (), 3.0)
