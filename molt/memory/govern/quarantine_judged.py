"""The slow part of the quarantine: new commits judged, and what the bad ones brought.

It reads history through pygit2, whose import alone takes longer than a search.
"""

from __future__ import annotations

from molt import config, policy, trees
from molt.formats import message as messages
from molt.memory import settled, verify, withheld
from molt.memory.withheld import Held, HeldCommit
from molt.repo import ranges, revisions
from molt.repo.revisions import CommitRange
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from molt.repo.commits import Commit
    from molt.repo.repository import Repo
    from molt.trees import Entry

FORMAL = frozenset(("MSG004", "MSG008", "GRAPH001", "SCORE001", "SCORE003"))
"""Rules of form, which make nothing that a commit says less true: trailers and a notice that its
message lacks, front matter and scores that cannot be read.
"""
_REVERTS = "This reverts commit "
_ID = 40
_MANY = 256
"""Texts that are kept: what one commit leaves is what the next one changes."""
_NO_LINES: frozenset[str] = frozenset()


def follow_history(repo: Repo, known: Held, tip: str) -> Held:
    """What is held back at a commit, of which nothing was judged that any of the known heads
    leads to. Raises Failed where history cannot be read.
    """
    heads = tuple(oid for oid in known.heads if revisions.has_commit(repo, oid))
    store = ranges.ObjectStore(repo)
    fresh = _find_bad(repo, tip, heads, _find_trusted(store, known, heads))
    if heads and heads[:1] == known.heads[:1] and repo.is_ancestor(heads[0], tip):
        books = _Books(store, (*known.commits, *fresh), known.lines)
        new = [oid for oid, _ in revisions.list_commits(repo, (tip,), heads[:1])]
    else:
        # From another branch, or for the first time: what was accepted there is open again.
        every = [one.replace(open=one.codes, reverted=False) for one in (*known.commits, *fresh)]
        books = _Books(store, every, {})
        new = _list_following(repo, tip, {one.oid for one in every})
    for oid in new:
        books.follow(store.commit(oid))
    return books.close(withheld.add_head(known.replace(heads=heads), tip))


def _list_following(repo: Repo, tip: str, oids: set[str]) -> list[str]:
    """Some commits that lead to another one, and all that follow them on the way."""
    found: dict[str, None] = {}
    if oids:
        for oid, parents in revisions.list_commits(repo, (tip,), ()):
            if oid in oids or any(parent in found for parent in parents):
                found[oid] = None
    return list(found)


def _find_trusted(store: ranges.ObjectStore, known: Held, heads: Sequence[str]) -> tuple[str, ...]:
    """What there was before configurations that are against the rules, where one is in force: what
    a look has found out is otherwise where the next one starts from.
    """
    bad: dict[str, Entry | None] = {}
    before: list[str] = []
    for one in known.commits if heads else ():
        if one.open and one.has(config.PATH):
            made = store.commit(one.oid)
            now, *was = (_find_config(store, oid) for oid in (one.oid, *made.parents))
            if now not in was:
                bad[one.oid] = now
                before += made.parents
    return tuple(before) if bad and _find_config(store, heads[0]) in bad.values() else ()


def _find_config(store: ranges.ObjectStore, oid: str) -> Entry | None:
    return store.tree(store.commit(oid).tree).entry(config.PATH)


def _find_bad(
    repo: Repo, tip: str, heads: Sequence[str], trusted: tuple[str, ...]
) -> list[HeldCommit]:
    """The commits that lead to one and to none of some others, and break a rule, also one of a
    `trusted` commit.
    """
    asked = CommitRange(tip[:10], (tip,), tuple(heads), branch=repo.branch() or "")
    report = verify.judge_range(repo, asked.replace(trusted=trusted))
    codes: dict[str, list[str]] = {}
    files: dict[str, list[str]] = {}
    for oid, one in report.errors:
        if one.code not in FORMAL:
            codes.setdefault(oid, []).append(one.code)
            files.setdefault(oid, []).append(one.path or withheld.EVERY)
    return [
        HeldCommit(
            oid,
            found := tuple(dict.fromkeys(some)),
            found,
            _list_final(report, oid, found),
            files=tuple(dict.fromkeys(files[oid])),
        )
        for oid, some in codes.items()
    ]


def _list_final(report: verify.VerifyReport, oid: str, codes: Iterable[str]) -> tuple[str, ...]:
    never = (code for code in codes if not policy.is_acceptable(code))
    return tuple(dict.fromkeys((*never, *(code for code in codes if (oid, code) in report.final))))


