"""What memories say, to look claims up in: by their words, numbers, dates and names."""

from __future__ import annotations

import re
from functools import cached_property

from molt.formats import facts, ids, scopes
from molt.formats.prose import notes
from molt.memory.engines import gazetteer
from molt.memory.graph import graph, resolve
from molt.memory.reflect.evidence import (
    borne,
    claims,
    clauses_zh,
    crossings,
    dated,
    misquotes,
    passages,
    said_days,
    turns,
)
from molt.memory.reflect.evidence.claims import ReadClaim, Vocabulary
from molt.memory.reflect.evidence.dated import KnownDays
from molt.memory.reflect.evidence.listener import Listener
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.memory.reflect.evidence.passages import EvidencePassage
    from molt.memory.reflect.material.material import ReflectionMaterial

_SHARE = 0.6
"""The share of a claim's words that its evidence must have: paraphrases of facts keep two of
three, inventions about the same thing rarely one of two."""
_SIGNS = 0.7
"""The same of signs without spaces, of which a name alone may be more than half."""
_CONCEPT = 0.6
"""The same of the name of a concept, which is not always said in the same words."""
_SOURCE = re.compile(r"\(source: ([^()]*)\)")
_SIGHT = re.compile(r"[\u3400-\u9fff]+")


class TellableClaim(Value):
    """What may be told of a claim: it, or what its evidence says instead, with the memory that says
    that; nothing where no memory says anything like it. `wrong` is why it is not the claim itself.
    """

    text: str = ""
    memory: str = ""
    wrong: str = ""


