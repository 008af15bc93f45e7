"""How many memories have which status, kept by the clone so that a hundred thousand need not be
read to be counted.

A score only falls until the memory is used again, so each memory has three seconds at which it
ceases to be active, fading and dormant. Of each store these are kept, sorted, for the tree of a
commit; another commit takes out and adds those of the files that it has otherwise.
"""

from __future__ import annotations

from array import array

from molt.formats import paths
from molt.memory import inventory
from molt.memory.decay.formula import STATES
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from molt.formats.origin import Origin
    from molt.memory.decay.scores import Scores
    from molt.repo.objects import GitTree
    from molt.repo.repository import Repo
    from molt.trees import Tree

_KEPT = "tally"
_FORM = "tally 1"
_ENDS = len(STATES) - 1
# Files that two trees have otherwise of which all are read rather than counted again.
_MANY = 200


class TallyMark(Value):
    """What a tally is of: a git tree, and all else that the ends of a state are computed from."""

    tree: str
    facts: str

    @property
    def line(self) -> str:
        return f"{_FORM}\t{self.tree}\t{self.facts}\n"


class Tally:
    """The seconds at which memories leave each state but the last, sorted, by store."""

    def __init__(self) -> None:
        self._ends = {name: [array("d") for _ in range(_ENDS)] for name in paths.STORE_NAMES}

    def add_file(self, tree: Tree, path: str, scores: Scores) -> None:
        """Count the memories that a tree has in a file."""
        for memory, origin in inventory.list_file(tree, path):
            self.add(memory, scores.ends(memory, origin))

    def drop_file(self, tree: Tree, path: str, scores: Scores) -> None:
        """Count them no more. Raises LookupError where they were not counted like this."""
        for memory, origin in inventory.list_file(tree, path):
            self.drop(memory, scores.ends(memory, origin))

    def add(self, memory: str, ends: Iterable[float]) -> None:
        """Count one memory."""
        from bisect import bisect_left

        for one, end in zip(self._of(memory), ends, strict=True):
            one.insert(bisect_left(one, end), end)

    def drop(self, memory: str, ends: Iterable[float]) -> None:
        """Count one no more. Raises LookupError where none is counted like this."""
        from bisect import bisect_left

        for one, end in zip(self._of(memory), ends, strict=True):
            at = bisect_left(one, end)
            if one[at] != end:
                raise LookupError(memory)
            del one[at]

    def fill(self, every: Iterable[tuple[str, tuple[float, ...]]]) -> None:
        """Count many memories, of which nothing was counted yet."""
        rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in self._ends}
        for memory, ends in every:
            rows[_find_store(memory)].append(ends)
        for name, some in rows.items():
            self._ends[name] = [array("d", sorted(one[at] for one in some)) for at in range(_ENDS)]

    def count(self, now: float) -> dict[str, dict[str, int]]:
        """How many memories of each store have which status at a second; states of none are out."""
        from bisect import bisect_left

        counts: dict[str, dict[str, int]] = {}
        for name, ends in self._ends.items():
            left = [len(ends[0]), *(bisect_left(one, now) for one in ends), 0]
            found = zip(STATES, left, left[1:], strict=False)
            counts[name] = {state: more - less for state, more, less in found if more > less}
        return counts

    def _of(self, memory: str) -> list[array[float]]:
        return self._ends[_find_store(memory)]

    def dump(self) -> bytes:
        """All of it as bytes, for `load`."""
        sizes = " ".join(str(len(ends[0])) for ends in self._ends.values())
        rows = (one.tobytes() for ends in self._ends.values() for one in ends)
        return sizes.encode() + b"\n" + b"".join(rows)

    def load(self, data: bytes) -> None:
        """What `dump` gave. Raises ValueError for what it did not."""
        head, _, rest = data.partition(b"\n")
        at = 0
        for ends, size in zip(self._ends.values(), map(int, head.split()), strict=True):
            for one in ends:
                one.frombytes(rest[at : at + 8 * size])
                at += 8 * size
        if at != len(rest):
            raise ValueError("a tally of another size")


def _find_store(memory: str) -> str:
    return paths.STORE_OF_KIND[memory.partition(":")[0]].name


def freshen_tally(
    repo: Repo,
    tree: GitTree,
    facts: str,
    scores: Scores,
    indexed: Callable[[], Mapping[str, Origin]],
) -> Tally:
    """The tally of a commit's tree, made from that of an earlier one where there is one of the
    same `facts`; `scores` are those of the tree, and `indexed` gives notes that need not be read.
    """
    mark = TallyMark(repo.reader.tree_id(tree.rev or "") or "", facts)
    tally = _follow(repo, mark, tree, scores)
    if tally is None:
        tally = Tally()
        every = inventory.list_origins(tree, indexed())
        tally.fill((memory, scores.ends(memory, origin)) for memory, origin in every)
        repo.cache[_KEPT] = mark.line.encode() + tally.dump()
    return tally


def _follow(repo: Repo, mark: TallyMark, tree: GitTree, scores: Scores) -> Tally | None:
    """The tally that is kept, brought up to a tree; None where it has to be made anew."""
    head, _, data = (repo.cache.get(_KEPT) or b"").partition(b"\n")
    form, _, old = head.decode("utf-8", "replace").partition("\t")
    old, _, facts = old.partition("\t")
    if (form, facts) != (_FORM, mark.facts):
        return None
    tally = Tally()
    try:
        tally.load(data)
        if old != mark.tree:
            _change_files(tally, repo.tree(old), tree, scores)
            repo.cache[_KEPT] = mark.line.encode() + tally.dump()
    except (LookupError, ValueError):
        return None
    return tally


def _change_files(tally: Tally, old: GitTree, new: GitTree, scores: Scores) -> None:
    """Take out and add what two trees have otherwise. Raises LookupError where that is too much,
    or cannot be told.
    """
    from molt import errors

    try:
        changes = new.changes(old) or ()
    except errors.MoltError:
        # A tree that a rewritten history left behind may be gone.
        raise LookupError from None
    if len(changes) > _MANY:
        raise LookupError
    for change in changes:
        tally.drop_file(old, change.path, scores)
        tally.add_file(new, change.path, scores)
