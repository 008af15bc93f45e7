"""Find the names that recur in memories, each with what a memory says of it."""

from __future__ import annotations

import re

from molt.formats import entity as entity_notes
from molt.formats import ids
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.index.content import signs, speakers, words
from molt.index.search import dates
from molt.memory.reflect.certain import slots
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from molt.memory.reflect.certain.known import KnownThings
    from molt.memory.reflect.material.material import ReflectionMaterial

_FACTS = 2
"""Facts of a new entity."""
_MEMORIES, _DAYS = 3, 2
"""In how many memories, and on how many days, a name stands until it recurs."""
_SHORTEST, _LONGEST, _WORDS = 24, 280, 5
"""Characters of a fact, and the words that it has at least."""
_PASSING = ("event", "emotion", "task")
"""The types of entries that are about their day, not about what they name."""
_SPEAKER = 40
"""Characters of the name of a speaker, before a colon."""
_SLIPS = 3
"""Times that a name stands with its capital for each time without."""
_CAPITALS = 0.4
"""The share of capitals among the words of a sentence from which on they tell no names."""
_SPAN = re.compile(r"(?<=[\w,;)] )[A-Z][\w&+-]*\w(?: [A-Z][\w&+-]*\w)*")
_LINK = re.compile(r"\[\[(?:[^\[\]|#\n]*/)?([^\[\]|#\n]+?)(?:\.md)?(?:[|#][^\[\]\n]*)?\]\]")
_QUOTED = re.compile(r"「([^「」\n]{2,24})」|《([^《》\n]{2,24})》")


class NamingSentence(Value):
    """A sentence of a memory, with its id and its day."""

    text: str
    memory: str
    date: str


def propose_names(known: KnownThings) -> Iterator[Operation]:
    """Yield entities for names that stand in several memories of several days, each with a fact in
    the words of a memory; none for a name of which no sentence tells.
    """
    material = known.material
    kinds: dict[str, str] = {}
    fresh = {one.id for one in material.fresh}
    every = list(_list_passages(material))
    for one in every:
        for name, kind in _find_names(one.text) if one.memory in fresh else ():
            if ids.slug(name) not in known.stems and not _is_date(name):
                kinds[name] = kinds.get(name) or kind
    told: dict[str, list[NamingSentence]] = {}
    for one in every if kinds else ():
        head = _find_head(one.text, kinds)
        entry = known.find_entry(one.memory) if head else None
        if entry and entry.type not in _PASSING:
            told.setdefault(head, []).append(one)
    places = {name: _list_places(name, every) for name in told}
    for name in sorted(told, key=lambda name: (-len(places[name]), name)):
        days = {one.date for one in places[name]}
        memories = {one.memory for one in places[name]}
        if len(memories) < _MEMORIES or len(days) < _DAYS:
            continue
        best = sorted(told[name], key=lambda one: _weigh(one.text))[:_FACTS]
        args = {
            "entity": f"{kinds[name]}:{name}",
            "facts": list(dict.fromkeys(one.text for one in best)),
        }
        quotes = tuple(EvidenceQuote(one.memory, one.text) for one in best)
        bearing = tuple(dict.fromkeys(one.memory for one in best))
        reason = f"named in {len(memories)} memories of {len(days)} days"
        yield Operation("upsert-entity", args, bearing, reason, quotes=quotes)


def _list_passages(material: ReflectionMaterial) -> Iterator[NamingSentence]:
    """Yield the sentences of entries that may be quoted: those of people and agents, and of what a
    person brought in, without the name of who speaks.
    """
    for memory, one in material.memories.items():
        if not memory.startswith("episode:") or one.outside not in ("", "import"):
            continue
        speaker, colon, rest = one.text.partition(": ")
        spoken = bool(colon) and len(speaker) < _SPEAKER and len(speaker.split()) < 4
        flags = speakers.turn_flags(speaker, "") if spoken else 0
        if not flags & speakers.ASSISTANT:
            for text in slots.split_sentences(rest if spoken else one.text):
                yield NamingSentence(text, memory, memory[8:18])


def _find_names(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a sentence, with the types that links give them."""
    for link in _LINK.findall(text):
        kind, mark, label = link.partition("--")
        typed = bool(mark) and kind in entity_notes.ENTITY_TYPES
        yield (label.replace("-", " ").title(), kind) if typed else (link.strip(), "concept")
    for pair in _QUOTED.findall(text):
        yield pair[0] or pair[1], "concept"
    said = text.split()
    high = sum(word[0].isupper() for word in said[1:])
    if signs.has_unspaced(text) or high > _CAPITALS * len(said) or words.is_foreign(text):
        return
    for name in _SPAN.findall(text):
        if len(name) > 2 and name.lower() not in words.STOP:
            yield name, "concept"


def _is_date(name: str) -> bool:
    return bool(dates.spans(f"on {name}", lambda: "2000-01-01"))


def _find_head(text: str, names: Mapping[str, str]) -> str:
    """Return the name with which a sentence begins that tells of it; empty for none."""
    bare = text.lstrip("*_`[「《")
    said = bare.split()
    letters = sum(map(str.isalpha, text))
    sized = _SHORTEST <= len(text) <= _LONGEST and len(said) >= _WORDS
    if signs.has_unspaced(text):
        sized = _SHORTEST // 3 <= len(text) <= _LONGEST
    if not sized or letters < 0.6 * len(text) or not slots.holds_alone(text):
        return ""
    for name in names:
        if bare.startswith(name):
            rest = bare[len(name) :].lstrip("*_`]」》")
            if re.match(r" [a-z(—–=-]", rest) or signs.has_unspaced(rest[:1]):
                return name
    return ""


def _weigh(text: str) -> tuple[int, int]:
    """Order facts: those without numbers first, then the longer ones."""
    return sum(map(str.isdigit, text)), -len(text)


def _list_places(name: str, every: Sequence[NamingSentence]) -> list[NamingSentence]:
    """Return the sentences that have a name; none for a word that stands without its capital more
    than by a slip.
    """
    plain = signs.has_unspaced(name)
    whole = re.compile(re.escape(name) if plain else rf"(?<!\w){re.escape(name)}(?!\w)")
    small = re.compile(rf"(?<!\w){re.escape(name.lower())}(?!\w)")
    places = [one for one in every if name in one.text and whole.search(one.text)]
    slips = 0 if plain else sum(bool(small.search(one.text)) for one in every)
    return places if name == name.lower() or slips * _SLIPS <= len(places) else []
