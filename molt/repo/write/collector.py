"""Whoever prunes beside a write: `git prune --expire=now`, or a `git gc` that spares nothing young.

By default git keeps what is younger than two weeks. Told to spare nothing, it looks at the refs
first and deletes later, and what a branch got in between is gone. It takes no lock. But it removes
the files that a dead git has left beside objects, folder by folder, and looks at the refs when it
meets the first object. So a file of that name in the first folder is a sign: where it is gone,
somebody prunes, and what is written then goes into packs, which only a gc may take.
"""

from __future__ import annotations

import contextlib
import os

from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

SIGN = "00/tmp_obj_molt-sign"
_SEEN = "sign"
# Who has removed a sign may still be at work: a history of 100,000 commits takes some seconds.
_RESTLESS = 60
_LONGEST_GC = 12 * 3600
"""Seconds after which git takes a gc for dead (builtin/gc.c)."""


class PruneWatch:
    """Whether somebody prunes the objects of a repository, in a folder of objects."""

    def __init__(self, repo: Repo, folder: str) -> None:
        self._sign = os.path.join(folder, SIGN)
        self._seen = state.path(repo.common_dir, _SEEN)
        self._gc = os.path.join(repo.common_dir, "gc.pid")
        self._apart = "GIT_OBJECT_DIRECTORY" in os.environ

    def is_calm(self) -> bool:
        """Whether nobody prunes, nor did a moment ago; leaves a sign for the next who does."""
        if self._apart:
            return True
        try:
            # Its times are those of the disk, as are those of the sign.
            os.utime(self._seen)
            now = os.stat(self._seen).st_mtime
        except FileNotFoundError:
            return self._begin()
        except OSError:
            return os.path.exists(self._sign)
        try:
            since = os.stat(self._sign).st_mtime
        except OSError:
            self._leave_sign()
            return False
        return not 0 <= now - since < _RESTLESS and not self._is_collecting(now)

    def _is_collecting(self, now: float) -> bool:
        """Whether a gc is at work; one that was ended has left its file."""
        try:
            return now - os.stat(self._gc).st_mtime < _LONGEST_GC
        except OSError:
            return False

    def was_calm(self) -> bool:
        """Whether nobody has begun to prune since `is_calm` said so."""
        return self._apart or os.path.exists(self._sign)

    def _begin(self) -> bool:
        """The first write of a clone: no sign was there that somebody could have removed."""
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._seen), exist_ok=True)
            with open(self._seen, "ab"):
                pass
            self._leave_sign()
            since = os.stat(self._seen).st_mtime - _RESTLESS
            os.utime(self._sign, (since, since))
        return True

    def _leave_sign(self) -> None:
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._sign), exist_ok=True)
            with open(self._sign, "ab"):
                pass
