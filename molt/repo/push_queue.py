"""A queue at a remote, of clones that want to push to one branch at the same time.

Who is behind has to fetch, merge and judge before it can push, who is ahead has not: of two clones
that sync without a pause, the one that is ahead would be faster every time. So who was late more
than once puts a ref beside the branch, its ticket; others see it when they fetch, line up behind
it, and wait until it is gone. The push that a ticket is for removes it, in one step. Numbers are
given as in Lamport's bakery: one more than the highest that is seen, and of equal ones the name
that sorts first. Nothing depends on it but who goes first: a remote that takes no such ref, or a
clone that does not look, makes it as it is without.
"""

from __future__ import annotations

import os
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.process import Output
    from molt.repo.repository import Repo

# Nothing waits for a word that nobody will type: `git fetch` by hand asks for it.
_UNATTENDED = {"GIT_TERMINAL_PROMPT": "0"}
# No answer for that many seconds is none.
_PATIENCE = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60")
_THERE = "refs/molt/turns/"
_HERE = "refs/molt/remote-turns/"
_GONE = 30.0
"""Seconds after which a ticket counts no more, for its owner was ended before it could remove it:
longer than a fetch, a merge and a push of a day's work take. Who was only slow loses its place."""
_MOST = 120.0
"""Seconds that one push waits in all: tickets that were left in numbers, or that somebody puts in
front again and again, keep nobody from going on without an order."""
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between two looks; the last again and again."""


def ask_remote(repo: Repo, *args: str) -> Output:
    """What git gives for a command that goes to a remote; it asks nobody for a password."""
    return repo.git(*_PATIENCE, *args, env=_UNATTENDED)


class PushQueue:
    """The queue of one branch of a remote, and our ticket in it, if we have one; used with `with`,
    which leaves the queue. `begin` is when this clone began to ask, in nanoseconds, by the clock
    that files are stamped with: tickets are files, and a disk may have another time than we.
    """

    def __init__(self, repo: Repo, remote: str, branch: str, begin: int) -> None:
        # A branch below another one is no ticket of it.
        folder = branch.removeprefix("refs/heads/").replace("/", "%")
        self._repo = repo
        self._remote = remote
        self._folder = f"{_THERE}{folder}/"
        self._seen = f"{_HERE}{remote}/{folder}/"
        self._begin = begin
        self._own = ""
        self._closed = False
        self._end = 0.0

    def __enter__(self) -> PushQueue:
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._own:
            self._drop(self._own)

    @property
    def fetched(self) -> str:
        """What to fetch, for the queue to be known here."""
        return f"+{self._folder}*:{self._seen}*"

    def push(self, refspec: str) -> Output:
        """What git gives for a push of a branch; our ticket goes with it, in one step."""
        asked = ("push", "--quiet", "--end-of-options", self._remote, refspec)
        if self._own:
            gone = f":{self._folder}{self._own}"
            done = ask_remote(self._repo, "push", "--quiet", "--atomic", *asked[2:], gone)
            if done.status == 0:
                self._own = ""
                return done
        # Not every remote takes two refs in one step, or lets one be deleted.
        return ask_remote(self._repo, *asked)

    def await_turn(self, oid: str, *, late: bool) -> bool:
        """Wait for our turn, as far as it was known at the last fetch that it is not; whether we
        have waited, and the branch is another by now. Who is `late` gets a ticket, and who finds
        others waiting: a ref to `oid`, a commit that the remote has.
        """
        others = self._list_seen()
        if self._own and self._own not in others:
            self._own = ""
        others.discard(self._own)
        if (late or others) and not (self._own or self._closed):
            self._join(others, oid)
        if not self._own or not any(one < self._own for one in others):
            return False
        self._end = self._end or monotonic() + _MOST
        if monotonic() > self._end:
            return False
        self._wait(oid)
        return True

    def _list_seen(self) -> set[str]:
        """The tickets that the last fetch has brought; git writes none anew that is as it was, so
        the time of its file is when it came, and those that git has packed are old.
        """
        try:
            with os.scandir(os.path.join(self._repo.common_dir, self._seen)) as found:
                since = self._begin - int(_GONE * 1e9)
                return {one.name for one in found if one.stat().st_mtime_ns > since}
        except OSError:
            return set()

    def _join(self, others: set[str], oid: str) -> None:
        from secrets import token_hex

        highest = max((one.partition("-")[0] for one in others), default="")
        number = int(highest) + 1 if highest.isdecimal() and len(highest) < 9 else 1
        own = f"{number:08}-{token_hex(4)}"
        # Nothing leaves that is not there already: the hook before a push has nothing to judge.
        asked = ("push", "--quiet", "--no-verify", "--end-of-options", self._remote)
        done = ask_remote(self._repo, *asked, f"{oid}:{self._folder}{own}")
        if done.status:
            self._closed = True
        else:
            self._own = own

    def _wait(self, oid: str) -> None:
        first, since, looks = "", monotonic(), 0
        while monotonic() < self._end:
            waiting = self._list_waiting()
            if self._own not in waiting:
                self._own = ""
                self._join(set(waiting), oid)
                return
            if waiting[0] == self._own:
                return
            if waiting[0] != first:
                first, since = waiting[0], monotonic()
            elif monotonic() - since > _GONE:
                self._drop(first)
            sleep(_PAUSES[min(looks, len(_PAUSES) - 1)])
            looks += 1

    def _list_waiting(self) -> list[str]:
        """The tickets at the remote, who is first in front; ours alone where it does not answer."""
        done = ask_remote(self._repo, "ls-remote", self._remote, f"{self._folder}*")
        if done.status:
            return [self._own]
        names = (row.partition("\t")[2] for row in done.text.splitlines())
        return sorted(name.removeprefix(self._folder) for name in names)

    def _drop(self, ticket: str) -> None:
        asked = ("push", "--quiet", "--no-verify", "--end-of-options", self._remote)
        ask_remote(self._repo, *asked, f":{self._folder}{ticket}")
