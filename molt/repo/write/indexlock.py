"""git's own index.lock, held for one write: no git command changes the index meanwhile."""

from __future__ import annotations

import os
import signal

from molt import errors
from molt.repo.write import journal
from molt.repo.write.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from molt.repo.repository import Repo
    from molt.repo.write.journal import JournalStep


class IndexLock:
    """Holds index.lock, and keeps Ctrl-C waiting, so that a write ends before or after itself.

    Raises Busy where git holds the lock until `end`, Failed where the git folder cannot be
    written. `began` says that the branch may have moved: from then on the journal stays until
    the write is over, whatever happens.
    """

    def __init__(self, repo: Repo, end: float) -> None:
        self._repo = repo
        self._index = os.path.join(repo.git_dir, "index")
        self._ours, self._ours_lock, self._private = (
            os.path.join(repo.git_dir, name) for name in journal.PRIVATE
        )
        self._end = end
        self.began = False
        self.done = False
        self.mark = ""

    def __enter__(self) -> IndexLock:
        # The lock appears by a link to a file that the journal names already, so that a write
        # which is killed right here leaves a lock whose owner can be told.
        try:
            with open(self._private, "wb") as file:
                self.mark = journal.lock_mark(os.fstat(file.fileno()))
        except OSError as error:
            raise errors.Failed(f"cannot lock the index: {error.strerror}") from error
        try:
            journal.save(self._repo, Journal("", "", self.mark, ()))
            self._link()
        except BaseException:
            journal.clear(self._repo)
            raise
        finally:
            os.unlink(self._private)
        return self

    def _link(self) -> None:
        from time import monotonic, sleep

        wait = 0.001
        while True:
            _hold_signals()
            try:
                os.link(self._private, f"{self._index}.lock")
                return
            except FileExistsError:
                _free_signals()
                if monotonic() > self._end:
                    raise errors.Busy(
                        f"{self._index}.lock is held by git",
                        "close the editor of an open `git commit`; `molt doctor` finds stale locks",
                    ) from None
            sleep(wait)
            wait = min(wait * 2, 0.03)

    def prepare(self, steps: tuple[JournalStep, ...], held: Mapping[str, str]) -> None:
        """Make the index as it will be, beside the one that is there. Raises Failed."""
        for name in (self._ours, self._ours_lock):
            if os.path.lexists(name):
                os.unlink(name)
        if os.path.exists(self._index):
            # git replaces an index and never writes into it, so the old one stays as it is.
            os.link(self._index, self._ours)
        journal.update_index(self._repo, steps, self._ours, held)

    def publish(self) -> None:
        """The index that was prepared becomes git's, in one rename."""
        if os.path.lexists(self._ours):
            os.replace(self._ours, self._index)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            journal.release_lock(self._repo, self.mark)
            # Last, for without a journal nobody could tell whose a lock is.
            if self.done or not self.began:
                journal.clear(self._repo)
        finally:
            _free_signals()


def _hold_signals() -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)


def _free_signals() -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)


_STOPS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
