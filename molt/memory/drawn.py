"""A file of the work tree that molt draws, and that others may have written meanwhile."""

from __future__ import annotations

import os

from molt.repo import worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo


def keep_copy(repo: Repo, path: str) -> None:
    """Keep a copy of what another tool or a person has written there, the first time."""
    data, copy = worktree.read(repo.root, path), f"{path}.before-molt"
    if data is not None and not os.path.lexists(os.path.join(repo.root, copy)):
        worktree.write(repo.root, copy, data)


def read_stamp(repo: Repo, path: str) -> str:
    """What differs once somebody else wrote the file."""
    try:
        found = os.stat(os.path.join(repo.root, path))
    except OSError:
        return "gone"
    return f"{found.st_size}-{found.st_mtime_ns}"
