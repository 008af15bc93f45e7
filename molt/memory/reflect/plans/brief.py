"""What a model is asked for a plan: the task, and the material within a budget."""

from __future__ import annotations

from molt import resources, tokens
from molt.formats import bullets
from molt.formats.reflections import plan
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from molt.formats.episodes import Episode
    from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
    from molt.memory.reflect.material.survey import Survey
    from molt.memory.reflect.meta import Guidance

TOKENS = 32_000
"""Tokens of a brief by default: what most models read well at once."""
_CLOSE = "Answer now with the JSON object alone."
_LONGEST = 1_500
"""Characters of one memory; a longer one is cut."""
_MOST_ENTITIES, _MOST_FACTS, _MOST_FADED, _MOST_REJECTED, _MOST_PAST = 400, 8, 40, 40, 5
"""How many of each a brief lists. An entity that new episodes name has so many facts; all others
have one, in a line of some twenty tokens."""
_ROW = 30
"""Tokens that a row takes besides its text."""


class ReflectionBrief(Value):
    """What a model is asked: its task, the material, the JSON schema of its answer (for programs,
    in no text), and how many new episodes did not fit.
    """

    prompt: str
    material: str
    schema: dict[str, Any]
    left_out: int = 0


def make_brief(
    material: ReflectionMaterial, survey: Survey, guidance: Guidance, most: int = TOKENS
) -> ReflectionBrief:
    """Return the brief of a reflection, within `most` tokens where possible. Of too many new
    episodes it has the weightiest, in order of time.
    """
    with open(resources.find("templates/prompts/reflect.md"), encoding="utf-8") as file:
        prompt = file.read()
    head = "\n".join((*_list_frame(material, guidance), *_list_known(material, survey)))
    room = most - tokens.count_tokens(prompt) - tokens.count_tokens(head)
    notes = list(_list_notes(material, max(room, most // 4) // (2 if material.fresh else 1)))
    room -= tokens.count_tokens("\n".join(notes))
    chosen = _choose_episodes(material, survey, max(room, most // 4))
    rows = [f"[{one.id}] {_describe_episode(material, one)}: {text}" for one, text in chosen]
    left = len(material.fresh) - len(chosen)
    more = [f"({left:,} further ones are left out)"] if left else []
    text = "\n".join((head, "", "## New episodes", *(rows or ["(none)"]), *more, *notes))
    return ReflectionBrief(prompt, text, plan.make_schema(), left)


def render_brief(brief: ReflectionBrief) -> str:
    """Return the brief as one text for a host's own model."""
    return "\n\n".join((brief.prompt.rstrip(), brief.material.rstrip(), _CLOSE)) + "\n"


def _list_frame(material: ReflectionMaterial, guidance: Guidance) -> Iterator[str]:
    """Yield the number and bounds of the reflection, and what past ones give for it."""
    size = tokens.count_tokens(material.core, material.config.core_encoding)
    yield f"# Reflection {material.number}, {material.day}"
    yield (
        f"The answer has at most {material.config.reflection_budget:,} tokens. "
        f"MEMORY.md has {size:,} of {material.config.core_cap:,}."
    )
    if guidance.milestone:
        yield f"This is a milestone: {guidance.milestone}. Put it into `insight` operations."
    past = (
        f"{one.id}, {one.date}: {one.applied} of {one.total} taken"
        for one in material.log[-_MOST_PAST:]
    )
    yield from _list_part("Past reflections", past)
    yield from _list_part("Threads of evolution.md", guidance.threads)
    yield from _list_part("Advice from past reflections", guidance.advice)
    asked = (f"{one.ref}: {_clip(one.text)}" for one in guidance.open_questions)
    yield from _list_part("Asked and not answered yet: do not ask again", asked)
    rejected = (
        f"{one.operation.op}: {_clip(plan.describe_operation(one.operation))}"
        + f" (because: {_clip(one.reason)})" * bool(one.reason)
        for one in guidance.rejected[-_MOST_REJECTED:]
    )
    yield from _list_part("Rejected before", rejected)


def _list_part(title: str, rows: Iterable[str]) -> Iterator[str]:
    """Yield a part with its title, each row on one line; nothing if there are no rows."""
    every = [" ".join(row.split()) for row in rows]
    if every:
        yield from ("", f"## {title}", *every)


def _list_known(material: ReflectionMaterial, survey: Survey) -> Iterator[str]:
    """Yield what is known: core memory, entities, procedures, proposals, faded memories."""
    # Bullets that are forgotten, or quarantined, are no memories.
    core = (
        f"[{one.id}] {one.block}{_describe_use(material.memories[one.id])}: {_clip(one.text)}"
        for one in bullets.core_bullets(material.core)
        if one.id in material.memories
    )
    yield from _list_part("MEMORY.md, with how often each was used and its score, 0 to 1", core)
    yield from _list_part("Entities", _list_entities(material, survey))
    yield from _list_part("Words of relations", [", ".join(sorted(material.relations))])
    steps = (
        f"[procedure:{stem}] {one.label}: {_clip(' / '.join(one.steps))}"
        for stem, one in material.procedures.items()
    )
    yield from _list_part("Procedures", steps)
    waiting = (f"[{one.id}] {one.agent}: {_clip(one.content)}" for one in material.proposals)
    yield from _list_part("Pending proposals of sub-agents", waiting)
    yield from _list_part("Faded memories, to archive or reinforce", _list_faded(material))


def _describe_use(one: KnownMemory) -> str:
    """Return how often a memory was used and its score, in brackets."""
    uses = "pinned" if one.pinned else f"used {one.uses}x"
    return f" ({uses}, {one.standing.score:.2f})"


def _describe_episode(material: ReflectionMaterial, one: Episode) -> str:
    """Return the type of an episode, its confidence unless it is the usual one, and its uses."""
    known = material.memories.get(one.id)
    sure = "" if one.confidence == "medium" else one.confidence
    used = f"used {known.uses}x" if known and known.uses else ""
    outside = f"from outside ({known.outside})" if known and known.outside else ""
    return ", ".join(filter(None, (one.type, sure, used, outside)))


def _list_entities(material: ReflectionMaterial, survey: Survey) -> Iterator[str]:
    """Yield the entities, those first that the new episodes name."""
    named = [one for area in survey.areas for one in area.memories if one.startswith("entity:")]
    first = [one.removeprefix("entity:") for one in dict.fromkeys(named)]
    order = [*first, *(stem for stem in material.entities if stem not in frozenset(first))]
    for at, stem in enumerate(order[:_MOST_ENTITIES]):
        one = material.entities.get(stem)
        if one is None:
            continue
        names = f" (also: {', '.join(one.aliases[:4])})" if one.aliases else ""
        known = material.memories.get(f"entity:{stem}")
        used = f" (used {known.uses}x)" if known and known.uses else ""
        # The others need their names alone to be recognized.
        shown = one.facts[-_MOST_FACTS:] if at < len(first) else one.facts[:1]
        facts = "; ".join(map(_clip, shown))
        yield f"[entity:{stem}] {one.label}{names}{used}" + (f": {facts}" if facts else "")


def _list_faded(material: ReflectionMaterial) -> Iterator[str]:
    """Yield the memories below the least score, the faintest first."""
    faded = [
        one
        for one in material.memories.values()
        if one.standing.status == "archived" and not one.pinned and not one.id.startswith("core:")
    ]
    faded.sort(key=lambda one: (one.standing.score, one.id))
    for one in faded[:_MOST_FADED]:
        yield f"[{one.id}]{_describe_use(one)}: {_clip(one.text, 160)}"


def _choose_episodes(
    material: ReflectionMaterial, survey: Survey, room: int
) -> list[tuple[Episode, str]]:
    """Return the new episodes that fit, with their texts, by time; of too many those of the
    weightiest areas.
    """
    weights: dict[str, float] = {}
    for area in survey.areas:
        for memory in area.memories:
            weights[memory] = weights.get(memory, 0.0) + area.weight / max(len(area.memories), 1)
    ranked = sorted(material.fresh, key=lambda one: -weights.get(one.id, 0.0))
    chosen: dict[str, str] = {}
    spent = 0
    for one in ranked:
        text = _clip(one.text)
        spent += tokens.count_tokens(text) + _ROW
        if spent > room and chosen:
            break
        chosen[one.id] = text
    return [(one, chosen[one.id]) for one in material.fresh if one.id in chosen]


def _list_notes(material: ReflectionMaterial, room: int) -> Iterator[str]:
    """Yield the new lines of daily notes below their days and titles; of too many the newest."""
    pieces = material.notes.pieces
    if not pieces:
        return
    first, spent = len(pieces), 0
    for at in range(len(pieces) - 1, -1, -1):
        spent += tokens.count_tokens(_clip(pieces[at].text)) + _ROW
        if spent > room and first < len(pieces):
            break
        first = at
    yield from ("", "## New lines of daily notes, which the agent wrote")
    above = ("", "")
    for one in pieces[first:]:
        place = (one.date, " > ".join((*one.titles, *filter(None, [one.lead]))))
        if place != above:
            yield f"### {place[0]} {_clip(place[1], 200)}"
            above = place
        yield f"[{one.id}] {_clip(one.text)}"
    if first:
        yield f"({first:,} older lines are left out)"


def _clip(text: str, most: int = _LONGEST) -> str:
    """Return a text on one line, cut after so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
