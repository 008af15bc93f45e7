"""The rules engine of a reflection: from what was said to operations, without any model."""

from __future__ import annotations

from molt.memory.reflect.rules import core_plan, entities
from molt.memory.reflect.rules.named import EntityNames, NamedThings
from molt.memory.reflect.rules.spoken import SpokenWords, list_statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material import ReflectionMaterial

MOST = 40
"""Operations of one night: more than that nobody reads in the morning."""


def consolidate(
    material: ReflectionMaterial, _survey: object = None, _guidance: object = None
) -> tuple[Operation, ...]:
    """The operations that rules propose, the weightiest first and the rewrite of core memory last.

    The same material gives the same operations: what other phases found is not looked at, for
    rules read all of the material, and what was rejected or asked is left out after them.
    """
    statements = list_statements(material.fresh)
    known = EntityNames(material.entities)
    found = NamedThings(known, SpokenWords(material.memories))
    found.add_speakers(statements)
    found.collect(statements)
    ranked = list(entities.propose_entities(material, found, known))
    ranked.sort(key=lambda one: -one.weight)
    kept = [one.operation for one in ranked[: MOST - 1]]
    rewritten = core_plan.rewrite_core(material, statements, known)
    return (*kept, rewritten) if rewritten else tuple(kept)
