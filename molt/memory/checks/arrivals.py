"""How what a reflection proposes came to the line that is judged: by whom, and with its record."""

from __future__ import annotations

from molt import policy, trees
from molt.formats import message as messages
from molt.formats.reflections import record, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.formats.message import Message
    from molt.memory.checks.scope import Scope
    from molt.repo.commits import Commit

_ACTOR = "reflection:"


class Arrivals:
    """Finds who brought the commits of a range to where they are judged.

    `may_decide` tells of a commit whether it decides on what it brings. A reflection's commit is
    brought with the record of what it proposes, which names the files that it changes: whoever
    merges or rebases a branch takes that along, and who picks one commit of it takes it not.
    """

    def __init__(self, scope: Scope, may_decide: Callable[[str], bool]) -> None:
        self._scope = scope
        self._may_decide = may_decide
        self._brought: dict[tuple[str, ...], dict[str, str]] = {}
        self._named: dict[tuple[str, str], frozenset[str]] = {}
        self._ends: dict[str, str] | None = None

    def is_approved(self, commit: Commit, message: Message) -> bool:
        """Whether a person's merge has brought a commit to the line that is judged."""
        if commit.oid in self._scope.lines:
            return False
        merge = self._find_brought("manual").get(commit.oid, "")
        name = _find_reflection(message)
        return bool(merge) and (not name or self._is_recorded(commit, name, merge))

    def find_arrival(self, commit: Commit, message: Message, *, by_bot: bool) -> str:
        """How what a reflection proposes came to the line: git says of what was rebased that its
        committer is not the one who wrote it. A rebase of `by_bot` decides on nothing.
        """
        name = _find_reflection(message)
        if not name:
            return ""
        if commit.oid not in self._scope.lines:
            merge = self._find_brought("manual", "").get(commit.oid, "")
            return policy.MERGED if merge and self._is_recorded(commit, name, merge) else ""
        carried = refs.is_own(commit.author) and not refs.is_own(commit.committer)
        if by_bot or not carried or not self._may_decide(commit.oid):
            return ""
        return policy.MOVED if self._is_recorded(commit, name, self._find_end(commit)) else ""

    def _is_recorded(self, commit: Commit, name: str, end: str) -> bool:
        """Whether the record that is there at a later commit names what one changes."""
        store = self._scope.store
        before = store.commit(commit.parents[0]).tree if commit.parents else store.tree("").oid
        named = self._list_named(name, end)
        changed = (one.path for one in store.changes(before, commit.tree))
        return bool(named) and all(path in named for path in changed)

    def _list_named(self, name: str, end: str) -> frozenset[str]:
        """The files that a reflection's record names, itself among them; none without one."""
        if (name, end) not in self._named:
            path = f"{refs.RECORDS}{name}.md"
            tree = self._scope.store.tree(self._scope.store.commit(end).tree)
            found = record.parse_record(trees.read_text(tree, path))
            files = (file for item in found.items for file in item.files)
            self._named[name, end] = frozenset((path, *files) if found.id == name else ())
        return self._named[name, end]

    def _find_end(self, commit: Commit) -> str:
        """The last of the commits of one reflection that follow each other on a line."""
        if self._ends is None:
            self._ends = self._list_ends()
        return self._ends[commit.oid]

    def _list_ends(self) -> dict[str, str]:
        ends: dict[str, str] = {}
        for tip in self._scope.tips:
            last, name = tip, ""
            for oid in self._scope.ancestry.first_parents(tip):
                own = _find_reflection(messages.parse(self._scope.store.commit(oid).message))
                if not own or own != name:
                    last, name = oid, own
                ends[oid] = last
        return ends

    def _find_brought(self, *actors: str) -> dict[str, str]:
        """The commits that a merge by one of some actors has brought to the line."""
        if actors not in self._brought:
            parents = self._scope.ancestry.parents
            lines = (oid for oid in self._scope.lines if len(parents[oid]) > 1)
            named = ((oid, self._find_actor(oid)) for oid in lines)
            merges = [oid for oid, who in named if who in actors and self._may_decide(oid)]
            self._brought[actors] = self._scope.find_merges(merges)
        return self._brought[actors]

    def _find_actor(self, oid: str) -> str:
        return messages.actor(messages.parse(self._scope.store.commit(oid).message))


def _find_reflection(message: Message) -> str:
    """The name of the reflection that a commit says it is of; empty for another's."""
    actor = messages.actor(message)
    return actor.removeprefix(_ACTOR) if actor.startswith(_ACTOR) else ""
