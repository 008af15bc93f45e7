"""Ask about memories that contradict each other, and carry out what was answered."""

from __future__ import annotations

from molt.formats import bullets, facts, ids
from molt.formats import origin as origins
from molt.formats.reflections import plan
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.memory.reflect.certain import slots
from molt.memory.reflect.certain.known import find_answered, fold_words
from molt.memory.reflect.certain.slots import ComparedSentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.reflect.certain.known import KnownThings
    from molt.memory.reflect.certain.slots import Clash


def apply_answers(known: KnownThings) -> Iterator[Operation]:
    """Yield what follows from answers that name the value of one side of a contradiction: the
    other side is superseded.
    """
    every = {f"{one.id}#{item.n}": item for one in known.material.records for item in one.items}
    for episode in known.material.fresh:
        ref = find_answered(episode)
        asked = plan.from_item(every[ref]) if ref in every else None
        if asked is None or asked.op != "contradiction":
            continue
        said = fold_words(episode.text.removeprefix(plan.describe_operation(asked)))
        texts = (asked.text("first"), asked.text("second"))
        first, second = map(fold_words, texts)
        named = bool(said & (first - second)), bool(said & (second - first))
        if named[0] != named[1]:
            old, new = texts if named[1] else texts[::-1]
            yield from _supersede(known, asked, (old, new), episode.id, f"answered as {ref}")


def _supersede(
    known: KnownThings, asked: Operation, texts: tuple[str, str], answer: str, reason: str
) -> Iterator[Operation]:
    """Yield what puts one text out of force, where its memory is a fact, a bullet or an entry."""
    old, new = texts
    for memory in asked.evidence:
        stem = memory.removeprefix("entity:")
        entity = known.material.entities.get(stem)
        text = known.material.memories[memory].text if memory in known.material.memories else ""
        evidence, quotes = (answer,), (EvidenceQuote(answer, new),)
        if entity and any(facts.strip_asides(fact) == old for fact in entity.facts):
            args: dict[str, object] = {"entity": stem, "fact": old, "by": new}
            yield Operation("supersede-fact", args, evidence, reason, "high", quotes=quotes)
        elif memory.startswith("core:") and facts.strip_asides(text) == old:
            args = {"replace": [{"bullet": memory, "text": new, "evidence": [answer]}]}
            yield Operation("rewrite-core", args, evidence, reason, "high", quotes=quotes)
        elif memory.startswith("episode:") and old in " ".join(text.split()):
            yield Operation("archive", {"memory": memory}, (memory, answer), reason, "high")


def ask_clashes(known: KnownThings) -> Iterator[Operation]:
    """Yield questions about two memories that differ in one value of one thing."""
    for one in slots.find_clashes(list(_list_statements(known)), known.labels):
        if _may_both_hold(known, one):
            continue
        args = {"first": one.first.text, "second": one.second.text}
        if about := one.first.about or one.second.about:
            args["about"] = about
        pair = (one.first, one.second)
        evidence = tuple(dict.fromkeys(each.memory for each in pair))
        quotes = tuple(EvidenceQuote(each.memory, each.text) for each in pair)
        reason = f"they differ in one {one.kind}, and in nothing else that names the thing"
        yield Operation("contradiction", args, evidence, reason, quotes=quotes)


def _list_statements(known: KnownThings) -> Iterator[ComparedSentence]:
    """Yield the sentences of entries, facts and bullets of this agent's own, the older first."""
    material = known.material
    fresh = {one.id for one in known.fresh}
    for bullet in known.bullets:
        if bullet.id in material.memories and not origins.find_mark(bullet.text):
            about = "" if bullet.block in bullets.BLOCKS else bullet.block
            yield ComparedSentence(facts.strip_asides(bullet.text), bullet.id, about)
    for stem, entity in material.entities.items():
        memory = ids.entity(stem)
        for fact in entity.facts:
            if facts.holds(fact) and "(contradicts:" not in fact and not origins.find_mark(fact):
                yield ComparedSentence(facts.strip_asides(fact), memory, entity.label)
    for one in material.memories.values():
        own = one.id.startswith("episode:") and not one.outside
        # The answer to a question begins with its words.
        answers = own and one.text.startswith(known.asked)
        if own and one.standing.status != "archived" and not answers:
            for said in slots.split_sentences(one.text):
                yield ComparedSentence(said, one.id, new=one.id in fresh)


def _may_both_hold(known: KnownThings, one: Clash) -> bool:
    """Whether two statements are of two events that have happened, or name things of which there
    may be several.
    """
    entries = [known.find_entry(each.memory) for each in (one.first, one.second)]
    types = [entry.type if entry else "" for entry in entries]
    if one.kind == slots.NAME:
        return not {"event", "preference"}.isdisjoint(types)
    days = [entry.date if entry else "" for entry in entries]
    to_come = one.kind == slots.DATE and any(map(_is_to_come, one.values, days))
    return types == ["event", "event"] and not to_come


def _is_to_come(value: str, day: str) -> bool:
    """Whether a date, as year, month and day, was to come on a day: the nearest one without year,
    and one that names no day of a month.
    """
    year, _, rest = value.partition("-")
    month, _, number = rest.partition("-")
    if not (month.isdigit() and number.isdigit() and day):
        return True
    if year != "0":
        return f"{year}-{int(month):02}-{int(number):02}" > day
    months = (int(month) - int(day[5:7])) % 12
    return months < 6 and (months > 0 or int(number) > int(day[8:]))
