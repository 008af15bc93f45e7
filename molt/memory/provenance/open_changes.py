"""Changes of critical files that nobody has acknowledged yet, as each commit's own past has them.

An acknowledgement answers for the changes that lead to it, and for no others: what a branch beside
it changed, or had left open before, stays as it is on that branch, whatever the order of a log.
"""

from __future__ import annotations

from molt import config
from molt.formats import message as messages
from molt.formats import paths as layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from molt.formats.message import Message
    from molt.repo.repository import LogCommit, Repo

Change = tuple[str, str]
"""A critical file and the commit that changed it; the commit is empty for all before a range."""
_NONE: frozenset[Change] = frozenset()


def acknowledged(message: Message) -> tuple[str, ...]:
    """The files that a message acknowledges; a person alone can do that."""
    if message.action != "ACK" or messages.actor(message) != "manual":
        return ()
    return messages.trailer_values(message, "Acknowledged")


class Past:
    """The critical files with a pending change in what leads to some commits; `file in past` asks
    for one. Of a range it is made commit by commit; `before` knows of what came earlier.
    """

    def __init__(self, before: Callable[[str], bool]) -> None:
        self._before = before
        self._open = self._answered = _NONE
        # Earlier changes of a file on the same line, for which a later one stands.
        self._covered: dict[Change, frozenset[Change]] = {}

    def __contains__(self, file: object) -> bool:
        if any(path == file for path, _ in self._open):
            return True
        return (file, "") not in self._answered and self._before(str(file))

    def _but(self, still_open: frozenset[Change], answered: frozenset[Change]) -> Past:
        made = Past(self._before)
        made._open, made._answered, made._covered = still_open, answered, self._covered
        return made

    def follow(self, oid: str, changed: Iterable[str], files: Iterable[str]) -> Past:
        """What leads to a commit, itself included, that changes critical files and acknowledges
        some.
        """
        touched, done = frozenset(changed), frozenset(files)
        if not touched and not done:
            return self
        gone = {one for one in self._open if one[0] in done}
        older = {one for one in self._open - gone if one[0] in touched}
        for path in touched:
            self._covered[path, oid] = frozenset(one for one in older if one[0] == path)
        fresh = {(path, oid) for path in touched}
        answered = self._answered.union(self._with_older(gone), ((file, "") for file in done))
        return self._but((self._open - gone - older) | fresh, answered)

    def _with_older(self, changes: Iterable[Change]) -> Iterator[Change]:
        waiting = list(changes)
        while waiting:
            yield (one := waiting.pop())
            waiting += self._covered.get(one, ())

    def join(self, others: Iterable[Past]) -> Past:
        """What leads to a merge: what none of its parents has answered."""
        every = (self, *others)
        still_open = _NONE.union(*(one._open for one in every))
        answered = _NONE.union(*(one._answered for one in every))
        return self._but(still_open - answered, answered)


def look_up(repo: Repo, rev: str, file: str) -> bool:
    """Whether a file has a pending change in the history of a revision.

    The newest change or acknowledgement decides. Behind an acknowledgement only that is looked at
    which it does not answer for, so that no more of the history is read than lies in between.
    """
    answers: list[str] = []
    excluded: list[str] = []
    while True:
        paths = (f":(top,literal){path}" for path in (file, layout.CHECKSUMS))
        args = ("--full-history", rev, *excluded, "--", *paths)
        for commit in repo.log_newest(*args):
            if file in acknowledged(messages.parse(commit.message)):
                answers.append(commit.oid)
                break
            if _is_open(repo, commit, file, answers):
                return True
        else:
            return False
        excluded.append(f"^{answers[-1]}")


def _is_open(repo: Repo, commit: LogCommit, file: str, answers: Iterable[str]) -> bool:
    """Whether a commit changed a file, critical by then, and none of some answers leads to it."""
    if not any(path == file for _, path in commit.paths) or not commit.parents:
        return False
    base = repo.tree(commit.parents[0])
    if base.entry(config.PATH) is None:
        return False
    critical = config.load(base, repo.cache)[0].policy_critical
    return file in critical and not any(repo.is_ancestor(commit.oid, one) for one in answers)
