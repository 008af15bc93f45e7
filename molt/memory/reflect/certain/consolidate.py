"""Propose without a model what needs no understanding: few operations, each with its evidence."""

from __future__ import annotations

import re
from itertools import islice

from molt import tokens
from molt.formats import ids
from molt.formats.meta import proposals
from molt.formats.reflections import plan
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.memory.engines import classify
from molt.memory.graph import name_keys
from molt.memory.reflect import meta
from molt.memory.reflect.certain import clashes, core_moves, names, slots
from molt.memory.reflect.certain.known import KnownThings, find_answered
from molt.memory.reflect.certain.slots import ComparedSentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.episodes import Episode
    from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
    from molt.memory.reflect.meta import Guidance, RejectedOperation

MOST = 9
"""Operations of one night: what a person reads in a minute."""
_KEPT_TYPES = ("decision", "preference", "correction")
_USED = 2
"""How often an entry that has not faded was used until it belongs to core memory."""
_LONGEST = 280
"""Characters of a memory that can be a bullet."""
_FULL = 0.8
"""The share of its cap up to which core memory takes bullets."""
_STEP = re.compile(r"(?m)^\s*\d{1,2}[.)、．]\s*(.+)$")
_UNTYPED = "concept"
"""The type of an entity of which nothing says another."""
_PROCEDURES = frozenset(("procedure", "procedural"))
_SHORTEST = 20
"""Characters of an entry that can be a copy: a shorter one may be said twice."""


def consolidate(
    material: ReflectionMaterial, guidance: Guidance | None = None
) -> tuple[Operation, ...]:
    """Return what is certain of a material, what is worth most first: fewer than ten operations.

    What a person rejected, or was asked before, takes no place.
    """
    known = KnownThings(material)
    rejected = guidance.rejected if guidance else ()
    found: list[Operation] = []
    for most, proposed in (
        (MOST, clashes.apply_answers(known)),
        (3, clashes.ask_clashes(known)),
        (3, _accept_proposals(material)),
        (4, _promote_said(known)),
        (2, _keep_steps(known)),
        (2, _merge_entities(material)),
        (6, core_moves.move_bullets(known)),
        (5, names.propose_names(known)),
        (2, core_moves.drop_repeated(known)),
        (2, _archive_copies(known)),
        (2, _archive_faded(known)),
    ):
        fresh = (one for one in proposed if not _is_decided(one, known.asked, rejected))
        found += islice(fresh, min(most, MOST - len(found)))
    return tuple(found)


def _is_decided(
    one: Operation, asked: Sequence[str], rejected: Sequence[RejectedOperation]
) -> bool:
    """Whether a person was asked the same before, or rejected it on the same evidence."""
    if meta.find_rejected(one, rejected) or plan.describe_operation(one) in asked:
        return True
    rows = (row for name in ("add", "drop") for row in one.rows(name))
    return any(meta.find_rejected_row(row, one.evidence, rejected) for row in rows)


def _accept_proposals(material: ReflectionMaterial) -> Iterator[Operation]:
    """Yield the acceptance of proposals that their agents are sure of and nothing contradicts."""
    sure = [
        one
        for one in material.proposals
        if one.confidence == "high"
        and one.status == "pending"
        and proposals.CONFLICT not in one.flag
    ]
    told = [ComparedSentence(one.content, one.id) for one in material.proposals]
    disputed = {each.memory for one in slots.find_clashes(told) for each in (one.first, one.second)}
    for one in sure:
        if one.id in disputed:
            continue
        reason = f"{one.agent} is sure of it, and nothing contradicts it"
        yield Operation("accept-proposal", {"proposal": one.id}, (one.id,), reason)


def _promote_said(known: KnownThings) -> Iterator[Operation]:
    """Yield bullets for what a person asked to keep, or is used, and is a decision, a preference or
    a correction, in its own words.
    """
    material = known.material
    used = [
        one
        for one in material.memories.values()
        if one.uses >= _USED and one.standing.status == "active" and not one.outside
    ]
    said = [one for one in known.fresh if one.source == "user-explicit"]
    said += [entry for one in used if (entry := known.find_entry(one.id)) and entry not in said]
    room = material.config.core_cap * _FULL - known.count_core()
    cited = " ".join(one.text for one in known.bullets)
    for one in said:
        text = " ".join(one.text.split())
        fits = one.type in _KEPT_TYPES and len(text) <= _LONGEST and slots.holds_alone(text)
        if not fits or f"{one.id})" in cited or known.has_text(text) or find_answered(one):
            continue
        room -= tokens.count_tokens(text, material.config.core_encoding) + 20
        if room < 0:
            return
        explicit = one.source == "user-explicit"
        reason = "you asked to keep it" if explicit else "it is used again and again"
        row = {"block": _choose_block(one), "text": text, "evidence": [one.id]}
        quotes = (EvidenceQuote(one.id, text),)
        sure = "high" if explicit else "medium"
        if stem := known.find_subject(text):
            # What is said of a known thing belongs to it.
            args: dict[str, object] = {"entity": stem, "fact": text}
            yield Operation("add-fact", args, (one.id,), reason, sure, quotes=quotes)
        else:
            args = {"add": [row]}
            yield Operation("rewrite-core", args, (one.id,), reason, sure, quotes=quotes)


