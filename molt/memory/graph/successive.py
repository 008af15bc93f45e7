"""The graphs of trees that follow each other, each a few edits from the one before."""

from __future__ import annotations

from functools import partial

from molt.formats import paths
from molt.memory.graph import graph as graphs
from molt.memory.graph import table as tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.graph.graph import Graph
    from molt.memory.graph.table import Cache, SortedLines
    from molt.trees import Tree


class SuccessiveGraphs:
    """Loads graphs as `graph.load` does. Of what lies upon the entities of one folder, as each tree
    of many edits one after the other, only the files whose bytes changed since the last time are
    parsed again for their names.
    """

    def __init__(self, cache: Cache | None = None) -> None:
        self.cache = cache
        self._base: Tree | None = None
        self._folder = b""
        self._whole = self._last = tables.SortedLines()
        self._held: dict[str, bytes | None] = {}

    def load(self, tree: Tree) -> Graph:
        """The graph of a tree."""
        names = partial(self._load_names, tree)
        return graphs.Graph(names, partial(tables.load_lines, tree, tables.ROWS, self.cache))

    def _load_names(self, tree: Tree) -> SortedLines:
        base, loose = tables.find_base(tree)
        self._settle(base)
        held = {name: tree.read(f"{paths.ENTITIES}{name}") for name in loose}
        if not self._held.keys() <= held.keys():
            self._last, self._held = self._whole, {}
        known = self._held.items()
        changed = [name for name, data in held.items() if (name, data) not in known]
        lines = self._last.copy()
        lines.put(tables.parse_loose(tree, changed, tables.NAMES))
        self._last, self._held = lines, held
        return lines

    def _settle(self, base: Tree) -> None:
        """Take the entities of a tree for what others lie upon, unless they are that already."""
        if base is self._base:
            return
        folder = tables.read_folder(base)
        if self._base is None or folder != self._folder:
            self._folder = folder
            self._whole = self._last = tables.load_lines(base, tables.NAMES, self.cache)
            self._held = {}
        self._base = base
