"""What memories say, with all that they are filed under, and when it was said."""

from __future__ import annotations

from functools import cached_property

from molt import trees
from molt.formats import bullets, episodes, ids, paths
from molt.formats.reflections import quotes
from molt.memory.reflect.evidence import claims
from molt.memory.reflect.evidence.claims import Vocabulary
from molt.memory.reflect.evidence.dated import KnownDays
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.formats.episodes import Episode
    from molt.formats.reflections.quotes import TurnQuote
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.material.notebook import Notebook


class Hearing(Value):
    """What some memories say, taken together; also each text, the day on which it was said, and
    the place of the one that was said right before it (-1 for none).
    """

    words: Vocabulary
    days: KnownDays
    denies: bool
    texts: tuple[str, ...]
    dates: tuple[str, ...]
    before: tuple[int, ...]


class Listener:
    """Reads the memories of a material, those that are cited together at once."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        self._said: dict[tuple[str, ...], Hearing] = {}

    @cached_property
    def notes(self) -> Notebook:
        return self.material.notebook

    @cached_property
    def entries(self) -> dict[str, Episode]:
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
    def quotes(self) -> Mapping[str, TurnQuote]:
        """What was said in conversations, as earlier reflections quote it."""
        every = (quotes.read_quotes(one.fields) for one in self.material.records)
        return {name: one for found in every for name, one in found.items()}

    @cached_property
    def blocks(self) -> dict[str, str]:
        """The texts of whole blocks of core memory, by their ids."""
        found: dict[str, str] = {}
        for one in bullets.core_bullets(self.material.core):
            block = ids.core(one.block)
            # The title of a block says of what it is.
            found[block] = f"{found.get(block, f'{one.block}: ')}{one.text}\n"
        return found

    def hear(self, evidence: tuple[str, ...]) -> Hearing:
        """What some memories say, in their order, each once."""
        evidence = tuple(dict.fromkeys(map(ids.complete_id, evidence)))
        if evidence not in self._said:
            self._said[evidence] = self._listen(evidence)
        return self._said[evidence]

    def _listen(self, evidence: tuple[str, ...]) -> Hearing:
        every = [self.quote(memory) for memory in evidence]
        days = KnownDays()
        for text, said in every:
            days.add_text(text, said)
        texts = tuple(text for text, _ in every)
        before = tuple(self._find_before(memory, evidence) for memory in evidence)
        denies = claims.denies("\n".join(texts))
        return Hearing(
            Vocabulary(texts), days, denies, texts, tuple(day for _, day in every), before
        )

    def _find_before(self, memory: str, evidence: tuple[str, ...]) -> int:
        """The place in some evidence of the episode right before another one, of the same day; -1
        for none.
        """
        at = self._order.get(memory, 0)
        last = self._places[at - 1] if at else ""
        near = last in evidence and last.split(":")[1] == memory.split(":")[1]
        return evidence.index(last) if near else -1

    @cached_property
    def _places(self) -> list[str]:
        """The episodes in the order in which they were."""
        return sorted(self.entries)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {memory: at for at, memory in enumerate(self._places)}

    def quote(self, memory: str) -> tuple[str, str]:
        """What a memory says with all that it is filed under, and the day that it was said on."""
        entry = self.entries.get(memory)
        if entry is not None:
            filed = " ".join((*entry.tags, *map(" ".join, entry.fields)))
            return f"{entry.text}\n{filed}", entry.date
        piece = self.notes.find(memory)
        if piece is not None:
            # A list says by its headings of what it is.
            return "\n".join((piece.text, piece.lead, *piece.titles)), piece.date
        if memory in self.quotes:
            return self.quotes[memory].text, self.quotes[memory].date
        known = self.material.memories.get(memory)
        text = known.text if known else self.blocks.get(memory, "")
        return text, ""
