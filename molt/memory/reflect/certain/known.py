"""The material of a reflection, with what is looked up in it."""

from __future__ import annotations

from functools import cached_property

from molt import tokens, trees
from molt.formats import bullets, episodes, ids, paths
from molt.formats import origin as origins
from molt.formats.reflections import plan, record
from molt.memory.reflect.certain import slots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.episodes import Episode
    from molt.memory.reflect.material.material import ReflectionMaterial

_SAME = 0.8
"""The share of its words in another text from which on a text is in it already."""


class KnownThings:
    """The material, with what is looked up in it."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        entities = material.entities.items()
        names = {name: stem for stem, one in entities for name in (*one.aliases, one.label)}
        self.labels = tuple(names)
        self.stems = {ids.slug(name): stem for name, stem in names.items()}
        self.bullets = bullets.core_bullets(material.core)
        items = (item for one in material.records for item in one.items if item.op in plan.ASKS)
        self.asked = tuple(
            plan.describe_operation(one) for one in map(plan.from_item, items) if one
        )

    @cached_property
    def fresh(self) -> tuple[Episode, ...]:
        """The new entries of this agent's own: no turns, no answers, nothing from outside."""
        return tuple(
            one
            for one in self.material.fresh
            if not one.named and not find_answered(one) and not origins.read_entry_class(one)
        )

    def find_entry(self, memory: str) -> Episode | None:
        """Return the entry of an id; None for another memory."""
        kind, _, stamp = memory.partition(":")
        if kind != "episode":
            return None
        date = stamp[:10]
        text = trees.read_text(self.material.tree, f"{paths.EPISODES}{date}.md")
        return next((one for one in episodes.parse(text, date) if one.id == memory), None)

    def find_subject(self, text: str) -> str:
        """Return the stem of the entity with whose name a text begins; empty for none."""
        said = text.lstrip("*_`[ ").split()[:4]
        for count in range(len(said), 0, -1):
            name = " ".join(said[:count]).strip("*_`[]:：,.—–-").removesuffix("'s")
            if stem := self.stems.get(ids.slug(name)):
                return stem
        return ""

    def count_core(self) -> int:
        """Return the tokens of core memory; 0 where it is far from its cap."""
        core, config = self.material.core, self.material.config
        if 2 * len(core.encode()) <= config.core_cap:
            return 0
        return tokens.count_tokens(core, config.core_encoding)

    def has_text(self, text: str) -> bool:
        """Whether a bullet, or a fact of the entity that a text is of, has most of its words."""
        said = fold_words(text)
        entity = self.material.entities.get(self.find_subject(text))
        every = (*(one.text for one in self.bullets), *(entity.facts if entity else ()))
        return any(len(said & fold_words(one)) >= _SAME * len(said) for one in every)


def fold_words(text: str) -> frozenset[str]:
    """Return the words of a text, the same for two ways of writing it."""
    return frozenset(slots.list_parts(text))


def find_answered(one: Episode) -> str:
    """Return the question that an entry answers (`r-003#4`); empty for none."""
    return next((value for key, value in one.fields if key == record.ANSWERS), "")