class Witness:
    """The memories of a material as evidence."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        self.graph = graph.load(material.tree)
        self._made: dict[str, frozenset[str]] = {}
        self.heard = Listener(material)

    @cached_property
    def selves(self) -> frozenset[str]:
        """Words of what core memory calls the user: who speaks is not named in what is said."""
        return frozenset(claims.Vocabulary([self.heard.blocks.get(ids.core("Identity"), "")]).names)

    @cached_property
    def everything(self) -> Vocabulary:
        """The words of all memories, and of all that they are filed under."""
        return Vocabulary(
            [
                *(one.text for one in self.material.memories.values()),
                *(one.content for one in self.material.proposals),
                *(" ".join((one.text, *one.titles)) for one in self.material.notes.pieces),
                *(
                    " ".join((*one.tags, *map(" ".join, one.fields)))
                    for one in self.heard.entries.values()
                ),
            ]
        )

    def knows(self, memory: str) -> bool:
        """Whether there is such a memory that is not forgotten."""
        memory = ids.complete_id(memory)
        if (
            memory in self.material.memories
            or memory in self.heard.blocks
            or memory in self.heard.quotes
        ):
            return True
        return self.heard.notes.find(memory) is not None

    def tell_missing(self, memory: str) -> str:
        """Why there is no such memory."""
        if self.heard.notes.has_file(ids.complete_id(memory)):
            return f"the note says this no longer, for it was edited since: {memory}"
        return f"there is no memory {memory}"

    def find_entity(self, name: str) -> str:
        """The known entity that a name means, or one made earlier in this plan; empty for none."""
        known = resolve.resolve_entity(self.graph, name.removeprefix("entity:")) or ""
        return known or next((key for key in self._made if _same_name(key, name)), "")

    def learn_entity(self, name: str) -> None:
        """Treat an entity as known from now on."""
        self._made[name] = _name_words(name)

    def has_fact(self, name: str, fact: str) -> bool:
        """Whether a known entity has a fact that holds."""
        stem = self.find_entity(name)
        entity = self.material.entities.get(stem)
        if entity is None:
            return False
        wanted = facts.strip_asides(" ".join(fact.split())).casefold()
        every = (facts.strip_asides(" ".join(one.split())).casefold() for one in entity.facts)
        return wanted in every

    def find_scopes(self, evidence: Iterable[str]) -> frozenset[str]:
        """For whom alone some memories are, of those that are not for everybody."""
        found: set[str] = set()
        for memory in map(ids.complete_id, evidence):
            entry = self.heard.entries.get(memory)
            known = self.material.memories.get(memory)
            if entry is not None:
                found.add(scopes.read_scope(entry.fields))
            elif memory.startswith(notes.PREFIX):
                found.add(self.heard.notes.scope_of(memory))
            elif known is not None and not memory.startswith("core:"):
                found.add(scopes.read_note(known.text))
        return frozenset(found - {scopes.OPEN})

    def find_outside(self, evidence: Iterable[str]) -> str:
        """The class of outside that some memories are from, if that holds of each: a tool, a page
        or a sub-agent. What a person imports may be their own words.
        """
        found = [self.material.memories.get(memory) for memory in map(ids.complete_id, evidence)]
        kinds = [one.outside if one else "" for one in found]
        return kinds[0] if kinds and "" not in kinds and "import" not in kinds else ""

    def scope_of(self, name: str) -> str:
        """For whom alone an entity is; empty for everybody, and for one that is new."""
        known = self.material.memories.get(ids.entity(self.find_entity(name)))
        return scopes.read_note(known.text) if known else scopes.OPEN

    def list_forms(self, name: str) -> tuple[str, ...]:
        """What an entity is called: its label and other names, first the label."""
        stem = self.find_entity(name)
        entity = self.material.entities.get(stem)
        if entity is not None:
            return (entity.label, *entity.aliases)
        bare = name.removeprefix("entity:")
        label = bare.partition("--")[2] or bare.partition(":")[2] or bare
        return (label,)

    def is_user(self, name: str) -> bool:
        """Whether an entity is who speaks where nobody is named."""
        return _name_words(name) <= clauses_zh.SELVES | self.selves

    def list_passages(self, evidence: Iterable[str]) -> tuple[EvidencePassage, ...]:
        """The sentences of some memories, of whomever they are."""
        return passages.list_passages(self.heard, tuple(map(ids.complete_id, evidence)), ())

    def find_lie(self, text: str, evidence: tuple[str, ...], *, about: str = "") -> str:
        """The part of a claim that its evidence does not have; empty if it has all of it. `about`
        is the entity that the claim is about, whose names it may use.
        """
        cited = self._find_cited(text, evidence)
        text = _SOURCE.sub(self._keep_source, claims.normalize(text))
        for form in self.list_forms(about) if about else ():
            text = text if form.isascii() else text.replace(form, " ")
        if wrong := self._find_unsaid(text, evidence, about):
            return wrong
        heard = self.heard.hear(cited)
        subject = self.list_forms(about)[0] if about else ""
        subject = "" if subject.lower() in self.selves else subject
        if wrong := misquotes.find_misquote(text, heard.texts, subject):
            return wrong
        if wrong := said_days.find_other_day(text, heard.texts, heard.dates):
            return wrong
        if any(crossings.quotes(text, one) for one in heard.texts):
            return ""
        divided = self._find_divided(text, cited, about) if _SIGHT.search(text) else ""
        return divided or borne.find_unborne(text, heard.texts, subject, heard.before)

    def find_mistitled(self, title: str, evidence: tuple[str, ...]) -> str:
        """What of a title is not in its evidence, of which it is no sentence: a name, a number or a
        day, or all of its words; empty for nothing.
        """
        said = self.heard.hear(evidence)
        if wrong := self.find_new(title, evidence):
            return wrong
        words = sorted(claims.cut_words(title))
        if words and not any(map(said.words.has_word, words)):
            return f"the evidence does not say {words[0].rstrip('*')!r}"
        return misquotes.find_misquote(title, ("\n".join(said.texts),))

    def find_words(self, text: str, evidence: tuple[str, ...], *, about: str = "") -> TellableClaim:
        """What may be told of a claim about an entity: the claim itself where its evidence says it
        in these words, else the sentence that it comes from.
        """
        wrong = self.find_lie(text, evidence, about=about)
        forms = self.list_forms(about) if about else ()
        if self.is_user(about):
            forms = ()
        cited = tuple(map(ids.complete_id, self._find_cited(text, evidence)))
        bare = _SOURCE.sub(self._keep_source, claims.normalize(text)).strip()
        said = passages.list_passages(self.heard, cited, forms)
        wrong = wrong or passages.find_doubt(bare, said, forms)
        if not wrong:
            return TellableClaim(text)
        told, memory = ("", "")
        if not self.find_new(bare, cited, about=about):
            told, memory = passages.quote_nearest(bare, said)
        return TellableClaim(told, memory, wrong)

    def find_new(self, text: str, evidence: Iterable[str], *, about: str = "") -> str:
        """A day, a number or a name of a text that its evidence does not have; empty for none."""
        said = self.heard.hear(tuple(evidence))
        for one in dated.read_dates(text):
            if not said.days.bears(one):
                return f"the evidence does not say {text[one.start : one.end].strip()!r}"
        claim = claims.read_claim(dated.cut_dates(text))
        names = claim.names - self._list_allowed(about) - self.selves
        wrong = (
            sorted(claim.numbers - said.words.numbers)
            or sorted(claim.times - said.words.times)
            or [name for name in sorted(names) if not said.words.has_name(name)]
        )
        for run in claim.runs:
            wrong = wrong or _list_new(run, said.words)
        return f"the evidence does not say {wrong[0]!r}" if wrong else ""

    def _list_allowed(self, about: str) -> frozenset[str]:
        """The words of what an entity is called: a claim about it may use them."""
        forms = self.list_forms(about) if about else ()
        return frozenset(word for form in forms for word in _name_words(form))

    def _find_unsaid(self, text: str, evidence: tuple[str, ...], about: str) -> str:
        """What of a claim no memory has: a day, a number, a name, or too many of its words."""
        if wrong := self.find_new(text, evidence, about=about):
            return wrong
        said = self.heard.hear(evidence)
        claim = claims.read_claim(dated.cut_dates(text))
        if claims.denies(text) and not said.denies:
            return "the evidence denies nothing"
        allowed = self._list_allowed(about)
        wanted = claim.words - frozenset(map(claims.stem, allowed))
        missing = [word for word in sorted(wanted) if not said.words.has_word(word)]
        share = _SIGNS if claim.runs else _SHARE
        wrong_words = _judge_signs(claim, said.words, (len(wanted), missing), share)
        if wrong_words or claim.runs:
            return wrong_words
        stated = claims.cut_words(borne.cut_stance(text, said.texts)) - claims.LIGHT
        stated -= claims.DENYING if said.denies else frozenset()
        missing = [word for word in missing if word in stated and word not in misquotes.UNITS]
        return f"the evidence does not say {missing[0].rstrip('*')!r}" if missing else ""

    def _find_divided(self, text: str, evidence: tuple[str, ...], about: str) -> str:
        """What of a claim in Chinese no memory says by itself, of those that name its subject where
        some do.
        """
        forms = [form for form in self.list_forms(about) if about and not form.isascii()]
        subject = self.list_forms(about)[0] if about else ""
        said = {memory: self.heard.quote(memory)[0] for memory in evidence}
        named = [memory for memory in said if any(form in said[memory] for form in forms)]
        for part in filter(str.strip, clauses_zh.PARTS.split(text)):
            wrong = ""
            for memory in named or evidence:
                wrong = self.find_lie(part, (memory,), about=about) if len(evidence) > 1 else ""
                wrong = wrong or clauses_zh.find_unborne(part, said[memory], subject)
                if not wrong:
                    break
            if wrong:
                return wrong
        return ""

    def _find_cited(self, text: str, evidence: tuple[str, ...]) -> tuple[str, ...]:
        """Of some memories those that a claim names as its sources; all where it names none."""
        found = _SOURCE.search(text)
        named = (
            {ids.complete_id(part.strip()) for part in found.group(1).split(",")} if found else ()
        )
        return tuple(one for one in evidence if ids.complete_id(one) in named) or evidence

    def _keep_source(self, found: re.Match[str]) -> str:
        """Nothing for a bracket that names memories which there are; else the bracket."""
        named = (part.strip() for part in found.group(1).split(","))
        return "" if all(map(self.knows, named)) else found.group()

    def find_misnomer(self, name: str, evidence: tuple[str, ...]) -> str:
        """Why evidence does not speak of a new entity; empty where it does."""
        said = self.heard.hear(evidence)
        words = _name_words(self.list_forms(name)[0])
        if not words:
            return "it has no name"
        if words <= clauses_zh.SELVES and any(map(turns.speaks_unnamed, said.texts)):
            return ""
        missing = [word for word in sorted(words) if not said.words.has_name(word)]
        if missing and said.words.text:
            # In Chinese no space parts a Latin name from what stands around it; and of a brand that
            # ends in 的 and the 的 that joins, a name has one.
            text = said.words.text.lower().replace("的的", "的")
            missing = [word for word in missing if not _stands_in(word, text)]
        most = len(words) * (1 - _CONCEPT) if name.startswith("concept") else 0
        return f"the evidence does not name {missing[0]!r}" if len(missing) > most else ""

    def choose_tags(self, tags: Iterable[str], evidence: tuple[str, ...]) -> list[str]:
        """Of some tags those that are in use, or whose words are in the evidence."""
        said = self.heard.hear(evidence)
        return [
            tag
            for tag in tags
            if tag.casefold() in self._tags
            or all(said.words.has_word(word) for word in claims.cut_words(tag.replace("-", " ")))
        ]

    @cached_property
    def _tags(self) -> frozenset[str]:
        """All tags in use."""
        known = [tag for one in self.material.entities.values() for tag in one.tags]
        known += [tag for one in self.heard.entries.values() for tag in one.tags]
        return frozenset(map(str.casefold, known))

    def find_stranger(self, text: str, *, numbers: bool = True) -> str:
        """Somebody or something that a text names and no memory mentions; empty if there is
        none.
        """
        claim = claims.read_claim(dated.cut_dates(text))
        names = [name for name in sorted(claim.names) if not self.everything.has_name(name)]
        lost = sorted(claim.numbers - self.everything.numbers) if numbers else []
        wrong = names or lost
        return f"no memory speaks of {wrong[0]!r}" if wrong else ""

    def find_strange_day(self, text: str) -> str:
        """A date that a text writes out and no memory has; empty if there is none."""
        for one in dated.read_dates(text):
            if not self._days.bears(one):
                return f"no memory is of {text[one.start : one.end].strip()!r}"
        return ""

    @cached_property
    def _days(self) -> KnownDays:
        """The days of all memories."""
        days = KnownDays()
        for memory in self.material.memories:
            days.add_text(*self.heard.quote(memory))
        return days

    def list_texts(self) -> Iterator[str]:
        """The texts of all memories."""
        return (one.text for one in self.material.memories.values())


def _stands_in(word: str, text: str) -> bool:
    """Whether a text has a word that no Latin letter or digit goes on with."""
    if _SIGHT.search(word):
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None


def _name_words(name: str) -> frozenset[str]:
    bare = claims.normalize(name).removeprefix("entity:")
    label = bare.partition("--")[2] or bare.partition(":")[2] or bare
    words = "".join(char if char.isalnum() else " " for char in label.lower()).split()
    return frozenset(word for word in words if word not in claims.STOP) or frozenset(words)


def _same_name(one: str, other: str) -> bool:
    """Whether two names of new entities mean the same: by label, whatever the type's mark."""
    return _name_words(one) == _name_words(other)


def _list_new(run: str, said: Vocabulary) -> list[str]:
    """The places and people that signs without spaces name and evidence does not."""
    places = [one for one in gazetteer.PLACES_ZH if one in run and one not in said.text]
    return places or [*filter(None, map(claims.find_surname, said.split_run(run)[1]))]


def _judge_signs(
    claim: ReadClaim, said: Vocabulary, spaced: tuple[int, list[str]], share: float
) -> str:
    """Why too little of a claim is in its evidence; empty where enough is. `spaced` is how many
    words with spaces between them it has, and which of them are missing; two signs count as one.
    """
    count, missing = spaced
    every, lacking = float(count), float(len(missing))
    for run in claim.runs:
        signs, spans = said.split_run(run)
        every += len(signs) / 2
        lacking += claims.count_telling(spans) / 2
        missing += spans
    if lacking <= every * (1 - share) + 1e-9:
        return ""
    return (
        f"of its words the evidence lacks {', '.join(repr(one.rstrip('*')) for one in missing[:5])}"
    )
