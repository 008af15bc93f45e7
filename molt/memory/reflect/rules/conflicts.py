"""What is said now against what is known: a change takes the place of the old, and of two that
cannot both be true a person says which one is.
"""

from __future__ import annotations

from molt.formats import bullets, facts
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules import attributes, claims
from molt.memory.reflect.rules.spoken import split_speaker
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.attributes import SaidAttribute
    from molt.memory.reflect.rules.names.named import EntityNames
    from molt.memory.reflect.rules.spoken import Statement


class KnownValue(Value):
    """A fact or bullet that tells an attribute: its words, the id of the memory that has it, the
    stem of its entity (empty for core memory and for what was said just now).
    """

    said: SaidAttribute
    text: str
    memory: str
    stem: str = ""
    bullet: str = ""


class Conflicts(Value):
    """The operations that follow, the bullets of core memory that are reworded, and the sentences
    that are in question and so no fact.
    """

    operations: tuple[Operation, ...]
    replaced: tuple[dict[str, object], ...]
    disputed: frozenset[Statement]


def find_conflicts(
    material: ReflectionMaterial, statements: Sequence[Statement], known: EntityNames
) -> Conflicts:
    """What new sentences say otherwise than memory does."""
    values = {one.said.key: one for one in _list_known(material, known)}
    operations: list[Operation] = []
    replaced: list[dict[str, object]] = []
    disputed: set[Statement] = set()
    for one in statements:
        said = attributes.read_attribute(one.text, one.speaker, one.type)
        if said is None:
            continue
        fact = claims.quote_statement(one)
        old = values.get(said.key)
        if old is not None and old.said.value != said.value and old.memory != one.memory:
            # Core memory is not reworded by what nobody here said: a person is asked.
            settled = said.changed and not (old.bullet and one.is_strange)
            if settled and old.stem:
                operations.append(_supersede(one, old, fact))
                disputed.add(one)
            elif settled and old.bullet:
                replaced.append({"bullet": old.bullet, "text": fact, "evidence": [one.memory]})
                disputed.add(one)
            elif not settled:
                operations.append(_ask(one, old, fact))
                disputed.add(one)
                continue
        if old is None or old.said.value != said.value:
            values[said.key] = KnownValue(said, fact, one.memory)
    return Conflicts(tuple(operations), tuple(replaced), frozenset(disputed))


def _list_known(material: ReflectionMaterial, known: EntityNames) -> Iterator[KnownValue]:
    """The attributes that memory holds: in facts that are believed, and in core memory."""
    for stem, entity in known.entities.items():
        memory = f"entity:{stem}"
        for fact in entity.facts:
            if facts.holds(fact):
                yield from _read_known(fact, memory, stem, entity.label)
    for bullet in bullets.core_bullets(material.core):
        for one in _read_known(bullet.text, bullet.id):
            yield one.replace(bullet=bullet.id)


def _read_known(text: str, memory: str, stem: str = "", label: str = "") -> Iterator[KnownValue]:
    plain = facts.strip_asides(" ".join(text.split()))
    speaker, said = split_speaker(plain)
    found = attributes.read_attribute(said, speaker)
    if found is None and label:
        # A fact may leave out whom it is about: `lives in Berlin`.
        found = attributes.read_attribute(f"{label} {plain}")
    if found is not None:
        yield KnownValue(found, plain, memory, stem)


def _supersede(one: Statement, old: KnownValue, fact: str) -> Operation:
    args = {"entity": old.stem, "fact": old.text, "by": fact}
    reason = "what was said later says that it has changed"
    return Operation("supersede-fact", args, (one.memory,), reason)


def _ask(one: Statement, old: KnownValue, fact: str) -> Operation:
    args = {"first": old.text, "second": fact, "about": old.said.subject or "the user"}
    bearing = tuple(dict.fromkeys((old.memory, one.memory)))
    return Operation("contradiction", args, bearing, "both cannot be true at once")
