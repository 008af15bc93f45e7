"""The records of the reflections that a tree has."""

from __future__ import annotations

from molt import trees
from molt.formats.reflections import record
from molt.memory.proposed import open_branches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.record import ReflectionRecord
    from molt.trees import Tree


def read_records(tree: Tree, but: frozenset[str] = frozenset()) -> tuple[ReflectionRecord, ...]:
    """The records of reflections that a tree has, by number; what is none is left out, and those
    of some ids, which need not be read.
    """
    found = []
    for name in open_branches.list_records(tree).difference(but):
        one = record.parse_record(trees.read_text(tree, record.record_path(name)))
        if one.id == name:
            found.append(one)
    return tuple(sorted(found, key=lambda one: int(one.id.removeprefix("r-"))))
