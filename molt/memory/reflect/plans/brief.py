"""What a model is told to reflect on: the task, the material within a budget, and the schema of its
answer.
"""

from __future__ import annotations

from molt import resources, tokens
from molt.formats import bullets
from molt.formats.reflections import plan
from molt.memory.reflect.rules.notes import prose
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.material.survey import Survey
    from molt.memory.reflect.meta import Guidance

TOKENS = 32_000
"""How much of the material a model is given by default: what most read well at once."""
_CLOSE = "Answer now with the JSON object alone."
_LONGEST = 1_500
"""Characters of one memory; of a longer one the beginning is told."""
_MOST_ENTITIES, _MOST_FACTS, _MOST_FADED, _MOST_REJECTED = 400, 8, 40, 40
"""How many of each a model is told. An entity that new episodes speak of has so many facts, and all
others one, in a line of some twenty tokens."""


class ReflectionBrief(Value):
    """What a model is asked: its task, the material, the schema of its answer, and how many new
    episodes did not fit.
    """

    prompt: str
    material: str
    schema: dict[str, Any]
    left_out: int = 0


def make_brief(
    material: ReflectionMaterial, survey: Survey, guidance: Guidance, most: int = TOKENS
) -> ReflectionBrief:
    """The brief of a reflection. Of too many new episodes the weightiest are told, in order."""
    with open(resources.find("templates/prompts/reflect.md"), encoding="utf-8") as file:
        prompt = f"{file.read().rstrip()}\n\n{_list_kinds()}\n"
    head = "\n".join(
        (*_tell_frame(material, guidance), *_tell_areas(survey), *_tell_known(material, survey))
    )
    room = most - tokens.count_tokens(prompt) - tokens.count_tokens(head)
    told_notes = list(_tell_notes(material, max(room, most // 4) // (2 if material.fresh else 1)))
    room -= tokens.count_tokens("\n".join(told_notes))
    chosen = _choose_episodes(material, survey, max(room, most // 4))
    rows = [f"[{one.id}] {one.type}, {one.confidence}: {text}" for one, text in chosen]
    left = len(material.fresh) - len(chosen)
    more = [f"({left:,} further ones are left out)"] if left else []
    text = "\n".join((head, "", "## New episodes", *(rows or ["(none)"]), *more, *told_notes))
    return ReflectionBrief(prompt, text, plan.make_schema(), left)


def _tell_frame(material: ReflectionMaterial, guidance: Guidance) -> Iterator[str]:
    limit = material.config.reflection_budget
    yield f"# Reflection {material.number}, {material.day}"
    yield f"Budget: the whole answer in {limit:,} tokens. MEMORY.md: {material.config.core_cap:,}."
    if guidance.milestone:
        yield f"This is a milestone: {guidance.milestone}. Say it in `insight` operations."
    yield from _tell_list("Threads of evolution.md", guidance.threads)
    yield from _tell_list("Advice from past reflections", guidance.advice)
    asked = (f"{one.ref}: {_clip(one.text)}" for one in guidance.open_questions)
    yield from _tell_list("Asked and not answered yet: do not ask again", asked)
    rejected = [
        f"{one.operation.op}: {_clip(plan.describe_operation(one.operation))}"
        + f" (because: {_clip(one.reason)})" * bool(one.reason)
        for one in guidance.rejected[-_MOST_REJECTED:]
    ]
    yield from _tell_list("Rejected before", rejected)


def _tell_list(title: str, rows: Iterable[str]) -> Iterator[str]:
    found = list(rows)
    if found:
        yield from ("", f"## {title}", *(f"- {' '.join(row.split())}" for row in found))


def _tell_areas(survey: Survey) -> Iterator[str]:
    yield from _tell_list(
        "What to look at first", (f"{one.title}: {one.why}" for one in survey.areas[:16])
    )


def _tell_known(material: ReflectionMaterial, survey: Survey) -> Iterator[str]:
    yield from ("", "## MEMORY.md")
    for one in bullets.core_bullets(material.core):
        known = material.memories.get(one.id)
        if known is None:
            # Forgotten, or held back for the commit that brought it.
            continue
        state = f" ({known.standing.status})" if known.standing.status != "active" else ""
        yield f"[{one.id}]{state} {one.block}: {_clip(one.text)}"
    yield from _tell_list("Entities", _tell_entities(material, survey))
    yield from _tell_list("Words of relations", [", ".join(sorted(material.relations))])
    steps = (
        f"[procedure:{stem}] {one.label}: {_clip(' / '.join(one.steps))}"
        for stem, one in material.procedures.items()
    )
    yield from _tell_list("Procedures", steps)
    waiting = (f"[{one.id}] {one.agent}: {_clip(one.content)}" for one in material.proposals)
    yield from _tell_list("Pending proposals of sub-agents", waiting)
    yield from _tell_list("Faded memories, to archive or reinforce", _tell_faded(material))


def _tell_entities(material: ReflectionMaterial, survey: Survey) -> Iterator[str]:
    """Entities, those first that the new episodes speak of."""
    named = [one for area in survey.areas for one in area.memories if one.startswith("entity:")]
    first = [one.removeprefix("entity:") for one in dict.fromkeys(named)]
    order = [*first, *(stem for stem in material.entities if stem not in frozenset(first))]
    for at, stem in enumerate(order[:_MOST_ENTITIES]):
        one = material.entities.get(stem)
        if one is None:
            continue
        names = f" (also: {', '.join(one.aliases[:4])})" if one.aliases else ""
        # Of what nobody speaks about now the names suffice to be found again.
        known = one.facts[-_MOST_FACTS:] if at < len(first) else one.facts[:1]
        said = "; ".join(_clip(fact) for fact in known)
        yield f"[entity:{stem}] {one.label}{names}" + (f": {said}" if said else "")


def _tell_faded(material: ReflectionMaterial) -> Iterator[str]:
    faded = [
        one
        for one in material.memories.values()
        if one.standing.status == "archived" and not one.pinned
    ]
    faded.sort(key=lambda one: (one.standing.score, one.id))
    for one in faded[:_MOST_FADED]:
        yield f"[{one.id}] score {one.standing.score:.2f}: {_clip(one.text, 160)}"


def _choose_episodes(
    material: ReflectionMaterial, survey: Survey, room: int
) -> list[tuple[Any, str]]:
    """The new episodes that fit, by time; of too many those of the weightiest areas."""
    weights: dict[str, float] = {}
    for area in survey.areas:
        for memory in area.memories:
            weights[memory] = weights.get(memory, 0.0) + area.weight / max(len(area.memories), 1)
    ranked = sorted(material.fresh, key=lambda one: -weights.get(one.id, 0.0))
    chosen: dict[str, str] = {}
    spent = 0
    for one in ranked:
        text = _clip(one.text)
        spent += tokens.count_tokens(text) + 30
        if spent > room and chosen:
            break
        chosen[one.id] = text
    return [(one, chosen[one.id]) for one in material.fresh if one.id in chosen]


def _tell_notes(material: ReflectionMaterial, room: int) -> Iterator[str]:
    """The new lines of daily notes below their days and titles, as far as they fit: those that say
    what will hold first.
    """
    pieces = material.notes.pieces
    if not pieces:
        return
    order = sorted(range(len(pieces)), key=lambda at: (-prose.weigh_piece(pieces[at]), -at))
    chosen: set[int] = set()
    spent = 0
    for at in order:
        spent += tokens.count_tokens(_clip(pieces[at].text)) + 30
        if spent > room and chosen:
            break
        chosen.add(at)
    yield from ("", "## New lines of daily notes, which the agent wrote")
    above = ("", "")
    for at in sorted(chosen):
        one = pieces[at]
        place = (one.date, " > ".join((*one.titles, *filter(None, [one.lead]))))
        if place != above:
            yield f"### {place[0]} {_clip(place[1], 200)}"
            above = place
        yield f"[{one.id}] {_clip(one.text)}"
    if left := len(pieces) - len(chosen):
        yield f"({left:,} further lines are left out)"


def _clip(text: str, most: int = _LONGEST) -> str:
    said = " ".join(text.split())
    return said if len(said) <= most else f"{said[:most]}…"


def render_brief(told: ReflectionBrief) -> str:
    """The brief as one text for a host's own model, its schema included."""
    import json

    schema = json.dumps(told.schema, ensure_ascii=False, separators=(",", ":"))
    parts = (told.prompt.rstrip(), "# The schema of the answer", schema, told.material.rstrip())
    return "\n\n".join((*parts, _CLOSE)) + "\n"


def _list_kinds() -> str:
    """All operations with their fields, those that must be told marked."""
    rows = []
    for name, kind in plan.KINDS.items():
        told = [f"{key}{'*' * (key in kind.required)}" for key in kind.fields]
        rows.append(f"- `{name}` ({', '.join(told)}): {kind.what}")
    return "\n".join(("# The operations (fields with * must be told)", *rows))
