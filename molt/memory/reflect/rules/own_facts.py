"""What somebody said of themselves and core memory has no room for, as facts of their entity."""

from __future__ import annotations

from molt.formats import facts
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules import claims
from molt.memory.reflect.rules.ranked import RankedOperation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.rules.claims import OwnClaim
    from molt.memory.reflect.rules.names.named import EntityNames
    from molt.memory.reflect.rules.spoken import Statement

_LEAST = 1.2
"""The weight from which on what is said is a fact; core memory asks for more."""
_A_NIGHT, _MOST = 2, 24
"""Facts that one reflection gives each who speaks, and that each has in all."""


def propose_own_facts(
    statements: Sequence[Statement], known: EntityNames, rewritten: Operation | None
) -> Iterator[RankedOperation]:
    """For each who speaks, what weighs most of what the rewrite of core memory has not taken."""
    taken = {row["text"] for row in rewritten.rows("add")} if rewritten else set()
    spoken: dict[str, list[OwnClaim]] = {}
    for one in statements:
        claim = claims.find_claim(one) if one.speaker else None
        if claim and claim.weight >= _LEAST and claim.fact not in taken:
            spoken.setdefault(one.speaker, []).append(claim)
    for speaker, every in spoken.items():
        stem = known.find_stem(speaker)
        entity = known.entities.get(stem)
        said = {facts.strip_asides(fact) for fact in entity.facts} if entity else set()
        room = min(_A_NIGHT, _MOST - len(said))
        every.sort(key=lambda one: -one.weight)
        fresh = [one for one in every if one.fact not in said][: max(room, 0)]
        if not fresh:
            continue
        told = [f"{one.fact} (source: {one.statement.memory})" for one in fresh]
        bearing = tuple(dict.fromkeys(one.statement.memory for one in fresh))
        args = {"entity": stem or f"person:{speaker}", "facts": told}
        reason = f"said by {speaker}"
        yield RankedOperation(3.0, Operation("upsert-entity", args, bearing, reason))
