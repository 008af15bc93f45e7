"""What an approval would take away: bullets of core memory and facts of entities."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, facts, paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.trees import FileChange, Tree

BULLETS, FACTS = "bullets of core memory", "facts"
_LIKE = 0.75
"""What keeps more of the words of a bullet, and its numbers, says it still in other words. With
three of four words "the port is 5000" would say "the port is 4711"."""
_FEW = 3
"""Fewer lines that go are seen at a glance, however small the memory is, unless it is all."""


class Loss(Value):
    """What goes of one kind: how many there were, and the texts of those that nothing says now."""

    kind: str
    before: int
    gone: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part of all that goes, of 0 to 1."""
        return len(self.gone) / self.before if self.before else 0.0

    def exceeds(self, most: float) -> bool:
        """Whether that is more than a share of all."""
        return self.share > most and (len(self.gone) >= _FEW or len(self.gone) == self.before)


def measure_losses(before: Tree, after: Tree) -> tuple[Loss, ...]:
    """What of core memory and of all facts is in one tree, and nowhere in the other: what moved
    from one to the other, was said in other words, or was replaced by another fact is not lost.
    """
    changes = [one for one in trees.diff(before, after) if _tells(one)]
    if not changes:
        return ()
    old = {one.path: tuple(_list_beliefs(before, one.path)) for one in changes}
    said = [text for one in changes for text in _list_beliefs(after, one.path)]
    replaced = _list_replaced(after, changes)
    kept = _KeptBeliefs(said, replaced)
    gone = {path: tuple(one for one in every if not kept.has(one)) for path, every in old.items()}
    core = gone.pop(paths.CORE, ())
    facts_gone = tuple(one for every in gone.values() for one in every)
    found = []
    if core:
        found.append(Loss(BULLETS, len(old[paths.CORE]), core))
    if facts_gone:
        found.append(Loss(FACTS, _count_facts(before), facts_gone))
    return tuple(found)


def _tells(change: FileChange) -> bool:
    return paths.kind_of(change.path) in ("core", "entity")


def _list_beliefs(tree: Tree, path: str) -> Iterator[str]:
    """What a file says that is held to be true: bullets of core, facts of an entity."""
    text = trees.read_text(tree, path)
    every = bullets.core_bullets(text) if path == paths.CORE else bullets.bullets(text, "Facts")
    for one in every:
        if facts.holds(one.text):
            yield facts.strip_asides(one.text)


def _list_replaced(tree: Tree, changes: Iterable[FileChange]) -> Iterator[str]:
    """The facts that are struck through with what is true now beside them."""
    for change in changes:
        for one in bullets.bullets(trees.read_text(tree, change.path), "Facts"):
            _, struck, rest = one.text.partition("~~")
            old, closed, now = rest.partition("~~")
            if struck and closed and "; now: " in now:
                yield facts.strip_asides(old)


def _count_facts(tree: Tree) -> int:
    notes = [path for path in tree.entries() if paths.kind_of(path) == "entity"]
    tree.read_many(notes)
    return sum(1 for path in notes for _ in _list_beliefs(tree, path))


class _KeptBeliefs:
    """What is said afterwards."""

    def __init__(self, said: Iterable[str], replaced: Iterable[str]) -> None:
        self._same = {" ".join(one.split()) for one in replaced}
        self._by_word: dict[str, list[frozenset[str]]] = {}
        for words in frozenset(map(_list_words, said)):
            for word in words:
                self._by_word.setdefault(word, []).append(words)

    def has(self, text: str) -> bool:
        """Whether it says a text still, be it in other words."""
        words = _list_words(text)
        if not words or " ".join(text.split()) in self._same:
            return True
        shared: dict[frozenset[str], int] = {}
        for word in words:
            for one in self._by_word.get(word, ()):
                shared[one] = shared.get(one, 0) + 1
        numbers = {word for word in words if word.isdigit()}
        return any(many > _LIKE * len(words) and numbers <= one for one, many in shared.items())


def _list_words(text: str) -> frozenset[str]:
    """The words of a text, and each sign of a script that puts no spaces between them."""
    spread = "".join(
        char if char.isalnum() and char < "\u2e80" else f" {char} " if char.isalnum() else " "
        for char in text.casefold()
    )
    return frozenset(spread.split())
