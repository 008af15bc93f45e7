"""Small files that are derived and private to the clone, below `molt` in a git folder."""

from __future__ import annotations

import os

from molt import errors
from molt.repo import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


PURGE = "purge/note"
"""The note of a purge whose new history is whole, and has to be taken over."""


def path(folder: str, name: str) -> str:
    """Where the file called `name` of a git folder is."""
    return os.path.join(folder, "molt", name)


def read(folder: str, name: str) -> str:
    """The text of a file; empty where there is none."""
    return (_read_bytes(path(folder, name)) or b"").decode("utf-8", "surrogateescape")


def write(folder: str, name: str, text: str, *, durable: bool = False) -> None:
    """Replace a file in one step, `durable` on the disk itself. Raises Failed."""
    try:
        data = text.encode("utf-8", "surrogateescape")
        disk.replace_file(path(folder, name), data, durable=durable)
    except OSError as error:
        raise disk.unwritable_error(path(folder, name), error) from error


def escape_field(text: str) -> str:
    """A text without line breaks and tabs, for a file of lines and fields."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def unescape_field(text: str) -> str:
    """What `escape_field` was given."""
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\t", "\t") for part in parts)


def render_row(fields: Iterable[str]) -> str:
    """A line of a file of lines and fields, with its end."""
    return "\t".join(map(escape_field, fields)) + "\n"


def parse_row(row: str) -> tuple[str, ...]:
    """The fields of a line without its end."""
    return tuple(map(unescape_field, row.split("\t")))


def _read_bytes(full: str) -> bytes | None:
    try:
        with open(full, "rb") as file:
            return file.read()
    except OSError:
        return None


class FileCache(dict[str, bytes]):
    """A mapping whose values are files; one that cannot be written is only forgotten."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = path(folder, "cache")

    def get(self, key: str, default: bytes | None = None) -> bytes | None:  # type: ignore[override]
        """What is kept under a key."""
        found = _read_bytes(os.path.join(self._folder, key))
        return default if found is None else found

    def __setitem__(self, key: str, value: bytes) -> None:
        try:
            disk.replace_file(os.path.join(self._folder, key), value)
        except OSError:
            return


class lock:  # noqa: N801 reads as a function: `with state.lock(...)`
    """Hold one of a git folder's locks; the kernel frees it when its owner dies.

    Who waits stands in the kernel's queue, so that who came first is served first. With `shared`
    the programs that are started meanwhile hold it too: a git that outlives a killed owner may
    still move a branch, and nobody else may go on before that. Raises Failed where the folder
    cannot be written, Busy after `seconds`.
    """

    def __init__(
        self, folder: str, name: str, seconds: float = 10.0, *, shared: bool = False
    ) -> None:
        self._path = path(folder, f"{name}.lock")
        self._seconds = seconds
        self._shared = shared
        self._fd = -1

    def __enter__(self) -> lock:
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._fd = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise disk.unwritable_error(self._path, error) from error
        import fcntl

        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not _Queue(self._fd).wait(self._seconds):
                said = f"another molt holds {self._path}"
                raise errors.Busy(said, "try again") from None
        os.set_inheritable(self._fd, self._shared)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        import fcntl

        # Closing it would leave it held where another program has it as well.
        fcntl.flock(self._fd, fcntl.LOCK_UN)
        os.close(self._fd)

    def note(self, text: str) -> None:
        """Leave a short text for who holds the lock next."""
        data = text.encode("utf-8", "surrogateescape")
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, data, 0)

    @property
    def noted(self) -> str:
        """What was noted last, by whoever held the lock then; empty for nothing."""
        size = os.fstat(self._fd).st_size
        return os.pread(self._fd, size, 0).decode("utf-8", "surrogateescape")

    def clock(self) -> int:
        """Nanoseconds since 1970 by the clock that files are stamped with."""
        os.utime(self._fd)
        return os.fstat(self._fd).st_mtime_ns


class _Queue:
    """Waiting for a lock without asking again and again, and yet not for ever.

    The call that waits cannot be given a time, so another thread makes it. Who asks at intervals
    is overtaken by whoever asks more often: of eight writers the slowest waited six times as
    long as the median.
    """

    def __init__(self, fd: int) -> None:
        import _thread

        self._fd = fd
        self._came = _thread.allocate_lock()
        self._deciding = _thread.allocate_lock()
        self._left = False
        self._came.acquire()

    def wait(self, seconds: float) -> bool:
        """Whether the lock is ours within that time; if not, its file is closed."""
        import _thread

        _thread.start_new_thread(self._stand, ())
        try:
            if self._came.acquire(timeout=max(0.0, seconds)):
                return True
        except BaseException:
            if self._leave():
                os.close(self._fd)
            raise
        return self._leave()

    def _leave(self) -> bool:
        """Stop waiting; whether the lock had come all the same."""
        with self._deciding:
            self._left = True
            return not self._came.locked()

    def _stand(self) -> None:
        import fcntl

        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._deciding:
            if self._left:
                os.close(self._fd)
            else:
                self._came.release()
