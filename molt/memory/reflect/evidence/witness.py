"""What memories say, to look claims up in: by their words, numbers, dates and names."""

from __future__ import annotations

import re
from functools import cached_property

from molt import trees
from molt.formats import bullets, episodes, facts, ids, paths, scopes
from molt.formats.prose import notes
from molt.formats.reflections import quotes
from molt.memory.engines import gazetteer
from molt.memory.graph import graph, resolve
from molt.memory.reflect.evidence import borne, claims, crossings, dated, misquotes
from molt.memory.reflect.evidence.claims import ReadClaim, Vocabulary
from molt.memory.reflect.evidence.dated import KnownDays
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from molt.formats.episodes import Episode
    from molt.formats.reflections.quotes import TurnQuote
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.material.notebook import Notebook

_SHARE = 0.6
"""The share of a claim's words that its evidence must have: paraphrases of facts keep two of
three, inventions about the same thing rarely one of two."""
_CONCEPT = 0.6
"""The same of the name of a concept, which is not always said in the same words."""
_SOURCE = re.compile(r"\(source: ([^()]*)\)")
_SIGHT = re.compile(r"[\u3400-\u9fff]+")


class ProofTerms(Value):
    """How strictly a claim is held to its evidence: the share of its words that must be there, and
    up to which number it may count by itself.
    """

    share: float = _SHARE
    counts: int = 0


FACT = ProofTerms()


class Hearing(Value):
    """What some memories say, taken together."""

    words: Vocabulary
    days: KnownDays
    denies: bool
    texts: tuple[str, ...]


