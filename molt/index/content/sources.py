"""What is searched besides the memory: the Markdown at the top of the workspace and in its folders,
other folders of Markdown, and transcripts in segments.

The last two are indexed under paths that no workspace has: `extra:` before an absolute path,
`session:` before the name of a transcript and the number of a segment.
"""

from __future__ import annotations

import os
import stat

from molt.formats import documents, paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

EXTRA = "extra:"
SESSION = "session:"
PREFIXES = (EXTRA, SESSION)
WORKSPACE = "workspace"
"""The source, and the store, of what stands at the top of the workspace."""
DOCUMENTS = "documents"
"""The source, and the store, of the Markdown in other folders of the workspace."""
NAMES = ("memory", WORKSPACE, DOCUMENTS, "extra", "sessions")
# A Markdown file of more than this is no note.
_LARGEST = 4 << 20


class Beyond(Value):
    """Files that are searched besides the memory: what tells their versions apart, by path, and
    how to read one; `notes` says what could not be read, more so after reading.
    """

    versions: Mapping[str, str]
    read: Callable[[str], bytes]
    notes: Sequence[str] = ()


class Turn(Value):
    """What one side said in a conversation: the line of the transcript, day, side and text."""

    line: int
    date: str
    role: str
    text: str


def read_nothing(path: str) -> bytes:
    """What is read where no source is configured."""
    raise FileNotFoundError(path)


NONE = Beyond({}, read_nothing)


def is_searched(path: str) -> bool:
    """Whether a path of the tree is indexed: a memory, Markdown at the top of the workspace, or a
    document in one of its folders.
    """
    return paths.holds_memories(path) or paths.is_workspace(path) or documents.is_document(path)


def source_of(path: str) -> str:
    """Which source a path of the index is from."""
    if path.startswith(EXTRA):
        return "extra"
    if path.startswith(SESSION):
        return "sessions"
    if documents.is_document(path):
        return DOCUMENTS
    return WORKSPACE if paths.is_workspace(path) else "memory"


def display_path(path: str) -> str:
    """A path as people know it: without the mark of an extra one, a transcript's as a whole."""
    if path.startswith(SESSION):
        return path.rpartition("/")[0]
    return path.removeprefix(EXTRA)


def list_extra(root: str, places: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The Markdown files of the places, with what tells their versions apart. Those inside `root`
    are named from there.

    Symbolic links, hidden files and what the memory holds itself are left out.
    """
    for place in places:
        full = os.path.normpath(os.path.join(root, os.path.expanduser(place)))
        yield from _walk_folder(full, root)


def _walk_folder(full: str, root: str) -> Iterator[tuple[str, str]]:
    try:
        about = os.lstat(full)
        names = sorted(os.listdir(full)) if stat.S_ISDIR(about.st_mode) else []
    except OSError:
        return
    for name in names:
        if not name.startswith("."):
            yield from _walk_folder(os.path.join(full, name), root)
    if not stat.S_ISREG(about.st_mode) or not paths.is_markdown(full):
        return
    path = full.replace(os.sep, "/")
    inside = path.removeprefix(root.replace(os.sep, "/").rstrip("/") + "/")
    if about.st_size <= _LARGEST and not (inside != path and paths.holds_memories(inside)):
        yield EXTRA + inside, f"{about.st_mtime_ns}-{about.st_size}-{about.st_ino}"


def read_extra(root: str, path: str) -> bytes:
    """The bytes of an extra file; none for one that is gone or has become a link."""
    full = os.path.join(root, path.removeprefix(EXTRA))
    try:
        handle = os.open(full, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return b""
    with open(handle, "rb") as file:
        return file.read(_LARGEST)


def render_turns(turns: Sequence[Turn]) -> bytes:
    """A segment of a transcript as it is handed to `chunk_sources`."""
    import json

    return json.dumps([turn._astuple() for turn in turns]).encode()


class Foreign:
    """A SQLite file of another program, only ever read: nothing is locked that its owner waits
    for, and nothing is left beside it. Raises OSError where that fails.
    """

    def __init__(self, path: str) -> None:
        import apsw

        self._path = path
        self._errors = apsw.Error
        self._open(is_still=not self._is_in_use())

    def _open(self, *, is_still: bool) -> None:
        """Open it. One that nobody has written to since it was closed is taken as it lies: SQLite
        would make files beside it and, where it may only read, leave them there.
        """
        from urllib.parse import quote

        import apsw

        self._is_still = is_still
        how = "immutable=1" if is_still else "mode=ro"
        address = f"file:{quote(self._path.replace(os.sep, '/'))}?{how}"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        try:
            self._con = apsw.Connection(address, flags=flags)
            self._con.set_busy_timeout(2_000)
        except apsw.Error as error:
            raise OSError(f"{self._path}: {error}") from error

    def _is_in_use(self) -> bool:
        """Whether there is more of it than its file holds."""
        return any(_measure_file(self._path + end) for end in ("-wal", "-journal"))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        try:
            found = list(self._con.execute(sql, tuple(values)))
        except self._errors as error:
            if not (self._is_still and self._is_in_use()):
                raise OSError(str(error)) from error
            found = []
        if self._is_still and self._is_in_use():
            # Its owner began to write meanwhile: what was read may be half of it.
            self.close()
            self._open(is_still=False)
            return self.rows(sql, values)
        return found

    def close(self) -> None:
        """Close it."""
        self._con.close()


def _measure_file(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
