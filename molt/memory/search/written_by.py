"""Whose memories they are: what the commits of an actor wrote or changed.

History alone tells. One look at all messages finds the commits of the actor. Where molt wrote a
commit, its message names its memories, and nothing else is read. What others wrote (people with
plain git, imports) names no memories: of these commits the changed files are compared with what
they were, entry by entry, because a day's log or MEMORY.md holds the memories of many. `git blame`
would tell less and cost more: it knows who touched a line last, not who wrote it first, and walks
the history once for each file, while it must be known for all files before the results are cut.
"""

from __future__ import annotations

from molt.formats import episodes, ids, paths
from molt.formats import lines as textlines
from molt.formats import message as messages
from molt.index.content import chunks
from molt.index.search import selected
from molt.repo import history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.index.search.selected import Chosen
    from molt.repo.history import Version
    from molt.repo.repository import Repo

_SHARED = ("core", "episode")
# Blobs that are held at once.
_SOME = 256


def find_written(repo: Repo, rev: str | None, actor: str) -> Chosen:
    """The memories that an actor wrote or changed, by the commits that lead to a revision; none
    for None. `actor` is as in `messages.is_by`.
    """
    found = _ChangedMemories(repo)
    unnamed: list[str] = []
    for oid, text in history.messages(repo, rev) if rev else ():
        if _may_be_by(text, actor):
            message = messages.parse(text)
            if messages.is_by(messages.actor(message), actor):
                named = _list_named(message)
                found.ids.update(named)
                unnamed += [] if named else [oid]
    found.compare(unnamed)
    lines = {path: frozenset(rows) for path, rows in found.lines.items()}
    return selected.Chosen(frozenset(found.ids), frozenset(found.paths), lines)


def _may_be_by(text: str, actor: str) -> bool:
    """Whether to look closer: to take a message apart takes longer than all else."""
    return actor in text or any(mark in actor for mark in "*?[—")


def _list_named(message: messages.Message) -> tuple[str, ...]:
    """The memories that a commit of molt names; none where it may have changed others as well.

    molt's own subject names the file of the first memory. What was deleted is not changed.
    """
    named = messages.trailer_values(message, "Memory-Id")
    try:
        trusted = bool(named) and ids.path_of(named[0]) == message.file
    except ValueError:
        return ()
    return named if trusted and message.action != "DELETE" else ()


class _ChangedMemories:
    """What commits are seen to have changed: memories by id, files that are one memory, and of
    logs in prose the lines.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self.ids: set[str] = set()
        self.paths: set[str] = set()
        self.lines: dict[str, set[str]] = {}

    def compare(self, commits: Sequence[str]) -> None:
        """Add what some commits changed."""
        if not commits:
            return
        shared: list[Version] = []
        for one in history.versions(self._repo, commits, paths.CORE, "memory"):
            if not paths.holds_memories(one.path):
                continue
            if paths.kind_of(one.path) in _SHARED:
                shared.append(one)
            else:
                self.paths.add(one.path)
        # One file after the other: most of its versions are both after one and before the next.
        shared.sort(key=lambda one: one.path)
        for start in range(0, len(shared), _SOME):
            self._read_versions(shared[start : start + _SOME])

    def _read_versions(self, some: Sequence[Version]) -> None:
        oids = dict.fromkeys(oid for one in some for oid in (one.new, *one.old))
        blobs = self._repo.reader.blobs(list(oids))
        texts = {oid: data.decode("utf-8", "replace") for oid, data in blobs.items()}
        for one in some:
            before = [texts.get(oid, "") for oid in one.old]
            self._compare_versions(one.path, texts.get(one.new, ""), before)

    def _compare_versions(self, path: str, after: str, before: Sequence[str]) -> None:
        start = _changed_from(path, after, before)
        after, before = after[start:], [text[start:] for text in before]
        known = {memory for text in before for memory in _split_memories(path, text)}
        fresh = [memory for memory in _split_memories(path, after) if memory not in known]
        self.ids.update(memory[0] for memory in fresh)
        if paths.kind_of(path) == "episode":
            rows = _split_rows(after).difference(*map(_split_rows, before))
            self.lines.setdefault(path, set()).update(rows)


def _changed_from(path: str, after: str, before: Sequence[str]) -> int:
    """Where the first entry begins that may have changed: a log grows at its end, and each of a
    thousand versions is compared with the one before.
    """
    if not before or not paths.date_of(path):
        return 0
    return episodes.find_entry_start(after, min(_count_shared(after, text) for text in before))


def _count_shared(one: str, other: str) -> int:
    """How long two texts are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _split_memories(path: str, text: str) -> Iterator[tuple[str, object]]:
    """The memories of a file of many, each as its id and all that it says."""
    if paths.kind_of(path) == "core":
        for piece in chunks.chunk_file(path, text):
            yield piece.memory_id, piece.text
        return
    for entry in episodes.parse(text, paths.date_of(path) or ""):
        yield entry.id, entry.replace(start=0, end=0)


def _split_rows(text: str) -> frozenset[str]:
    """The lines of a text that hold a word."""
    rows = (textlines.strip_newline(line).strip() for line in textlines.split_lines(text))
    return frozenset(row for row in rows if any(map(str.isalnum, row)))
