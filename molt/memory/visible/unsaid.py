"""The words that were forgotten, and the tree of the past in which nobody reads them."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, lines, paths
from molt.formats.meta import tombstones
from molt.formats.prose import sayings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.formats.meta.tombstones import Graveyard
    from molt.trees import Entry, FileChange, Tree


class Unsaid:
    """A tree of the past without the words that were forgotten since: their lines are empty, and
    all others where they were. A file that `now` has just so says nothing that was forgotten.
    """

    def __init__(self, base: Tree, now: Tree, buried: Graveyard) -> None:
        self.base = base
        self.now = now
        self._buried = buried

    def read(self, path: str) -> bytes | None:
        data = self.base.read(path)
        return data if data is None else self._hide(path, data)

    def _hide(self, path: str, data: bytes) -> bytes:
        before, now = self.base.entry(path), self.now.entry(path)
        if before is not None and now is not None and before.oid == now.oid:
            return data
        text = data.decode("utf-8", "surrogateescape")
        return blank_sayings(path, text, self._buried).encode("utf-8", "surrogateescape")

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        found = self.base.read_many(paths)
        return {path: self._hide(path, data) for path, data in found.items()}

    def entry(self, path: str) -> Entry | None:
        return self.base.entry(path)

    def entries(self) -> Mapping[str, Entry]:
        return self.base.entries()

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        return self.base.names(folder, like)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:  # noqa: ARG002 the protocol's
        return None


def blank_sayings(path: str, text: str, buried: Graveyard) -> str:
    """A file with empty lines for what it says that was forgotten."""
    rows = lines.split_lines(text)
    gone: set[int] = set()
    for one in sayings.parse_sayings(path, text) if sayings.has_sayings(path) else ():
        if one.start and one.kind != sayings.NOTE and buried.find_said(one.value):
            gone.update(range(one.start, one.end + 1))
    # A label, a title, a tag or a table is none of these.
    gone.update(n for n, row in enumerate(rows, 1) if n not in gone and buried.find_said(row))
    if not gone:
        return text
    day = paths.kind_of(path) == "episode"
    for number in gone:
        rows[number - 1] = episodes.blank_row(rows[number - 1], day=day)
    return "".join(rows)


def read_graveyard(tree: Tree) -> Graveyard:
    """What a tree says was forgotten by its words."""
    found = tombstones.parse_tombstones(trees.read_text(tree, paths.TOMBSTONES))
    return tombstones.Graveyard(found)


def hide_words(tree: Tree, now: Tree) -> Tree:
    """A tree of the past without the words that were forgotten since; itself where none were."""
    buried = read_graveyard(now)
    return Unsaid(tree, now, buried) if buried else tree