def _choose_block(one: Episode) -> str:
    """Return the block of core memory for an entry, by the shipped model where it takes it for core
    memory; of the rest preferences say how to behave, or who the user is, and all else is of today.
    """
    found = classify.classify_text(one.text)
    if found.store == "core" and found.block:
        return found.block
    if one.type != "preference":
        return "Active Context"
    return "Persona" if found.block == "Persona" else "Identity"


def _keep_steps(known: KnownThings) -> Iterator[Operation]:
    """Yield procedures for new entries that are tagged so, with their steps as they are."""
    for one in known.fresh:
        steps = [step.strip() for step in _STEP.findall(one.text)]
        tagged = one.type in _PROCEDURES or not _PROCEDURES.isdisjoint(one.tags)
        title = one.text.strip().split("\n", 1)[0].strip("#*:： ")
        known_titles = {ids.slug(each.label) for each in known.material.procedures.values()}
        fits = len(steps) > 1 and 2 < len(title) <= plan.LABEL and not _STEP.match(title)
        if not tagged or not fits or ids.slug(title) in known_titles:
            continue
        quotes = tuple(EvidenceQuote(one.id, step) for step in steps)
        args = {"title": title, "steps": steps}
        reason = "it was remembered as steps"
        yield Operation("upsert-procedure", args, (one.id,), reason, quotes=quotes)


def _merge_entities(material: ReflectionMaterial) -> Iterator[Operation]:
    """Yield entities of one type that are one name in two spellings, the newer into the older."""
    groups: dict[tuple[str, str], list[str]] = {}
    for stem, one in material.entities.items():
        groups.setdefault((one.type, name_keys.make_key(ids.slug(one.label))), []).append(stem)
    pairs = []
    for (_, _), stems in groups.items():
        stems.sort(key=lambda stem: (material.entities[stem].created or "~", stem))
        pairs += [(stems[0], other) for other in stems[1:]]
    for into, other in pairs:
        labels = [ids.slug(material.entities[stem].label) for stem in (into, other)]
        if name_keys.is_spelling(*labels):
            bearing = (ids.entity(into), ids.entity(other))
            args = {"into": into, "other": other}
            yield Operation("merge-entities", args, bearing, "it is one name in two spellings")
    yield from _merge_untyped(material)


def _merge_untyped(material: ReflectionMaterial) -> Iterator[Operation]:
    """Yield merges of entities whose type nothing said with the one other entity of that name."""
    named: dict[str, list[str]] = {}
    for stem, one in material.entities.items():
        named.setdefault(ids.slug(one.label), []).append(stem)
    for stems in named.values():
        untyped = [stem for stem in stems if material.entities[stem].type == _UNTYPED]
        typed = [stem for stem in stems if stem not in untyped]
        if len(untyped) == len(typed) == 1:
            args = {"into": typed[0], "other": untyped[0]}
            bearing = (ids.entity(typed[0]), ids.entity(untyped[0]))
            yield Operation(
                "merge-entities", args, bearing, "it is one name, with and without a type"
            )


def _archive_copies(known: KnownThings) -> Iterator[Operation]:
    """Yield new entries that say nothing which an earlier one of their day does not say."""
    days: dict[str, list[tuple[str, str]]] = {}
    for memory, one in known.material.memories.items():
        if memory.startswith("episode:") and one.standing.status != "archived" and not one.outside:
            said = f" {' '.join(slots.list_parts(one.text))} "
            days.setdefault(memory[8:18], []).append((memory, said))
    fresh = {one.id for one in known.fresh if one.source != "user-explicit"}
    for every in days.values():
        for at, (memory, said) in enumerate(every):
            first = next((each for each, text in every[:at] if said in text), "")
            if memory in fresh and first and len(said) > _SHORTEST:
                reason = f"{first} says it already"
                yield Operation("archive", {"memory": memory}, (memory, first), reason)


def _archive_faded(known: KnownThings) -> Iterator[Operation]:
    """Yield the faintest unused memories, without those that a person asked to keep."""
    settled = {one.id for one in known.material.fresh} | known.material.list_archived()
    faded = [one for one in known.material.memories.values() if _has_faded(one)]
    faded.sort(key=lambda one: (one.standing.score, one.id))
    for one in faded:
        entry = known.find_entry(one.id)
        explicit = entry is None or entry.source == "user-explicit"
        if one.id not in settled and not explicit:
            reason = "it has faded, and nobody has used it"
            yield Operation("archive", {"memory": one.id}, (one.id,), reason)


def _has_faded(one: KnownMemory) -> bool:
    gone = one.standing.status == "archived" and one.standing.score > 0
    return gone and not one.pinned and one.id.startswith("episode:")