class _Step(Value):
    """What a commit does to the lines of files: `gone` from each, `come` to each, and of these what
    no file had before that it changes (`brought`).
    """

    gone: Mapping[str, frozenset[str]]
    come: Mapping[str, frozenset[str]]
    brought: Mapping[str, frozenset[str]]


class _Books:
    """The lines that are held back, as one commit after the other is read, parents first."""

    def __init__(
        self,
        store: ranges.ObjectStore,
        commits: Iterable[HeldCommit],
        lines: Mapping[str, Mapping[str, str]],
    ) -> None:
        self._store = store
        self._commits = {one.oid: one for one in commits}
        self._lines = {path: dict(rows) for path, rows in lines.items()}
        self._texts: dict[str, frozenset[str]] = {}

    def follow(self, commit: Commit) -> None:
        """Read one more commit."""
        one = self._commits.get(commit.oid)
        step = self._compare(commit)
        moved = self._take(step.gone)
        if one is not None and one.open:
            brought = {path: some for path, some in step.brought.items() if one.has(path)}
            self._commits[one.oid] = one.replace(brought=sum(map(len, brought.values())))
            fresh = _NO_LINES.union(*brought.values())
            self._hold(brought, dict.fromkeys(fresh, one.oid).get)
        else:
            self._release(step.brought)
        self._hold(step.come, moved.get)
        if one is None and withheld.mentions_commits(commit.message):
            self._answer(commit)

    def _compare(self, commit: Commit) -> _Step:
        """What a commit took from each file and gave to each; of a merge what no side has."""
        sides = [self._store.commit(oid).tree for oid in commit.parents]
        old: dict[str, frozenset[str]] = {}
        new: dict[str, frozenset[str]] = {}
        touched: list[frozenset[str]] = []
        for side in sides or [self._store.tree("").oid]:
            changes = self._store.changes(side, commit.tree)
            mine = [one for one in changes if one.path.endswith(".md")]
            touched.append(frozenset(one.path for one in mine))
            for one in mine:
                old[one.path] = old.get(one.path, _NO_LINES) | self._read(one.old, one.path)
                new[one.path] = self._read(one.new, one.path)
        own = frozenset.intersection(*touched)
        before = _NO_LINES.union(*old.values())
        come = {path: new[path] - old[path] for path in own}
        return _Step(
            {path: old[path] - new[path] for path in new},
            come,
            {path: fresh for path, some in come.items() if (fresh := some - before)},
        )

    def _read(self, entry: Entry | None, path: str) -> frozenset[str]:
        if entry is None or entry.mode not in (trees.REGULAR, trees.EXECUTABLE):
            return _NO_LINES
        found = self._texts.get(entry.oid)
        if found is None:
            if len(self._texts) > _MANY:
                self._texts.clear()
            text = self._store.content(entry.oid, path).decode("utf-8", "surrogateescape")
            found = self._texts[entry.oid] = withheld.list_lines(text)
        return found

    def _take(self, gone: Mapping[str, frozenset[str]]) -> dict[str, str]:
        """Let go of lines that are no longer where they were; gives each with its commit."""
        taken: dict[str, str] = {}
        for path, some in gone.items():
            rows = self._lines.get(path, {})
            taken.update({one: rows.pop(one) for one in some if one in rows})
        return taken

    def _hold(
        self, come: Mapping[str, frozenset[str]], find_commit: Callable[[str], str | None]
    ) -> None:
        """Hold lines back of which a commit is to be found."""
        for path, some in come.items():
            rows = self._lines.setdefault(path, {})
            for one in some:
                if (oid := find_commit(one)) is not None:
                    rows.setdefault(one, oid)

    def _release(self, brought: Mapping[str, frozenset[str]]) -> None:
        """Let go of what a commit without a fault writes by itself."""
        for path, some in brought.items():
            rows = self._lines.get(path, {})
            for one in some:
                rows.pop(one, None)

    def _answer(self, commit: Commit) -> None:
        """What a commit accepts of others, or says that it reverts."""
        message = messages.parse(commit.message)
        for oid, code in settled.taken_on(message):
            one = self._commits.get(oid)
            if one is not None and code not in one.final:
                self._commits[oid] = one.replace(open=tuple(x for x in one.open if x != code))
        for part in commit.message.split(_REVERTS)[1:]:
            one = self._commits.get(part[:_ID])
            if one is not None:
                self._commits[one.oid] = one.replace(reverted=True)

    def close(self, held: Held) -> Held:
        """What is left of it."""
        done = {oid for oid, one in self._commits.items() if not one.open}
        kept = (
            (path, {text: oid for text, oid in rows.items() if oid not in done})
            for path, rows in self._lines.items()
        )
        return held.replace(
            commits=tuple(self._commits.values()), lines={path: rows for path, rows in kept if rows}
        )
