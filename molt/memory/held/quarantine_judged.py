"""The slow part of the quarantine: new commits judged, and what the bad ones brought.

It reads history and has every rule, whose import alone takes as long as a search.
"""

from __future__ import annotations

from molt import config, policy, trees
from molt.formats import message as messages
from molt.memory.checks import settled, verify
from molt.memory.held import withheld
from molt.memory.held.withheld import NOTHING, Held, HeldCommit
from molt.memory.provenance import open_changes
from molt.repo import ranges
from molt.repo.history import revisions
from molt.repo.history.revisions import CommitRange
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from molt.repo.commits import Commit
    from molt.repo.repository import Repo
    from molt.trees import Entry, FileChange

_REVERTS = "This reverts commit "
_ID = 40  # letters of a commit's id
_NEWER = "CONF001"
"""Files of a newer format are so whatever settings hold: where that is all, molt reads none."""
_OF_THE_TEXT = ("CORE", "EPI002", "AGENT002", "GRAPH", "PROC", "SCORE", "SEC")
"""Rules about what a file is, whoever writes it: they say nothing of what else a commit brings. All
others are about who may do what, and who did what it may not is believed in nothing.
"""
_MANY = 256
"""Texts that are kept: what one commit leaves is what the next one changes."""
_NO_LINES: frozenset[str] = frozenset()


def follow_history(repo: Repo, known: Held, tip: str) -> Held:
    """What is held back at a commit, of which nothing was judged that the known head leads to by
    the same way. Raises Failed where history cannot be read.
    """
    store = ranges.ObjectStore(repo)
    before = known if known.head and revisions.has_commit(repo, known.head) else NOTHING
    start = _find_start(repo, store, before, tip)
    # What shares no line with what was there is judged beside it.
    base = start if start.head else before
    asked = CommitRange(
        tip[:10], (tip,), _list_head(start), _list_head(base), branch=repo.branch() or ""
    )
    trusted = _find_trusted(store, base, base.head) if base.head else ()
    made = _follow(repo, store, start, asked.replace(trusted=trusted))
    if not base.head and (trusted := _find_trusted(store, made, tip)):
        # Of all there is, each commit was judged by what came before it, also by these settings.
        made = _follow(repo, store, start, asked.replace(trusted=trusted))
    return made


def _list_head(held: Held) -> tuple[str, ...]:
    return (held.head,) if held.head else ()


def _find_start(repo: Repo, store: ranges.ObjectStore, known: Held, tip: str) -> Held:
    """What is known of where the line of first parents that leads to a commit left the one that was
    followed. Whether a commit breaks a rule also depends on how it came to its line: a merge has
    brought what was approved.
    """
    fork = revisions.find_fork(repo, tip, known.head) if known.head else ""
    if not fork or fork == known.head:
        return known if fork else NOTHING
    leading = {oid for oid, _ in revisions.list_commits(repo, (fork,), ())}
    # What was accepted or reverted later is not so there.
    there = (one for one in known.commits if one.oid in leading)
    start = Held(fork, tuple(one.replace(open=one.codes, reverted=False) for one in there))
    return _read_following(repo, store, start, fork)


def _follow(repo: Repo, store: ranges.ObjectStore, known: Held, asked: CommitRange) -> Held:
    (tip,) = asked.tips
    fresh = _find_bad(repo, asked)
    every = known.replace(head=tip, commits=(*known.commits, *fresh))
    if not known.head:
        return _read_following(repo, store, every, tip)
    new = revisions.list_commits(repo, asked.tips, asked.known)
    return _read(store, every, (oid for oid, _ in new))


def _read_following(repo: Repo, store: ranges.ObjectStore, held: Held, tip: str) -> Held:
    """What is held back at a commit by those that break rules, of which nothing was read."""
    return _read(store, held, _list_following(repo, tip, {one.oid for one in held.commits}))


def _read(store: ranges.ObjectStore, held: Held, oids: Iterable[str]) -> Held:
    books = _Books(store, held)
    for oid in oids:
        books.follow(store.commit(oid))
    return books.close(held)


def _list_following(repo: Repo, tip: str, oids: set[str]) -> list[str]:
    """Some commits that lead to another one, and all that follow them on the way."""
    found: dict[str, None] = {}
    if oids:
        for oid, parents in revisions.list_commits(repo, (tip,), ()):
            if oid in oids or any(parent in found for parent in parents):
                found[oid] = None
    return list(found)


def _find_trusted(store: ranges.ObjectStore, held: Held, oid: str) -> tuple[str, ...]:
    """What there was before settings that are held back, where a commit has some: what a look has
    found out is otherwise where the next one starts from.
    """
    refused = held.blobs.get(config.PATH, {})
    if config.find_id(store.tree(store.commit(oid).tree)) not in refused:
        return ()
    made = (store.commit(commit) for _, commit in refused.values())
    return tuple(dict.fromkeys(parent for one in made for parent in one.parents))