class Witness:
    """The memories of a material as evidence."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        self.graph = graph.load(material.tree)
        self._made: dict[str, frozenset[str]] = {}
        self._said: dict[tuple[str, ...], Hearing] = {}

    @cached_property
    def _notes(self) -> Notebook:
        return self.material.notebook

    @cached_property
    def _entries(self) -> dict[str, Episode]:
        """All episodes by id, and what was heard: a memory's text alone does not hold its tags and
        fields.
        """
        found = {one.id: one for one in self.material.fresh}
        for path in self.material.tree.entries():
            if paths.kind_of(path) == "episode":
                date = paths.date_of(path) or ""
                text = trees.read_text(self.material.tree, path)
                found.update((one.id, one) for one in episodes.parse(text, date))
        return found

    @cached_property
    def _quotes(self) -> Mapping[str, TurnQuote]:
        """What was said in conversations, as earlier reflections quote it."""
        every = (quotes.read_quotes(one.fields) for one in self.material.records)
        return {name: one for found in every for name, one in found.items()}

    @cached_property
    def _blocks(self) -> dict[str, str]:
        """The texts of whole blocks of core memory, by their ids."""
        found: dict[str, str] = {}
        for one in bullets.core_bullets(self.material.core):
            block = ids.core(one.block)
            # The title of a block says of what it is.
            found[block] = f"{found.get(block, f'{one.block}: ')}{one.text}\n"
        return found

    @cached_property
    def _selves(self) -> frozenset[str]:
        """Words of what core memory calls the user: who speaks is not named in what is said."""
        return frozenset(claims.Vocabulary([self._blocks.get(ids.core("Identity"), "")]).names)

    @cached_property
    def _everything(self) -> Vocabulary:
        return Vocabulary(
            [
                *(one.text for one in self.material.memories.values()),
                *(one.content for one in self.material.proposals),
                *(" ".join((one.text, *one.titles)) for one in self.material.notes.pieces),
                *(
                    " ".join((*one.tags, *map(" ".join, one.fields)))
                    for one in self._entries.values()
                ),
            ]
        )

    def knows(self, memory: str) -> bool:
        """Whether there is such a memory that is not forgotten."""
        memory = ids.complete_id(memory)
        if memory in self.material.memories or memory in self._blocks or memory in self._quotes:
            return True
        return self._notes.find(memory) is not None

    def tell_missing(self, memory: str) -> str:
        """Why there is no such memory."""
        if self._notes.has_file(ids.complete_id(memory)):
            return f"the note says this no longer, for it was edited since: {memory}"
        return f"there is no memory {memory}"

    def find_entity(self, name: str) -> str:
        """The known entity that a name means, or one made earlier in this plan; empty for none."""
        known = resolve.resolve_entity(self.graph, name.removeprefix("entity:")) or ""
        return known or next((key for key in self._made if _same_name(key, name)), "")

    def learn_entity(self, name: str) -> None:
        """Treat an entity as known from now on."""
        self._made[name] = _name_words(name)

    def names_entity(self, name: str, evidence: Iterable[str]) -> bool:
        """Whether evidence speaks of an entity, by its label or another name."""
        said = self._hear(tuple(evidence))
        return any(
            words and all(map(said.words.has_name, words))
            for words in (_name_words(form) for form in self._forms(name))
        ) or any(form in said.words.text for form in self._forms(name) if not form.isascii())

    def may_speak(self, name: str) -> bool:
        """Whether an entity may be the speaker of an episode, and so not be named in it."""
        stem = self.find_entity(name)
        return stem.startswith(("person--", "person:"))

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
            entry = self._entries.get(memory)
            known = self.material.memories.get(memory)
            if entry is not None:
                found.add(scopes.read_scope(entry.fields))
            elif memory.startswith(notes.PREFIX):
                found.add(self._notes.scope_of(memory))
            elif known is not None and not memory.startswith("core:"):
                found.add(scopes.read_note(known.text))
        return frozenset(found - {scopes.OPEN})

    def scope_of(self, name: str) -> str:
        """For whom alone an entity is; empty for everybody, and for one that is new."""
        known = self.material.memories.get(ids.entity(self.find_entity(name)))
        return scopes.read_note(known.text) if known else scopes.OPEN

    def _forms(self, name: str) -> tuple[str, ...]:
        stem = self.find_entity(name)
        entity = self.material.entities.get(stem)
        if entity is not None:
            return (entity.label, *entity.aliases)
        bare = name.removeprefix("entity:")
        label = bare.partition("--")[2] or bare.partition(":")[2] or bare
        return (label,)

    def _hear(self, evidence: tuple[str, ...]) -> Hearing:
        evidence = tuple(dict.fromkeys(map(ids.complete_id, evidence)))
        if evidence not in self._said:
            self._said[evidence] = self._listen(evidence)
        return self._said[evidence]

    def _listen(self, evidence: tuple[str, ...]) -> Hearing:
        texts: list[str] = []
        days = KnownDays()
        for memory in evidence:
            text, said = self._quote(memory)
            texts.append(text)
            days.add_text(text, said)
        return Hearing(Vocabulary(texts), days, claims.denies("\n".join(texts)), tuple(texts))

    def _quote(self, memory: str) -> tuple[str, str]:
        """What a memory says with all that it is filed under, and the day that it was said on."""
        entry = self._entries.get(memory)
        if entry is not None:
            filed = " ".join((*entry.tags, *map(" ".join, entry.fields)))
            return f"{entry.text}\n{filed}", entry.date
        piece = self._notes.find(memory)
        if piece is not None:
            # A list says by its headings of what it is.
            return "\n".join((piece.text, piece.lead, *piece.titles)), piece.date
        if memory in self._quotes:
            return self._quotes[memory].text, self._quotes[memory].date
        known = self.material.memories.get(memory)
        text = known.text if known else self._blocks.get(memory, "")
        return text, ""

    def find_lie(
        self,
        text: str,
        evidence: tuple[str, ...],
        *,
        about: str = "",
        terms: ProofTerms | None = None,
    ) -> str:
        """The part of a claim that its evidence does not have; empty if it has all of it. `about`
        is the entity that the claim is about, whose names it may use.
        """
        terms = terms or FACT
        said = self._hear(evidence)
        cited = self._find_cited(text, evidence)
        text = _SOURCE.sub(self._keep_source, claims.normalize(text))
        allowed = (
            {word for form in self._forms(about) for word in _name_words(form)} if about else set()
        )
        for form in self._forms(about) if about else ():
            text = text if form.isascii() else text.replace(form, " ")
        for one in dated.read_dates(text):
            if not said.days.bears(one):
                return f"the evidence does not say {text[one.start : one.end].strip()!r}"
        claim = claims.read_claim(dated.cut_dates(text))
        own = frozenset(map(str, range(terms.counts + 1))) if terms.counts else frozenset()
        wrong = sorted(claim.numbers - said.words.numbers - own) or sorted(
            claim.times - said.words.times
        )
        wrong = wrong or [
            name
            for name in sorted(claim.names)
            if name not in allowed and name not in self._selves and not said.words.has_name(name)
        ]
        if wrong:
            return f"the evidence does not say {wrong[0]!r}"
        if claims.denies(text) and not said.denies:
            return "the evidence denies nothing"
        wanted = claim.words - frozenset(map(claims.stem, allowed))
        missing = [word for word in sorted(wanted) if not said.words.has_word(word)]
        # An insight is what many memories show together.
        together = terms.share < FACT.share
        lacking = _judge_signs(claim, said.words, (len(wanted), missing), terms.share)
        subject = self._forms(about)[0] if about else ""
        subject = "" if subject.lower() in self._selves else subject
        texts = self._hear(cited).texts
        if not lacking and not together and not claim.runs:
            stated = claims.cut_words(borne.cut_stance(text, texts)) - claims.LIGHT
            if said.denies:
                stated -= claims.DENYING
            missing = [word for word in missing if word in stated and word not in misquotes.UNITS]
            lacking = f"the evidence does not say {missing[0].rstrip('*')!r}" if missing else ""
        lacking = lacking or misquotes.find_misquote(
            text, ("\n".join(texts),) if together else texts, subject
        )
        if lacking or together or any(crossings.quotes(text, one) for one in texts):
            return lacking
        return borne.find_unborne(text, texts, subject)

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
        said = self._hear(evidence)
        words = _name_words(self._forms(name)[0])
        if not words:
            return "it has no name"
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
        said = self._hear(evidence)
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
        known += [tag for one in self._entries.values() for tag in one.tags]
        return frozenset(map(str.casefold, known))

    def find_stranger(self, text: str, *, numbers: bool = True) -> str:
        """Somebody or something that a text names and no memory mentions; empty if there is
        none.
        """
        claim = claims.read_claim(dated.cut_dates(text))
        names = [name for name in sorted(claim.names) if not self._everything.has_name(name)]
        lost = sorted(claim.numbers - self._everything.numbers) if numbers else []
        wrong = names or lost
        return f"no memory speaks of {wrong[0]!r}" if wrong else ""


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


def _judge_signs(
    claim: ReadClaim, said: Vocabulary, spaced: tuple[int, list[str]], share: float
) -> str:
    """Why too little of a claim is in its evidence; empty where enough is. `spaced` is how many
    words with spaces between them it has, and which of them are missing; two signs count as one.
    """
    count, missing = spaced
    every, lacking = float(count), float(len(missing))
    for run in claim.runs:
        place = next(
            (one for one in gazetteer.PLACES_ZH if one in run and one not in said.text), ""
        )
        if place:
            return f"the evidence does not say {place!r}"
        signs, spans = said.split_run(run)
        every += len(signs) / 2
        lacking += claims.count_telling(spans) / 2
        missing += spans
        if name := next(filter(None, map(claims.find_surname, spans)), ""):
            return f"the evidence does not say {name!r}"
    if lacking <= every * (1 - share) + 1e-9:
        return ""
    return f"of its words the evidence lacks {', '.join(one.rstrip('*') for one in missing[:5])}"
