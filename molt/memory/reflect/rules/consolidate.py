"""The rules engine of a reflection: from what was said to operations, without any model."""

from __future__ import annotations

from molt.formats.reflections.plan import describe_operation
from molt.memory.reflect.rules import (
    answers,
    core_plan,
    core_room,
    entities,
    own_facts,
    procedures,
    relations,
    upkeep,
)
from molt.memory.reflect.rules.conflicts import find_conflicts
from molt.memory.reflect.rules.names.named import EntityNames, NamedThings
from molt.memory.reflect.rules.notes import (
    from_notes,
    note_projects,
    note_steps,
    note_things,
    user_names,
)
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.spoken import SpokenWords, list_statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material.material import ReflectionMaterial

MOST = 40
"""Operations of one night: more than that nobody reads in the morning."""
_CONFLICT = 9.0
"""The weight of what contradicts memory: until it is settled, memory misleads."""


def consolidate(
    material: ReflectionMaterial, _survey: object = None, _guidance: object = None
) -> tuple[Operation, ...]:
    """The operations that rules propose, the weightiest first and the rewrite of core memory last.

    The same material gives the same operations: what other phases found is not looked at, for
    rules read all of the material, and what was rejected or asked is left out after them.
    """
    told = tuple(one for one in material.fresh if not answers.is_answer(one))
    statements = list_statements(told)
    known = EntityNames(material.entities)
    names = user_names.read_names(material)
    noted = from_notes.list_note_claims(material, names)
    heard = [from_notes.make_statement(one) for one in noted]
    conflicts = find_conflicts(material, (*heard, *statements), known)
    plain = [one for one in statements if one not in conflicts.disputed]
    sure = [one for one, said in zip(noted, heard, strict=True) if said not in conflicts.disputed]
    found = NamedThings(known, SpokenWords(material.memories))
    found.add_speakers(statements)
    found.collect(plain)
    own = tuple(from_notes.list_own(material, sure))
    room = core_room.make_room(material, known)
    changes = core_plan.CoreChanges(conflicts.replaced, own, room.rows)
    rewritten = core_plan.rewrite_core(material, plain, known, changes=changes)
    ranked = [
        *answers.apply_answers(material, known),
        *room.operations,
        *(RankedOperation(_CONFLICT, one) for one in conflicts.operations),
        *entities.propose_entities(material, found, known),
        *own_facts.propose_own_facts(plain, known, rewritten),
        *relations.propose_relations(material, found, known),
        *procedures.propose_procedures(material),
        *from_notes.propose_insights(sure),
        *from_notes.propose_rest(sure, names, known, rewritten),
        *note_things.propose_things(material.notes.pieces, sure, known, names),
        *note_projects.propose_projects(material.notes.pieces, known),
        *note_steps.propose_steps(material),
        *upkeep.accept_proposals(material),
        *upkeep.unite_doubles(material, found, known),
        *upkeep.reinforce_spoken(material, found),
        *upkeep.pin_vital(material),
        *upkeep.archive_faded(material),
    ]
    asked = answers.list_asked(material)
    ranked = [one for one in ranked if describe_operation(one.operation) not in asked]
    ranked.sort(key=lambda one: -one.weight)
    kept = [one.operation for one in ranked[: MOST - 1]]
    return (*kept, rewritten) if rewritten else tuple(kept)
