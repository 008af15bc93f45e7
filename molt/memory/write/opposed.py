"""What two histories have each written of one thing that cannot both hold."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, facts, ids, paths
from molt.formats.meta.proposals import Proposal
from molt.memory.write import conflicts
from molt.trees import DictTree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree

_MOST = 100
"""Lines of a file that are compared with each of the other side: more are no day's work."""

_SHOWN = 80
"""Characters of a line that tell which one it is."""


class OpposedLines(Value):
    """The entity or the line of core memory that two lines are of, and what each says."""

    id: str
    ours: str
    theirs: str

    def describe(self) -> str:
        """What is told of them, in a line."""
        ours, theirs = (repr(" ".join(one.split())[:_SHOWN]) for one in (self.ours, self.theirs))
        way = '`molt remember "no, …"` says which holds'
        return f"{self.id} says {ours} here and {theirs} there; both stay until {way}"


def find_opposed(base: Tree, ours: Tree, theirs: Tree) -> Iterator[OpposedLines]:
    """The lines of core memory and of entities that are new in two trees, on the same `base`, and
    contradict each other.
    """
    changed = [{one.path for one in trees.diff(base, side)} for side in (ours, theirs)]
    for path in sorted(changed[0] & changed[1]):
        if path == paths.CORE or path.startswith(paths.ENTITIES):
            texts = (trees.read_text(tree, path) for tree in (base, ours, theirs))
            yield from _compare_texts(path, *texts)


def _compare_texts(path: str, base: str, ours: str, theirs: str) -> Iterator[OpposedLines]:
    known = _list_lines(path, base)
    mine, yours = (
        [line for line in _list_lines(path, side) if line not in known][:_MOST]
        for side in (ours, theirs)
    )
    if not mine or not yours:
        return
    tree = DictTree({path: theirs.encode()})
    stem = path.removeprefix(paths.ENTITIES).removesuffix(".md")
    named = () if path == paths.CORE else (stem,)
    for line in mine:
        one = Proposal("", facts.strip_asides(line), entities=named)
        for other in conflicts.find_conflicts(tree, one):
            if other.text in yours:
                about = "MEMORY.md" if path == paths.CORE else ids.entity(stem)
                yield OpposedLines(about, line, other.text)


def _list_lines(path: str, text: str) -> list[str]:
    """What a file says that holds: the bullets of core memory, the facts of an entity."""
    told = bullets.core_bullets(text) if path == paths.CORE else bullets.bullets(text, "Facts")
    return [one.text for one in told if facts.holds(one.text)]
