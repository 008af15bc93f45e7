"""git's index behind a write: made beside the one that is there, and put in its place at once."""

from __future__ import annotations

import contextlib
import os

from molt import errors
from molt.repo import disk
from molt.repo.write import journal
from molt.repo.write.indexfile import IndexFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import BinaryIO

    from molt.repo.repository import Repo
    from molt.repo.write.indexfile import Known
    from molt.repo.write.journal import JournalStep


class NewIndex:
    """The index that git has now, and the one that it will have.

    git waits for nobody who holds index.lock, so the lock is taken last. It is a link to the file
    that becomes the index, and stays until the files are in place.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._index = os.path.join(repo.git_dir, "index")
        self._ours, self._ours_lock, self._private = (
            os.path.join(repo.git_dir, name) for name in journal.PRIVATE
        )
        self._seen: tuple[int, int, int] | None = None
        self._data = b""
        self._file = IndexFile(b"")
        self._file_mode = self._access_time = 0
        self._filled = False
        self._old: BinaryIO | None = None
        self._held: dict[str, str] = {}
        self.mark = ""

    def look(self) -> None:
        """Take the index as it is now for the one to build on; it stays open.

        A file that nobody has open is taken off the disk by the rename that replaces it, which
        takes a hundred times as long as the rename, and that under the lock.
        """
        self._close_old()
        self._seen, self._data = None, b""
        with contextlib.suppress(FileNotFoundError):
            self._old = open(self._index, "rb")  # noqa: SIM115 `close` does
        if self._old is None:
            return
        self._data = self._old.read()
        fd = self._old.fileno()
        found = os.fstat(fd)
        self._seen, self._file_mode = _make_signature(found), found.st_mode & 0o7777
        # Whoever reads it from now on leaves another time, see `was_read`.
        with contextlib.suppress(OSError):
            os.utime(fd, ns=(0, found.st_mtime_ns))
        self._access_time = os.fstat(fd).st_atime_ns

    def _close_old(self) -> None:
        if self._old is not None:
            self._old.close()
        self._old = None

    @property
    def before(self) -> str:
        """The mark of the index to build on; empty if there is none."""
        return f"{self._seen[0]}-{self._seen[1]}" if self._seen else ""

    def held(self, paths: list[str]) -> dict[str, str]:
        """The blob ids that the index holds for some paths."""
        self._file = IndexFile(self._data)
        found = self._file.blobs(paths)
        if found is None:
            self._copy()
            found = journal.staged_blobs(self._repo, paths, self._ours)
        self._held = found
        return found

    def _copy(self) -> None:
        """Put a copy of the index where git can work on it."""
        self._remove(self._ours, self._ours_lock)
        if self._data:
            with open(self._ours, "wb") as file:
                file.write(self._data)

    def begin(self) -> None:
        """Make the file that the lock will be, empty, so that a journal can name its `mark`.

        Raises Failed where the git folder cannot be written.
        """
        try:
            self._remove(self._private)
            with open(self._private, "xb") as file:
                time = os.fstat(file.fileno()).st_mtime_ns
                os.utime(file.fileno(), ns=(time, time))
                self.mark = disk.mark(os.fstat(file.fileno()))
        except OSError as error:
            raise errors.Failed(f"cannot lock the index: {error.strerror}") from error

    def fill(
        self,
        steps: Sequence[JournalStep],
        known: Mapping[str, Known],
        folders: Mapping[str, tuple[str, str]],
    ) -> None:
        """Make the index as it will be, with what is `known` of files that hold what it says, and
        the ids of the `folders` of a commit's paths, before and after it.

        Raises Failed where the git folder cannot be written.
        """
        blobs = {
            step.path: (step.mode, step.committed[1])
            for step in steps
            if self._held.get(step.path, "") in step.committed
        }
        try:
            whole = len(blobs) == len(steps)
            if blobs and not self._file.put(blobs, folders if whole else {}):
                self._copy()
                journal.update_index(self._repo, steps, self._ours, self._held)
                with open(self._ours, "rb") as file:
                    self._file = IndexFile(file.read())
            for path in known:
                if path in blobs:
                    self._file.note(path, blobs[path][1], known[path])
            self._write(self._file.render())
        except OSError as error:
            raise errors.Failed(f"cannot write the index: {error.strerror}") from error

    def _write(self, data: bytearray) -> None:
        """Fill the file that the lock is or will be, onto the disk itself."""
        self._filled = bool(data)
        if self._filled:
            with open(self._private, "r+b") as file:
                self._put(file, data, int(self.mark.rpartition("-")[2]))

    def _put(self, file: BinaryIO, data: bytes | bytearray, time: int) -> None:
        """Write an index: `time` (ns) is when git is to think that it was written."""
        file.write(data)
        file.flush()
        if self._seen:
            os.fchmod(file.fileno(), self._file_mode)
        os.utime(file.fileno(), ns=(time, time))
        os.fsync(file.fileno())

    @property
    def was_read(self) -> bool:
        """Whether somebody has read the index since `look`, where the file system tells; once it
        is replaced that cannot change any more.

        `git commit` reads the index before it locks it: a write that came and went in between
        would be undone in the index, and by the next commit in the branch. (Some file systems
        keep no time of reading; `put_back` is for what happens then.)
        """
        return (
            self._old is not None and os.fstat(self._old.fileno()).st_atime_ns != self._access_time
        )

    @property
    def unchanged(self) -> bool:
        """Whether git's index is still the one to build on."""
        return _find_signature(self._index) == self._seen

    def lock(self) -> bool:
        """Take index.lock; False where git holds it. Raises Failed where that cannot be."""
        try:
            os.link(self._private, f"{self._index}.lock")
        except FileExistsError:
            return False
        except OSError as error:
            raise errors.Failed(f"cannot lock the index: {error.strerror}") from error
        return True

    def release(self) -> None:
        """Give the lock back if it is ours; the index stays as it was."""
        journal.release_lock(self._repo, self.mark)

    def publish(self) -> None:
        """Put the index in its place; the lock stays. Raises Failed, and nothing has changed."""
        try:
            if self._filled:
                os.replace(self._private, self._index)
        except OSError as error:
            raise errors.Failed(f"cannot write the index: {error.strerror}") from error

    def take_back(self) -> None:
        """Put the index back that `look` found, under the lock. Raises OSError."""
        if not self._filled:
            return
        if self._seen is None:
            os.unlink(self._index)
            return
        with open(self._ours, "wb") as file:
            self._put(file, self._data, self._seen[1])
        os.replace(self._ours, self._index)

    def refresh(self) -> None:
        """Let git look at the files once more; it does no harm if git cannot."""
        self._repo.git("update-index", "-q", "--refresh")

    def close(self) -> None:
        """Remove what was beside the index."""
        self._close_old()
        with contextlib.suppress(OSError):
            self._remove(self._ours, self._ours_lock, self._private)

    def _remove(self, *names: str) -> None:
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)


def _make_signature(found: os.stat_result) -> tuple[int, int, int]:
    """What tells an index from a later one."""
    return found.st_ino, found.st_mtime_ns, found.st_size


def _find_signature(path: str) -> tuple[int, int, int] | None:
    try:
        return _make_signature(os.stat(path))
    except FileNotFoundError:
        return None
