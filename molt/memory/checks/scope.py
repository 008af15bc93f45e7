"""What of a range is judged, and which side of it is trusted."""

from __future__ import annotations

from molt import config
from molt.formats import message as messages
from molt.repo import history, ranges
from molt.repo.ancestry import Ancestry
from molt.repo.history import revisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from molt.formats.message import Message
    from molt.repo.ancestry import ParentRow
    from molt.repo.history.revisions import CommitRange
    from molt.repo.repository import Repo

_ADOPTED = "Adopted"


class Walk:
    """What is new with some commits that a push brings, asked of git once: each ref of it gets
    what is new with that ref, and what one ref may have is nowhere new to the next. `passed` are
    the commits of the refs that were let through.
    """

    def __init__(self, repo: Repo, tips: Sequence[str], known: Sequence[str]) -> None:
        self._every = Ancestry(revisions.list_commits(repo, tips, known) if tips else ())
        self._known: set[str] = set()
        self.passed: list[str] = []

    def list_new(self, tip: str, *old: str) -> list[ParentRow]:
        """The commits that `tip` leads to, parents first, but for what passed and what leads to
        `old` ones.
        """
        below = self._every.ancestors(old)
        known = self._known | below if below else self._known
        return self._every.list_rows(self._every.ancestors((tip,), known))

    def list_all(self, tip: str) -> list[ParentRow]:
        """The commits that `tip` leads to, whatever passed."""
        return self._every.list_rows(self._every.ancestors((tip,)))

    def list_since(self, tip: str, old: str) -> list[ParentRow] | None:
        """The commits that `tip` leads to and `old` does not, whatever passed; None where only git
        knows. Where all that is new goes on from `old` alone, nothing else lies between.
        """
        rows = self.list_all(tip)
        return rows if Ancestry(rows).border() == (old,) else None

    def let_pass(self, tip: str, rows: Iterable[ParentRow]) -> None:
        """What `tip` brings is known from now on."""
        self.passed.append(tip)
        self._known.update(oid for oid, _ in rows)


