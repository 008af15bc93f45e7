"""What was removed for good comes back with nothing."""

from __future__ import annotations

from molt import trees
from molt.formats import lines, paths
from molt.formats import message as messages
from molt.formats.meta import tombstones
from molt.formats.meta.tombstones import Graveyard
from molt.formats.prose import sayings
from molt.memory.visible import books
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo
    from molt.trees import Tree


class ErasedWords(Value):
    """What was removed from the files for good: the tombstones of the words, by line, the files
    that went as a whole, and the lines that were taken out of each of molt's books.
    """

    stones: frozenset[str] = frozenset()
    graves: Graveyard = Graveyard(())
    paths: frozenset[str] = frozenset()
    books: tuple[tuple[str, frozenset[str]], ...] = ()

    def hide(self, tree: Tree) -> Tree:
        """A tree of the past whose books say no more than they may; itself where they do not."""
        taken = dict(self.books)

        def show(path: str, data: bytes) -> bytes:
            rows = lines.split_lines(data.decode("utf-8", "surrogateescape"))
            kept = "".join(row for row in rows if row not in taken[path])
            return kept.encode("utf-8", "surrogateescape")

        return trees.Veil(tree, taken, show) if taken else tree

    def cut(self, path: str, data: bytes | None) -> bytes | None:
        """A file without what is gone for good; None for one that went as a whole."""
        if data is None or path in self.paths:
            return None
        if not self.graves:
            return data
        text = data.decode("utf-8", "surrogateescape")
        if sayings.has_sayings(path):
            said = (one for one in sayings.parse_sayings(path, text) if one.kind != sayings.NOTE)
            gone = [one for one in said if self.graves.find_said(one.value)]
            text = sayings.cut_sayings(text, gone) if gone else text
        rows = lines.split_lines(text)
        kept = [row for row in rows if not self.graves.find_said(row)]
        return "".join(kept).encode("utf-8", "surrogateescape")


def find_erased(repo: Repo, tree: Tree) -> ErasedWords:
    """What the history of HEAD has removed for good, and nobody has said again by a tree."""
    now = list_stones(tree)
    if not now:
        return ErasedWords()
    found: set[str] = set()
    gone: set[str] = set()
    taken: dict[str, set[str]] = {}
    for commit in repo.log_newest("HEAD", "--full-diff", "--", paths.TOMBSTONES):
        if messages.parse(commit.message).action != "DELETE" or not commit.parents:
            continue
        before, after = repo.tree(commit.parents[0]), repo.tree(commit.oid)
        found.update(list_stones(after).keys() - list_stones(before).keys())
        for path in books.list_books(before):
            taken.setdefault(path, set()).update(_list_lost(before, after, path))
        gone.update(path for status, path in commit.paths if status == "D")
    held = {line: stone for line, stone in now.items() if line in found}
    missing = frozenset(path for path in gone if tree.entry(path) is None)
    rows = tuple((path, frozenset(lost)) for path, lost in taken.items() if lost)
    return ErasedWords(frozenset(held), Graveyard(held.values()), missing, rows)


def _list_lost(before: Tree, after: Tree, path: str) -> frozenset[str]:
    """The lines that a file has lost."""
    if before.entry(path) == after.entry(path):
        return frozenset()
    old, new = (frozenset(lines.split_lines(trees.read_text(one, path))) for one in (before, after))
    return old - new


def list_stones(tree: Tree) -> dict[str, tombstones.Tombstone]:
    """The tombstones of a tree, by their lines."""
    text = trees.read_text(tree, paths.TOMBSTONES)
    return {one.line: one for one in tombstones.parse_tombstones(text)}


def restore_stones(gone: Tree, back: Tree, now: Tree, erased: ErasedWords) -> bytes | None:
    """The tombstones of a tree, without those that what is undone has set, and with those that it
    took away; None where they stay as they are. Those of what is gone for good stay.
    """
    old, new = list_stones(gone), list_stones(back)
    set_ = [stone for line, stone in old.items() if line not in new and line not in erased.stones]
    taken = [stone for line, stone in new.items() if line not in old]
    before = trees.read_strict(now, paths.TOMBSTONES)
    text = tombstones.remove_tombstones(before, set_) if set_ else before
    text = tombstones.add_tombstones(text, taken) if taken else text
    return text.encode() if text != before else None
