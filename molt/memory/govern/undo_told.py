"""What an undoing does, for who is asked whether it is to be."""

from __future__ import annotations

from collections import Counter

from molt import trees
from molt.formats import lines, paths
from molt.formats.meta import scores as score_file
from molt.memory import inventory, refs
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.trees import Edits, Tree


class FileDelta(Value):
    """A file that changes: how many lines it gains and loses, and whether it comes or goes."""

    path: str
    added: int
    removed: int
    status: str = "M"


class UndoTale(Value):
    """The files that change, the memories that come back and those that go; what is `left` as it
    is, and the files that come back without what was `erased` for good. `correction` is the entry
    that says so in the log of today, empty where no log is about it.
    """

    files: tuple[FileDelta, ...] = ()
    back: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    correction: str = ""


def tell_undo(tree: Tree, edits: Edits, taken: Iterable[str]) -> UndoTale:
    """What edits do to a tree, of which the entries `taken` are hidden in their logs."""
    after = Overlay(tree, dict(edits))
    changed = [path for path in sorted(edits) if tree.read(path) != edits[path]]
    before_ids, after_ids = (_list_seen(side, changed) for side in (tree, after))
    back = [name for name in after_ids if name not in before_ids]
    gone = [name for name in before_ids if name not in after_ids]
    hidden = [name for name in taken if name not in gone and name in before_ids]
    files = tuple(_compare_file(tree, path, edits[path]) for path in changed)
    return UndoTale(files, tuple(back), tuple(dict.fromkeys((*gone, *hidden))))


def _list_seen(tree: Tree, changed: Iterable[str]) -> dict[str, None]:
    """The memories of some files, and what the scores name, but for what is put away."""
    text = trees.read_text(tree, paths.SCORES)
    hidden = frozenset(score_file.list_forgotten(text))
    named = [name for path in changed for name in list_memories(tree, path)]
    if paths.SCORES in changed:
        try:
            known = list(score_file.parse_scores(text)["entries"])
        except ValueError:
            known = []
        # What was put away before, or is after, has an entry.
        named += [name for name in known if inventory.has_memory(tree, name)]
    return dict.fromkeys(name for name in named if name not in hidden)


def list_memories(tree: Tree, path: str) -> Iterator[str]:
    """The memories that a file of a tree holds, put away or not."""
    whole = inventory.find_id(path)
    if whole:
        yield from [whole] * (tree.entry(path) is not None)
        return
    for name, _, _ in refs.list_places(path, trees.read_text(tree, path)):
        yield name


def _compare_file(tree: Tree, path: str, data: bytes | None) -> FileDelta:
    old, new = (_count_lines(side) for side in (tree.read(path), data))
    status = "A" if tree.entry(path) is None else "D" if data is None else "M"
    return FileDelta(path, (new - old).total(), (old - new).total(), status)


def _count_lines(data: bytes | None) -> Counter[str]:
    return Counter(lines.split_lines((data or b"").decode("utf-8", "replace")))
