"""Move bullets out of core memory: readings and unused ones, never a rule of conduct."""

from __future__ import annotations

import re

from molt.formats import facts
from molt.formats.reflections import plan
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.index.search import dates
from molt.memory.engines import classify
from molt.memory.reflect.certain import slots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.bullets import Bullet
    from molt.memory.reflect.certain.known import KnownThings

_NEAR = 0.9
"""The share of its cap from which core memory gives readings away."""
_STAYING = ("Identity", "Persona", "Critical Facts")
"""The blocks that say who is who and how to behave: they never leave core memory by themselves."""
_SURE = 0.55
"""The share of Persona among the blocks from which on the shipped model takes a text for a rule."""
_NUMBERS = 3
"""Numbers that make a bullet a reading below a title with a past day."""
_READINGS, _SHARE, _COMPARED = 3, 0.6, 200
"""Bullets of one form, or with a day, and the share of a section's, that make them readings; and
with how many of a section each is compared."""
_DAY = re.compile(r"\b20\d\d[-./]\d\d[-./]\d\d\b")
_MARKS = frozenset("[]|#\"'*`“”【】")
"""Signs of a title that no name has."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def move_bullets(known: KnownThings) -> Iterator[Operation]:
    """Yield bullets that leave core memory for the graph, the faintest and oldest first: readings
    while it is near its cap, and what has faded and begins with a known name. No rule of conduct
    ever does, and nothing that is pinned.
    """
    material = known.material
    full = known.count_core() > material.config.core_cap * _NEAR
    idle = {one.id for one in known.bullets if _is_idle(known, one)}
    found: list[tuple[tuple[float, str, int], Bullet, str]] = []
    for title in dict.fromkeys(one.block for one in known.bullets):
        section = [one for one in known.bullets if one.block == title]
        readings = _list_readings(title, section, material.day) if full else frozenset()
        moving = [one for one in section if one.start in readings or one.id in idle]
        if not moving or title in _STAYING or _has_rules(section):
            # Rules of conduct stand together, and not each of them is one by its words.
            continue
        for one in moving:
            memory = material.memories.get(one.id)
            into = known.find_subject(one.text) or _name_section(title)
            stays = memory is None or memory.pinned or len(one.text) > plan.TEXT
            if memory and into and not stays and not _is_rule(one.text):
                day = _find_last(f"{title} {one.text}") or "~"
                found.append(((round(memory.standing.score, 1), day, one.start), one, into))
    for _, one, into in sorted(found, key=lambda row: row[0]):
        args = {"drop": [{"bullet": one.id, "into": into}]}
        reason = "core memory is near its cap" if full else "it has not been used for long"
        quotes = (EvidenceQuote(one.id, " ".join(one.text.split())),)
        yield Operation("rewrite-core", args, (one.id,), reason, quotes=quotes)


def _is_idle(known: KnownThings, one: Bullet) -> bool:
    """Whether a bullet has not been used for long, and begins with a known name."""
    memory = known.material.memories.get(one.id)
    faded = memory is not None and memory.standing.status in ("dormant", "archived")
    return faded and bool(known.find_subject(one.text))


def _list_readings(title: str, section: Sequence[Bullet], today: str) -> frozenset[int]:
    """Return the first lines of the bullets that are readings: those with a day in a section of
    such, and those that say the same as others of their section with other numbers.
    """
    days = {one.start: _find_last(one.text) for one in section}
    dated = [start for start, day in days.items() if day and day < today]
    mostly = bool(_DAY.search(title)) or len(dated) >= max(_READINGS, _SHARE * len(section))
    found = set(dated if mostly else ())
    if "" < _find_last(title) < today:
        heavy = [one for one in section if len(_NUMBER.findall(one.text)) >= _NUMBERS]
        found.update(one.start for one in heavy if days[one.start] < today)
    shapes = {
        one.start: frozenset(part for part in slots.list_parts(one.text) if part.isalpha())
        for one in section
        if _NUMBER.search(one.text)
    }
    others = list(shapes.values())[:_COMPARED]
    for start, said in shapes.items():
        alike = sum(2 * len(said & other) > len(said | other) for other in others)
        if said and alike > _READINGS and days[start] < today:
            found.add(start)
    return frozenset(found)


def _find_last(text: str) -> str:
    """Return the last day that a text names with its year; empty for none."""
    named = (one for one in dates.spans(text, lambda: "2000-01-01") if one.year and one.day)
    days = [f"{one.year}-{one.month:02}-{one.day:02}" for one in named]
    written = (day.replace(".", "-").replace("/", "-") for day in _DAY.findall(text))
    return max((*days, *written), default="")


def _has_rules(section: Sequence[Bullet]) -> bool:
    """Whether a fourth of some bullets are rules of conduct: then all of them may be."""
    return 4 * sum(_is_rule(one.text) for one in section) > len(section)


def _is_rule(text: str) -> bool:
    """Whether the shipped model takes a text for a rule of conduct, or for what must stay."""
    found = classify.classify_text(text)
    return found.store == "core" or (found.block == "Persona" and found.block_confidence > _SURE)


def _name_section(title: str) -> str:
    """Return the entity that takes the readings of a section; empty where its title is no name."""
    label = _DAY.sub("", title.partition("(")[0].partition("（")[0])
    label = "".join(sign if sign.isprintable() and sign not in _MARKS else " " for sign in label)
    label = " ".join(label.split()).strip(" -–—:：,")
    while label and not label[0].isalnum():
        label = label[1:]
    fits = 2 < len(label) <= plan.LABEL and any(map(str.isalpha, label))
    return f"{'event' if _DAY.search(title) else 'concept'}:{label}" if fits else ""


def drop_repeated(known: KnownThings) -> Iterator[Operation]:
    """Yield bullets of core memory that repeat an earlier one word for word; with numbers, which
    are of what the title names, one of their section.
    """
    seen: dict[str, str] = {}
    for one in known.bullets:
        said = " ".join(slots.list_parts(facts.strip_asides(one.text)))
        memory = known.material.memories.get(one.id)
        first = seen.setdefault(f"{one.block * bool(_NUMBER.search(said))} {said}", one.id)
        if first == one.id or memory is None or memory.pinned:
            continue
        args = {"drop": [{"bullet": one.id}]}
        reason = f"{first} says it already"
        yield Operation("rewrite-core", args, (one.id, first), reason, "high")
