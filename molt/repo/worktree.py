"""Files on disk: as a tree, as a person's uncommitted edits, and written atomically."""

from __future__ import annotations

import contextlib
import errno
import os
import stat

from molt import errors, trees
from molt.repo import disk
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from molt.repo.disk import Content
    from molt.repo.repository import Repo
    from molt.trees import FileChange, Tree


def safe_path(path: str) -> str:
    """The path, if it stays inside a workspace and outside git's folder. Raises Usage."""
    parts = path.split("/")
    # A line break would also split a line of the journal.
    bad = path.startswith("/") or any(char in "\\\x7f" or char < " " for char in path)
    if bad or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        raise errors.Usage(f"{path!r} is no path inside the workspace")
    return path


def read(root: str, path: str) -> bytes | None:
    """The bytes of a regular file; None where there is none. Raises Failed for a symlink."""
    full = _resolve_inside(root, path)
    try:
        with open(full, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise errors.Failed(f"{path}: {error.strerror}") from error


def _resolve_inside(root: str, path: str) -> str:
    full = root
    for part in safe_path(path).split("/"):
        full = os.path.join(full, part)
        if os.path.islink(full):
            raise errors.Failed(f"{path} goes through a symbolic link", "replace it by a real file")
    return full


def write(root: str, path: str, data: Content | None) -> None:
    """Replace a file in one step, or delete it for None; its mode is kept. What killed processes
    left of it beside it is removed. Raises Failed.
    """
    folder, name = os.path.split(os.path.join(root, path))
    disk.sweep_folder(folder, name + disk.MARK)
    if failed := put_in_place([PendingFile(root, path, data)]):
        raise failed[0]


def put_in_place(files: Iterable[PendingFile]) -> list[errors.Failed]:
    """Put several files in place, whatever fails; gives what did.

    What is deleted goes first, for a file may take the name of a folder, or the reverse. Folders
    that are empty go last: the next file may be written into one of them.
    """
    every = sorted(files, key=lambda one: one.writes)
    failed = []
    for one in every:
        try:
            one.apply()
        except errors.Failed as error:
            failed.append(error)
    for one in every:
        if not one.writes:
            one.prune_folders()
    return failed


class PendingFile:
    """New content of a file, or None to delete it: written elsewhere first, then put in place."""

    def __init__(self, root: str, path: str, data: Content | None) -> None:
        self._root = root
        self._full = _resolve_inside(root, path)
        self._path = path
        self._data = data
        self._fresh = ""
        self._made: list[str] = []

    def prepare(self, fresh: str) -> None:
        """Write the content to the file `fresh`, which is outside of the work tree, and make the
        folders of its place. Raises Failed.

        A file that cannot be renamed from there to its place is written when it is applied.
        """
        if self._data is None:
            return
        try:
            folder = os.path.dirname(self._full)
            self._make(folder)
            there = os.stat(folder)
            if there.st_dev != os.stat(os.path.dirname(fresh)).st_dev:
                return
            disk.put_new(fresh, self._data, like=self._full)
            self._fresh = fresh
            if there.st_mode & stat.S_ISGID:
                os.chown(fresh, -1, there.st_gid)
        except OSError as error:
            raise self._failed(error) from error

    def _make(self, folder: str) -> None:
        missing = []
        while not os.path.isdir(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for one in reversed(missing):
            os.mkdir(one)
            self._made.append(one)

    @property
    def writes(self) -> bool:
        """Whether there is a file afterwards."""
        return self._data is not None

    def list_inside(self) -> Iterator[str]:
        """The paths of the files in a folder that has the place of the file; none for no folder."""
        if self.writes and not os.path.islink(self._full):
            for folder, _, names in os.walk(self._full):
                below = os.path.relpath(folder, self._full)
                yield from (os.path.normpath(f"{self._path}/{below}/{name}") for name in names)

    @property
    def stat(self) -> os.stat_result | None:
        """Of the file that was prepared; None if there is none."""
        return os.lstat(self._fresh) if self._fresh else None

    def apply(self) -> None:
        """Put the content in place, in one step; empty folders in its place go. Raises Failed."""
        self._made = []
        try:
            if self._data is None:
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    os.unlink(self._full)
                return
            _remove_empty_folders(self._full)
            os.makedirs(os.path.dirname(self._full), exist_ok=True)
            if not self._renamed():
                os.replace(disk.put_beside(self._full, self._data), self._full)
        except OSError as error:
            raise self._failed(error) from error

    def prune_folders(self) -> None:
        """Remove the folders above the file that are empty."""
        folder = os.path.dirname(self._full)
        while folder != self._root and _remove_folder(folder):
            folder = os.path.dirname(folder)

    def _renamed(self) -> bool:
        if not self._fresh:
            return False
        try:
            os.replace(self._fresh, self._full)
        except OSError as error:
            # Two mounts of one file system look like one place until then.
            if error.errno != errno.EXDEV:
                raise
            return False
        self._fresh = ""
        return True

    def discard(self) -> None:
        """Remove what was prepared and not applied."""
        if self._fresh:
            os.unlink(self._fresh)
            self._fresh = ""
        for folder in reversed(self._made):
            _remove_folder(folder)

    def _failed(self, error: OSError) -> errors.Failed:
        return errors.Failed(f"cannot write {self._path}: {error.strerror}")


def _remove_folder(folder: str) -> bool:
    """Remove a folder that is empty; False for one that is not, and stays."""
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


def _remove_empty_folders(full: str) -> None:
    """Remove a folder that holds nothing but folders; any other file or folder stays."""
    if os.path.isdir(full) and not os.path.islink(full):
        for folder, _, _ in os.walk(full, topdown=False):
            _remove_folder(folder)


def dirty(repo: Repo, without: Iterable[str] = ()) -> dict[str, str]:
    """Uncommitted paths, new ones included, with git's two status letters (`??` for new); none of
    those that are or are below what is left out.
    """
    args = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
    left_out = [f":(exclude,literal){path}" for path in without]
    records = repo.run(*args, *(("--", *left_out) if left_out else ()))
    return {record[3:]: record[:2] for record in records.split("\0") if record}


def _stored_bytes(root: str, path: str) -> bytes | None:
    """What git would store: of a link its target; None for what it would not, or cannot."""
    full = os.path.join(root, path)
    try:
        if os.path.islink(full):
            return os.fsencode(os.readlink(full))
        return read(root, path)
    except (errors.MoltError, OSError):
        return None


class Worktree:
    """HEAD with what is uncommitted on disk on top, but for files that nobody asks for: `without`
    names them, or their folders.
    """

    def __init__(self, repo: Repo, head: Tree, without: Iterable[str] = ()) -> None:
        self.root = repo.root
        self.head = head
        self.dirty = frozenset(dirty(repo, without))
        self._read: dict[str, bytes | None] = {}
        self._repo = repo
        self._modes: bool | None = None

    def read(self, path: str) -> bytes | None:
        if path not in self.dirty:
            return self.head.read(path)
        if path not in self._read:
            self._read[path] = _stored_bytes(self.root, path)
        return self._read[path]

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        below = self.head.read_many([path for path in paths if path not in self.dirty])
        return {**below, **trees.read_each(self, (path for path in paths if path in self.dirty))}

    def entry(self, path: str) -> Entry | None:
        if path not in self.dirty:
            return self.head.entry(path)
        data = self.read(path)
        return None if data is None else Entry(trees.blob_oid(data), self._file_mode(path))

    def _file_mode(self, path: str) -> int:
        mode = os.lstat(os.path.join(self.root, path)).st_mode
        if stat.S_ISLNK(mode):
            return trees.SYMLINK
        before = self.head.entry(path)
        # Not every file system keeps the bit; a repository says so by `core.fileMode`.
        if self._modes is None:
            self._modes = self._repo.config("core.fileMode") != "false"
        if not self._modes:
            return before.mode if before else trees.REGULAR
        return trees.EXECUTABLE if mode & stat.S_IXUSR else trees.REGULAR

    def entries(self) -> Mapping[str, Entry]:
        merged = dict(self.head.entries())
        for path in self.dirty:
            entry = self.entry(path)
            if entry is None:
                merged.pop(path, None)
            else:
                merged[path] = entry
        return merged

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        if not self.dirty:
            return self.head.names(folder, like)
        return trees.child_names(sorted(self.entries()), folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if base is not self.head:
            return None
        pairs = ((path, base.entry(path), self.entry(path)) for path in sorted(self.dirty))
        return tuple(trees.make_change(*pair) for pair in pairs if pair[1] != pair[2])
