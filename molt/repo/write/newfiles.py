"""The files of a write: as they were found, as they will be, and put in place all together."""

from __future__ import annotations

import os

from molt import errors
from molt.repo import disk, worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.repo.write.indexfile import Known
    from molt.trees import Edits

_SECOND = 1_000_000_000  # nanoseconds
# A file's time of change is of the second in which it gets its name, which should still be the
# second in which it is prepared.
_LATE = 0.95


class FoundFile(Value):
    """A file as a write found it: its bytes, and what differs after any later change."""

    data: bytes | None
    mark: tuple[int, ...]


def find_files(root: str, paths: Iterable[str]) -> dict[str, FoundFile]:
    """The files as they are. Raises Failed for one that is reached through a link."""
    return {path: FoundFile(worktree.read(root, path), _mark(root, path)) for path in paths}


def _mark(root: str, path: str) -> tuple[int, ...]:
    try:
        found = os.lstat(os.path.join(root, path))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size


class NewFiles:
    """Content for some files, None to delete; those that have it already are left alone."""

    def __init__(self, root: str, found: Mapping[str, FoundFile], wanted: Edits) -> None:
        self._root = root
        self._found = found
        self._wanted = wanted
        self._changes = {
            path: worktree.PendingFile(root, path, data)
            for path, data in wanted.items()
            if data != found[path].data
        }
        self._second = 0

    def prepare(self, folder: str) -> None:
        """Write everything to files in `folder`, onto the disk itself. Raises Failed."""
        gone = [path for path, data in self._wanted.items() if data is None]
        self._refuse_full_folders(set(gone))
        for number, (path, change) in enumerate(self._changes.items()):
            # A folder can take the name of a file only after that is gone.
            if not any(path.startswith(f"{one}/") for one in gone):
                change.prepare(os.path.join(folder, f"file-{number}{disk.MARK}{os.getpid()}"))
        last = max((found.st_ctime_ns for found in self._stats().values()), default=0)
        self._second, rest = divmod(last, _SECOND)
        if rest > _LATE * _SECOND:
            from time import sleep

            sleep((_SECOND - rest) / _SECOND)
            self._second += 1

    def _refuse_full_folders(self, gone: set[str]) -> None:
        """Raises Failed where a file is to take the name of a folder in which others stay."""
        for path, change in self._changes.items():
            for inside in change.list_inside():
                if inside not in gone:
                    said = f"{path} becomes a file, and {inside} is in the folder of that name"
                    raise errors.Failed(said, "move it elsewhere first")

    def _stats(self) -> dict[str, os.stat_result]:
        """Of what was prepared."""
        every = ((path, change.stat) for path, change in self._changes.items())
        return {path: found for path, found in every if found is not None}

    def known(self) -> Iterator[tuple[str, Known]]:
        """By path what the index may know: stat, and the second of the last change."""
        for path, found in self._stats().items():
            yield path, (found, self._second)
        for path, data in self._wanted.items():
            if data is not None and path not in self._changes:
                found = os.lstat(os.path.join(self._root, path))
                yield path, (found, found.st_ctime_ns // _SECOND)

    @property
    def untouched(self) -> bool:
        """Whether all files are still as they were found."""
        return all(_mark(self._root, path) == found.mark for path, found in self._found.items())

    def apply(self) -> list[str]:
        """Put everything in place, whatever fails; gives what did."""
        return [one.message for one in worktree.put_in_place(self._changes.values())]

    @property
    def late(self) -> bool:
        """Whether the files got their names in a later second than was foreseen."""
        paths = (path for path in self._changes if self._wanted[path] is not None)
        return any(mark[2] // _SECOND != self._second for mark in self._marks(paths) if mark)

    def _marks(self, paths: Iterable[str]) -> Iterator[tuple[int, ...]]:
        return (_mark(self._root, path) for path in paths)

    def discard(self) -> None:
        """Remove what was prepared and is not in place."""
        for change in self._changes.values():
            change.discard()
