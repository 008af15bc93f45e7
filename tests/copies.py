"""Repositories that many tests begin with: made once, and copied for each test."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from molt.cli import main

Make = Callable[[Path], object]
Copy = Callable[[Path, Make], Path]


def make_fresh(root: Path) -> None:
    """What `molt init` makes."""
    assert main(["init", str(root)]) == 0


class Snapshot:
    """What is in a folder, kept in memory: to write it takes a quarter of what a copy takes."""

    def __init__(self, folder: Path) -> None:
        self._made = list(_read(str(folder), ""))

    def write(self, folder: Path) -> None:
        """Make a new folder that holds the same; links stay links, and files keep their times."""
        top = str(folder)
        os.makedirs(os.path.dirname(top), exist_ok=True)
        for name, mode, held, time in self._made:
            path = top + name
            if held is None:
                os.mkdir(path, mode)
            elif isinstance(held, str):
                os.symlink(held, path)
            else:
                with open(path, "xb") as file:
                    file.write(held)
                    os.fchmod(file.fileno(), mode)
                os.utime(path, ns=(time, time))


Kept = tuple[str, int, "bytes | str | None", int]
"""A name below the folder, its mode, the bytes of a file or where a link leads, and when a file was
changed, in nanoseconds.
"""


def _read(path: str, name: str) -> Iterator[Kept]:
    yield name, os.stat(path).st_mode & 0o7777, None, 0
    for entry in os.scandir(path):
        inner, stat = f"{name}/{entry.name}", entry.stat(follow_symlinks=False)
        if entry.is_symlink():
            yield inner, 0, os.readlink(entry.path), 0
        elif entry.is_dir():
            yield from _read(entry.path, inner)
        else:
            yield inner, stat.st_mode & 0o7777, Path(entry.path).read_bytes(), stat.st_mtime_ns


class Copies:
    """Puts a repository at a path as a function makes it; one call of it serves a whole session.

    Making a workspace takes several times as long as copying it, and a lambda is another function
    each time that it is come by. The copy's index knows its files, as git's does where they were
    written in place.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[object, ...], Snapshot] = {}

    def __call__(self, path: Path, make: Make) -> Path:
        # A test that sets the clock of git begins with a workspace of that time.
        kind = (make, path.name, os.environ.get("GIT_COMMITTER_DATE"))
        if kind not in self._made:
            made = self._folder / str(len(self._made)) / path.name
            made.parent.mkdir()
            make(made)
            self._made[kind] = Snapshot(made)
        self._made[kind].write(path)
        if not _refresh_index(path):
            subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=path, check=False)
        return path


_SECOND, _WORD = 1_000_000_000, 0xFFFFFFFF


def _refresh_index(root: Path) -> bool:
    """Have the index of a copy know its files, as git does in as long as the copy has taken; False,
    and nothing is changed, where it did not know each of them before (gitformat-index(5)).
    """
    index = root / ".git/index"
    if not index.exists():
        return True
    data, at = bytearray(index.read_bytes()), 12
    if data[:8] != b"DIRC\0\0\0\2":
        return False
    for _ in range(int.from_bytes(data[8:12], "big")):
        end = data.index(0, at + 62)
        path = root / os.fsdecode(bytes(data[at + 62 : end]))
        found = path.lstat() if path.is_file() else None
        if found is None:
            return False
        changed = divmod(found.st_mtime_ns, _SECOND)
        known = *struct.unpack_from(">2I", data, at + 8), *struct.unpack_from(">I", data, at + 36)
        if known != (*changed, found.st_size):
            return False
        made = divmod(found.st_ctime_ns, _SECOND)
        place = (found.st_dev & _WORD, found.st_ino & _WORD)
        struct.pack_into(">6I", data, at, *made, *changed, *place)
        struct.pack_into(">2I", data, at + 28, found.st_uid, found.st_gid)
        at += (end - at) // 8 * 8 + 8
    data[-20:] = hashlib.sha1(data[:-20], usedforsecurity=False).digest()
    index.write_bytes(data)
    return True
