"""Whether it is time for a reflection, found without reading more than it takes."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, paths
from molt.formats.reflections import parts, record
from molt.memory.proposed import open_branches
from molt.memory.reflect.material import notebook
from molt.memory.reflect.material.records import read_records
from molt.memory.talks import ended as sessions
from molt.memory.visible import forgotten
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.workspace import Workspace
    from molt.trees import FileChange, Tree


class DueState(Value):
    """How many episodes, and sections of daily notes, no reflection has read (they are counted up
    to the threshold), how many there must be, which reflections await a person, and how many
    conversations have ended since the last one.
    """

    fresh: int
    threshold: int
    open: tuple[str, ...] = ()
    ended: int = 0

    @property
    def is_due(self) -> bool:
        """Whether one should be made: enough has come, or what a conversation has left waits."""
        enough = self.fresh >= self.threshold or (self.ended > 0 and self.fresh >= _LEFT)
        return (enough or self.ended >= _LEFT) and not self.open

    @property
    def reason(self) -> str:
        """Why, for people."""
        if self.open:
            return f"{', '.join(self.open)} awaits a decision"
        if self.fresh >= self.threshold:
            return f"{self.threshold:,} episodes or more wait for a reflection"
        after = f", after {self.ended:,} session{'s' * (self.ended != 1)}" * bool(self.ended)
        return f"{self.fresh:,} of {self.threshold:,} episodes wait for a reflection{after}"


_LEFT = 5
"""Episodes that a conversation must have left for its end to ask for a reflection, of a short one
there is nothing to consolidate; and conversations whose transcripts ask for one."""


def find_due(ws: Workspace) -> DueState:
    """Whether a reflection is due on HEAD: enough episodes have come since the last one, and none
    awaits a decision.
    """
    threshold = ws.config.reflection_threshold
    found = tuple(one.id for one in open_branches.list_open(ws.repo))
    if found:
        return DueState(0, threshold, found)
    tree = ws.head()
    gone = forgotten.list_forgotten(tree, ws.repo.cache)
    count = 0
    for memory in _list_fresh(ws, tree):
        count += memory not in gone
        if count == threshold:
            break
    if count < threshold and notebook.list_dated(tree):
        records = read_records(tree)
        count += notebook.count_unread(tree, records, threshold - count)
    return DueState(count, threshold, ended=len(sessions.list_ended(ws.repo)))


def _list_fresh(ws: Workspace, tree: Tree) -> Iterator[str]:
    """The ids of the episodes that the newest reflection has not read, those of newer days first;
    of an old day's file only what is new.
    """
    before = _find_base(ws, tree)
    changes = trees.diff(before, tree)
    for change in sorted(changes, key=_day_of, reverse=True):
        if change.new is None or paths.kind_of(change.path) != "episode":
            continue
        date = paths.date_of(change.path) or ""
        old = trees.read_text(before, change.path)
        read = {one.id for one in episodes.parse(old, date)}
        for one in episodes.parse(trees.read_text(tree, change.path), date):
            if one.id not in read:
                yield one.id


def _day_of(change: FileChange) -> str:
    return paths.date_of(change.path) or ""


def _find_base(ws: Workspace, tree: Tree) -> Tree:
    """The tree that the newest reflection has read whose base this clone has; empty for none. Of
    its records, which may be hundreds, only those are parsed that it takes.
    """
    names = (one.removesuffix(".md") for one in tree.names(record.FOLDER.rstrip("/")))
    known = sorted(filter(parts.is_reflection_id, names), key=lambda one: -int(one[2:]))
    for name in known:
        one = record.parse_record(trees.read_text(tree, record.record_path(name)))
        base = one.known_base
        if one.id == name and len(base) >= 40 and ws.repo.stamp(base):
            return ws.repo.tree(base)
    return ws.repo.tree(None)