def _find_bad(repo: Repo, asked: CommitRange) -> list[HeldCommit]:
    """The commits of a range that break a rule."""
    report = verify.judge_range(repo, asked)
    codes: dict[str, list[str]] = {}
    files: dict[str, list[str]] = {}
    for oid, one in report.errors:
        if one.code == _NEWER:
            continue
        codes.setdefault(oid, []).append(one.code)
        of_file = one.path and one.code.startswith(_OF_THE_TEXT)
        files.setdefault(oid, []).append(one.path if of_file else withheld.EVERY)
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
    no file had before that it changes (`brought`); of files that have no lines to tell apart
    (`whole`) the contents before and after.
    """

    gone: Mapping[str, frozenset[str]]
    come: Mapping[str, frozenset[str]]
    brought: Mapping[str, frozenset[str]]
    whole: Mapping[str, tuple[str, str]]


def _is_told_whole(path: str) -> bool:
    """Whether a file is read by molt, and not by its lines."""
    return path == config.PATH or (path.startswith("memory/") and not path.endswith(".md"))


def _pair(change: FileChange) -> tuple[str, str]:
    """The contents before and after a change, by their ids; empty for none."""
    return (change.old.oid if change.old else "", change.new.oid if change.new else "")


class _Books:
    """The lines that are held back, as one commit after the other is read, parents first."""

    def __init__(self, store: ranges.ObjectStore, held: Held) -> None:
        self._store = store
        self._commits = {one.oid: one for one in held.commits}
        self._lines = {path: dict(rows) for path, rows in held.lines.items()}
        self._blobs = {path: dict(some) for path, some in held.blobs.items()}
        self._texts: dict[str, frozenset[str]] = {}

    def follow(self, commit: Commit) -> None:
        """Read one more commit."""
        one = self._commits.get(commit.oid)
        step = self._compare(commit)
        moved = self._take(step.gone)
        if one is not None and one.open:
            brought = {path: some for path, some in step.brought.items() if one.has(path)}
            whole = {path: pair for path, pair in step.whole.items() if one.has(path)}
            count = sum(map(len, brought.values())) + len(whole)
            self._commits[one.oid] = one.replace(brought=count)
            self._hold_blobs(whole, one.oid)
            fresh = _NO_LINES.union(*brought.values())
            self._hold(brought, dict.fromkeys(fresh, one.oid).get)
        else:
            self._release(step.brought)
            for path, (_, oid) in step.whole.items():
                self._blobs.get(path, {}).pop(oid, None)
            for path in open_changes.acknowledged(messages.parse(commit.message)):
                self._lines.pop(path, None)
                self._blobs.pop(path, None)
        self._hold(step.come, moved.get)
        if one is None and withheld.mentions_commits(commit.message):
            self._answer(commit)

    def _compare(self, commit: Commit) -> _Step:
        """What a commit took from each file and gave to each; of a merge what no side has."""
        sides = [self._store.commit(oid).tree for oid in commit.parents]
        old: dict[str, frozenset[str]] = {}
        new: dict[str, frozenset[str]] = {}
        touched: list[frozenset[str]] = []
        whole: list[dict[str, tuple[str, str]]] = []
        for side in sides or [self._store.tree("").oid]:
            changes = self._store.changes(side, commit.tree)
            mine = [one for one in changes if one.path.endswith(".md")]
            whole.append({one.path: _pair(one) for one in changes if _is_told_whole(one.path)})
            touched.append(frozenset(one.path for one in mine))
            for one in mine:
                old[one.path] = old.get(one.path, _NO_LINES) | self._read(one.old, one.path)
                new[one.path] = self._read(one.new, one.path)
        own = frozenset.intersection(*touched)
        before = _NO_LINES.union(*old.values())
        every = frozenset.intersection(*map(frozenset, whole))
        come = {path: new[path] - old[path] for path in own}
        return _Step(
            {path: old[path] - new[path] for path in new},
            come,
            {path: fresh for path, some in come.items() if (fresh := some - before)},
            {path: whole[0][path] for path in every},
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

    def _hold_blobs(self, whole: Mapping[str, tuple[str, str]], commit: str) -> None:
        """Hold contents back, each for the last one that is trusted."""
        for path, (before, oid) in whole.items():
            some = self._blobs.setdefault(path, {})
            trusted = some[before][0] if before in some else before
            if oid != trusted:
                some.setdefault(oid, (trusted, commit))

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
        by_git = (part[:_ID] for part in commit.message.split(_REVERTS)[1:])
        claimed = {*by_git, *messages.trailer_values(message, "Reverts")} & self._commits.keys()
        # What stands of it gives the lie to whoever claims that, but a person decides.
        if claimed and messages.actor(message) != "manual":
            claimed -= self._list_standing()
        for oid in claimed:
            self._commits[oid] = self._commits[oid].replace(reverted=True)

    def _list_standing(self) -> set[str]:
        """The commits of which something that they brought is still held back."""
        lines = {one for rows in self._lines.values() for one in rows.values()}
        return lines.union(one for some in self._blobs.values() for _, one in some.values())

    def close(self, held: Held) -> Held:
        """What is left of it."""
        done = {oid for oid, one in self._commits.items() if not one.open}
        kept = (
            (path, {text: oid for text, oid in rows.items() if oid not in done})
            for path, rows in self._lines.items()
        )
        blobs = (
            (path, {oid: pair for oid, pair in some.items() if pair[1] not in done})
            for path, some in self._blobs.items()
        )
        return held.replace(
            commits=tuple(self._commits.values()),
            lines={path: rows for path, rows in kept if rows},
            blobs={path: some for path, some in blobs if some},
        )
