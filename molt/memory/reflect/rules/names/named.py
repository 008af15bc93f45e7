"""The things that the episodes of a reflection name, each once, with what speaks for it."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from molt.formats import facts, ids
from molt.memory.engines import rules as routing
from molt.memory.graph import resolve
from molt.memory.reflect.rules.names import names_en, names_zh, relatives_en, things_en
from molt.memory.reflect.rules.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from molt.formats.entity import Entity
    from molt.memory.reflect.rules.names.mentions import Mention
    from molt.memory.reflect.rules.spoken import SpokenWords, Statement

_FORMED = 2
"""As `names_en` grades it: a name of two words, or spelled as no common word is."""
_OFTEN = 3
"""Episodes in which a word stands with a capital, and never without, until it is a name though
nothing beside it says so."""
_SHORT_FORM = 3
"""Letters that a name and its short form share at their begin: `Ben`, `Benjamin`."""


class EntityNames:
    """The names of the entities that there are."""

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self.entities = entities
        self._stems: dict[str, str] = {}
        for stem, one in entities.items():
            for name in (*one.aliases, one.label):
                self._stems.setdefault(fold_name(things_en.make_singular(name)), stem)
                self._stems[fold_name(name)] = stem

    def find_stem(self, name: str) -> str:
        """The stem of the entity that is called so; empty for none."""
        return self._stems.get(fold_name(name), "")

    def has_put_right(self, memory: str) -> bool:
        """Whether what a memory says took the place of a fact, which says so: then its entity has
        what is new in it, and the others had what was wrong.
        """
        return any(f"(source: {memory})" in fact for fact in self._struck)

    @cached_property
    def _struck(self) -> list[str]:
        every = (fact for one in self.entities.values() for fact in one.facts)
        return [fact for fact in every if not facts.holds(fact)]

    @cached_property
    def things(self) -> list[tuple[str, str]]:
        """The labels of what has a name in plain words, and their stems."""
        return [(one.label, stem) for stem, one in self.entities.items() if " " in one.label]


def fold_name(name: str) -> str:
    """A name such that two ways of writing it are the same."""
    return ids.slug(name.replace("+", " ")).removeprefix("the-")


class NamedThing:
    """A thing that sentences name: the label that most of them give it, and all of them."""

    def __init__(self, label: str, stem: str) -> None:
        self.label = label
        self.stem = stem
        self.mentions: list[Mention] = []
        self.aliases: dict[str, str] = {}
        self.spoken = False
        self.heard: tuple[str, ...] = ()

    @property
    def sure(self) -> int:
        """The best that a sentence says for it."""
        return max((one.sure for one in self.mentions), default=0)

    @property
    def kind(self) -> str:
        """What most sentences take it for."""
        votes = Counter(one.kind for one in self.mentions if one.kind)
        return votes.most_common(1)[0][0] if votes else ""

    @property
    def memories(self) -> tuple[str, ...]:
        """The episodes that name it, in order."""
        return tuple(dict.fromkeys(one.statement.memory for one in self.mentions))


class NamedThings:
    """Collects what sentences name."""

    def __init__(self, known: EntityNames, vocabulary: SpokenWords) -> None:
        self.known = known
        self.vocabulary = vocabulary
        self.found: dict[str, NamedThing] = {}
        self._heads: dict[str, list[tuple[frozenset[str], str]]] = {}
        for label, stem in known.things:
            self._remember_thing(label, stem or label)

    def collect(self, statements: Sequence[Statement]) -> None:
        """Read all sentences; first the names, then those who are called by a short form or named
        by whose they are, for both may have a name.
        """
        later: list[Mention] = []
        for one in statements:
            for mention in _read_mentions(one, self.vocabulary):
                if mention.called or mention.relative:
                    later.append(mention)
                else:
                    self._add(mention)
        for mention in later:
            if mention.called:
                self._add_called(mention)
            else:
                self._add_relative(mention)

    def _add(self, one: Mention) -> None:
        thing = one.label.islower() or things_en.find_head(one.label.split()[-1].lower()) != ""
        label = self._find_thing(one.label) if thing else one.label
        candidate = self._take(label)
        candidate.mentions.append(one)
        if one.alias:
            candidate.aliases.setdefault(one.alias, one.statement.memory)

    def _add_relative(self, one: Mention) -> None:
        """One named by whose they are: by that, by another word for it, or with a name besides."""
        forms = relatives_en.list_forms(one.label)
        named = (each for each in self.found.values() if not each.aliases.keys().isdisjoint(forms))
        known = (
            form for form in forms if fold_name(form) in self.found or self.known.find_stem(form)
        )
        candidate = next(named, None) or self._take(next(known, one.label))
        candidate.mentions.append(one)
        if one.label != candidate.label:
            candidate.aliases.setdefault(one.label, one.statement.memory)

    def _take(self, label: str) -> NamedThing:
        key = fold_name(label)
        if key not in self.found and (known := self._find_singular(label)):
            return self.found[known]
        if key not in self.found:
            self.found[key] = NamedThing(label, self.known.find_stem(label))
        return self.found[key]

    def _find_singular(self, label: str) -> str:
        """The key of what is named already in the singular; empty for nothing."""
        key = fold_name(label).removesuffix("s")
        return key if label.endswith("s") and key in self.found else ""

    def _find_thing(self, label: str) -> str:
        """The label of a thing that is meant with other words: `LGBTQ+ pride parade` and `pride
        parade` are one.
        """
        *before, head = _list_words(label)
        wanted = frozenset(before)
        for words, other in self._heads.get(head, ()):
            if words <= wanted or wanted <= words:
                return other
        if before:
            self._remember_thing(label, label)
        return label

    def _remember_thing(self, label: str, name: str) -> None:
        *before, head = _list_words(label)
        known = self.known.entities.get(name)
        self._heads.setdefault(head, []).append((frozenset(before), known.label if known else name))

    def _add_called(self, one: Mention) -> None:
        """A name by which one speaker calls another: it is theirs, or a short form of it."""
        names = [name for name in self.vocabulary.speakers if name != one.statement.speaker]
        if one.label in self.vocabulary.speakers:
            return
        low = one.label.lower()
        fit = [
            name
            for name in names
            if len(low) >= _SHORT_FORM
            and name.lower() != low
            and (name.lower().startswith(low) or low.startswith(name.lower()[:_SHORT_FORM]))
            and abs(len(name) - len(low)) <= len(name)
        ]
        if len(fit) == 1 and fold_name(one.label) not in self.found:
            self._take(fit[0]).aliases.setdefault(one.label, one.statement.memory)
        elif not fit and fold_name(one.label) in self.found:
            self._add(one)

    def add_speakers(self, statements: Sequence[Statement]) -> None:
        """Those who speak are people, also where nobody names them."""
        for one in statements:
            if one.speaker:
                candidate = self._take(one.speaker)
                candidate.spoken = True
                candidate.heard = candidate.heard or (one.memory,)

    def list_sure(self) -> Iterator[NamedThing]:
        """Those that name something for sure: who speaks, what is known already, what words beside
        it say, what has a name of two words, or is named often and never in small letters.
        """
        for one in self.found.values():
            if one.stem or one.spoken or self._is_sure(one):
                yield one

    def _is_sure(self, one: NamedThing) -> bool:
        if not one.mentions:
            return False
        if one.sure >= _FORMED:
            return True
        label = one.label
        if not label.isascii():
            often = len(self.vocabulary.list_holding(label))
            return often >= _OFTEN
        forms = (label, f"{label}s") if label.islower() else (label,)
        often = len({memory for form in forms for memory in self.vocabulary.list_naming(form)})
        if label.islower() or one.kind in ("event", "organization", "project"):
            return often >= 2
        parts = label.split()
        if len(parts) > 1:
            return one.sure > 0
        # In notes any word may stand with a capital; who talks gives them to names.
        told = any(each.sure and each.statement.speaker for each in one.mentions)
        return not self.vocabulary.is_plain(label.lower()) and (
            told or (one.sure > 0 and often > 1)
        )


def _list_words(label: str) -> list[str]:
    return things_en.make_singular(label.lower().replace("+", "")).split()


def _read_mentions(one: Statement, vocabulary: SpokenWords) -> Iterable[Mention]:
    if routing.is_chinese(one.text):
        return names_zh.find_names(one)
    words = split_words(one.text)
    names = names_en.find_names(one, words, vocabulary)
    things = things_en.find_things(one, words)
    return (*names, *things, *relatives_en.find_relatives(one, words))


def find_double(label: str, kind: str, known: EntityNames) -> tuple[float, str]:
    """How alike the most alike name of an entity is to a new one, from 0 to 1, and its stem.
    What belongs to somebody is like nothing else: `Ann's son` is neither Ann nor her brother.
    """
    best = (0.0, "")
    if "'s " in label:
        return best
    head = label[:1].casefold()
    for stem, one in known.entities.items():
        if kind and one.type != kind:
            continue
        for name in (one.label, *one.aliases):
            if name[:1].casefold() == head:
                best = max(best, (resolve.compare_names(label, name, kind), stem))
    return best
