"""What commits of a range took out of memory that is from outside, for it may come back."""

from __future__ import annotations

from molt.policy import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from molt.policy.quotes import Quotable
    from molt.trees import Tree


class GoneTexts:
    """What is gone by each commit of a range, of which the parents are known; read when asked."""

    def __init__(
        self, parents: Mapping[str, Sequence[str]], read_tree: Callable[[str], Tree]
    ) -> None:
        self._parents, self._read_tree = parents, read_tree
        self._known: dict[str, tuple[Quotable, ...]] = {}

    def list_before(self, oid: str) -> Iterator[Quotable]:
        """What is gone before a commit, by those of its range on its line of first parents."""
        at = next(iter(self._parents[oid]), "")
        while before := next(iter(self._parents.get(at, ())), ""):
            if at not in self._known:
                gone = outside.list_gone(self._read_tree(before), self._read_tree(at))
                self._known[at] = tuple(gone)
            yield from self._known[at]
            at = before
