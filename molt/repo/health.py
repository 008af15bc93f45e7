"""What can be wrong with a repository itself, and mending of it."""

from __future__ import annotations

import os
import shlex

from molt import errors, trees
from molt.repo.write import journal, transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.repo.repository import Repo

    Problem = tuple[str, bool, str]

# Bytes: a write makes a few objects, a copy of the index and a line of the journal.
_LEAST_ROOM = 64 << 10
_LOCKS = frozenset(
    (
        "index.lock",
        "HEAD.lock",
        "packed-refs.lock",
        "config.lock",
        "shallow.lock",
        "COMMIT_EDITMSG.lock",
    )
)


def problems(repo: Repo, now: float, *, fix: bool) -> Iterator[Problem]:
    """What is wrong at the second `now`, whether it was mended, and how a person mends it.

    With `fix`, what can be mended is; the remedy is empty where that suffices.

    Raises Busy where another molt is writing, Failed where mending fails.
    """
    yield from _find_interrupted_write(repo, fix=fix)
    for path in _list_locks(repo):
        yield from _describe_lock(repo, path, now)
    yield from _check_index(repo, fix=fix)
    yield from _check_room(repo)
    if os.path.exists(os.path.join(repo.common_dir, "gc.log")):
        yield "git could not pack its objects", False, "`git gc` says why"


def _find_interrupted_write(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    try:
        if journal.load(repo) is None:
            return
    except errors.Failed as error:
        said = error.message
        if fix:
            said += f"; it is {journal.set_aside(repo)} now: see `git status`"
        yield said, fix, ""
        return
    said = "an interrupted write"
    if fix:
        said += " was finished" if transaction.recover(repo) else " had not begun; cleared"
    yield said, fix, ""


def _list_locks(repo: Repo) -> Iterator[str]:
    """The lock files of git: those of this work tree, of branches, and of a partial commit."""
    for folder in dict.fromkeys((repo.git_dir, repo.common_dir)):
        for name in sorted(os.listdir(folder)):
            if name in _LOCKS or (name.startswith("next-index-") and name.endswith(".lock")):
                yield os.path.join(folder, name)
    for folder, _, names in os.walk(os.path.join(repo.common_dir, "refs")):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".lock"))


def _describe_lock(repo: Repo, path: str, now: float) -> Iterator[Problem]:
    """Whose a lock is cannot be proved, so that a person must remove it."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return
    made = f"made {_format_age(now - found.st_mtime)} by {_user_name(found.st_uid)}"
    folder = repo.git_dir if path.startswith(repo.git_dir) else repo.common_dir
    said = f"{os.path.relpath(path, folder)}: git is running, or left it ({made})"
    shown = os.path.relpath(path, repo.root)
    yield said, False, f"if none runs: `rm {shlex.quote(shown)}`"


def _format_age(seconds: float) -> str:
    for length, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // length)
        if count > 0:
            return f"{count} {word}{'s' * (count != 1)} ago"
    return "just now"


def _user_name(number: int) -> str:
    try:
        from pwd import getpwuid

        return getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"


def _check_index(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    index = os.path.join(repo.git_dir, "index")
    if not os.path.exists(index) or _is_intact(index):
        return
    shown = os.path.relpath(index, repo.root)
    if not fix:
        yield f"{shown} is damaged", False, ""
        return
    os.replace(index, f"{index}.damaged")
    repo.run("read-tree", "HEAD")
    yield f"{shown} was damaged and is made anew; what was staged must be staged again", True, ""


def _check_room(repo: Repo) -> Iterator[Problem]:
    """A disk without room for the smallest write."""
    found = os.statvfs(repo.common_dir)
    # Some file systems count no blocks at all, and have room.
    if found.f_blocks and found.f_bavail * found.f_frsize < _LEAST_ROOM:
        yield "the disk is full, so that nothing can be written", False, "`df -h` tells which"


def _is_intact(index: str) -> bool:
    """Whether an index ends in its own checksum: git itself looks only in `git fsck`."""
    with open(index, "rb") as file:
        data = file.read()
    # With `index.skipHash` there are zeros instead.
    return data[:4] == b"DIRC" and data[-20:] in (bytes(20), trees.sha1(data[:-20]).digest())