class Scope:
    """The commits of a range with what they may not decide themselves.

    `established`: where the range starts there is a workspace already. Otherwise the first adoption
    on a line of first parents is one, `adoption`, and what led to it is exempt; without one, a root
    that plain git has made is. `judged` are the commits to judge, parents first; `start` those at
    which they begin; `missing` is one behind which a shallow clone has nothing, empty for none.
    `rows` are the commits of the range with their parents, where they are known.
    """

    def __init__(
        self, repo: Repo, asked: CommitRange, rows: Iterable[ParentRow] | None = None
    ) -> None:
        self.repo = repo
        self.asked = asked
        self.store = ranges.ObjectStore(repo)
        if rows is None:
            rows = revisions.list_commits(repo, asked.tips, asked.known)
        self.ancestry = Ancestry(rows)
        cut = [oid for oid in repo.shallow() if oid in self.ancestry.parents]
        self.missing = next(iter(sorted(cut)), "")
        self.tips = asked.tips
        self.start = self._find_start()
        self.established = any(map(self.is_workspace, (*self.start, *cut)))
        self.adoption = "" if self.established else self._find_adoption()
        if self.adoption and self._was_adopted():
            self.established, self.adoption = True, ""
        exempt = self.ancestry.ancestors(self.before_adoption()) | {*cut, *self._find_beginning()}
        self.judged = [oid for oid in self.ancestry.parents if oid not in exempt]
        self.lines = {oid for tip in self.tips for oid in self.ancestry.first_parents(tip)}

    def _find_start(self) -> tuple[str, ...]:
        """The commits that are trusted: of `A..B` it is A, wherever B comes from. What a range
        goes on from is one of a workspace, or that is what there was beside it.
        """
        border = self.ancestry.border()
        if self.asked.moved:
            return self.asked.onto
        if any(map(self.is_workspace, border)):
            return border
        return tuple(dict.fromkeys((*border, *self.asked.onto)))

    def is_workspace(self, oid: str) -> bool:
        """Whether a commit has the configuration of a workspace; one that is not here has none."""
        tree = self._tree(oid)
        return tree is not None and tree.entry(config.PATH) is not None

    def holds_memory(self, oid: str) -> bool:
        """Whether a commit is one of a workspace, adopted or not."""
        tree = self._tree(oid)
        return tree is not None and not _SIGNS.isdisjoint(tree.names(""))

    def is_of_memory(self) -> bool:
        """Whether what the range starts from, or any of its commits, has to do with a workspace."""
        return self.established or any(map(self.holds_memory, (*self.judged, *self.start)))

    def _tree(self, oid: str) -> ranges.ObjectTree | None:
        found = self.store.read(oid)
        return self.store.tree(self.store.commit(oid).tree) if found else None

    def _find_adoption(self) -> str:
        for tip in self.tips:
            for oid in reversed(self.ancestry.first_parents(tip)):
                # To take a message apart takes longer than to read it.
                text = self.store.commit(oid).message
                if _ADOPTED in text and is_adoption(messages.parse(text)):
                    return oid
        return ""

    def _was_adopted(self) -> bool:
        """Whether there was a workspace where the range starts, though it has none any more."""
        if not self.start:
            return False
        texts = history.messages(self.repo, *self.start, f"--grep=^{_ADOPTED}: ")
        return any(is_adoption(messages.parse(text)) for _, text in texts)

    def _find_beginning(self) -> tuple[str, ...]:
        """The root of all there is, where it holds a workspace and names nobody, as of one that was
        copied without its history: nothing is before it that could be trusted more.
        """
        if self.established or self.adoption or self.asked.known or self.asked.onto:
            return ()
        roots = (self.ancestry.first_parents(tip)[-1] for tip in self.tips)
        return tuple(oid for oid in roots if self._is_plain_root(oid))

    def _is_plain_root(self, oid: str) -> bool:
        commit = self.store.commit(oid)
        plain = not (commit.parents or commit.odd) and not messages.actor(
            messages.parse(commit.message)
        )
        return plain and self.is_workspace(oid)

    def before_adoption(self) -> tuple[str, ...]:
        """The commits that were adopted; none where there was nothing before."""
        return self.ancestry.parents[self.adoption] if self.adoption else ()

    def find_range(self, oids: Container[str]) -> str:
        """The range, of the form `A..B`, from the first of some judged commits on; empty where that
        has no parent, or where the scope has no one end.
        """
        first = next((oid for oid in self.judged if oid in oids), "")
        before = self.ancestry.parents[first] if first else ()
        return f"{before[0][:10]}..{self.tips[0][:10]}" if before and len(self.tips) == 1 else ""

    def rewrites(self) -> bool:
        """Whether the range says that one commit became another, and that does not contain it."""
        if not self.asked.moved or self.missing:
            return False
        (old,), (new,) = self.start, self.tips
        # What is a parent of a commit in between is contained for sure.
        inside = old == new or old in self.ancestry.border()
        return not inside and not self.repo.is_ancestor(old, new)

    def find_merges(self, approvers: Iterable[str]) -> dict[str, str]:
        """Each commit that a merge on a line of first parents has brought, with the first one that
        did, where that is one of `approvers`.
        """
        wanted = frozenset(approvers)
        found: dict[str, str] = {}
        if not wanted:
            return found
        seen = set(self.lines)
        for oid in self.ancestry.parents:
            others = self.ancestry.parents[oid][1:]
            if oid in self.lines and others:
                fresh = self.ancestry.ancestors(others, seen)
                seen |= fresh
                found.update(dict.fromkeys(fresh, oid) if oid in wanted else {})
        return found


_SIGNS = frozenset((config.PATH, "memory"))


def is_adoption(message: Message) -> bool:
    """Whether a message is that of making or adopting a workspace."""
    by_molt = message.action == "INIT" and messages.actor(message) == "system:init"
    return by_molt and bool(messages.trailer_values(message, _ADOPTED))
