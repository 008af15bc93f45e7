"""Small files that are derived and private to the clone, below `molt` in a git folder."""

from __future__ import annotations

import os

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def path(folder: str, name: str) -> str:
    """Where the file called `name` of a git folder is."""
    return os.path.join(folder, "molt", name)


def read(folder: str, name: str) -> str:
    """The text of a file; empty where there is none."""
    return (_read_bytes(path(folder, name)) or b"").decode("utf-8", "surrogateescape")


def write(folder: str, name: str, text: str, *, durable: bool = False) -> None:
    """Replace a file in one step, `durable` on the disk itself. Raises Failed."""
    try:
        _replace_file(path(folder, name), text.encode("utf-8", "surrogateescape"), durable=durable)
    except OSError as error:
        raise errors.Failed(f"cannot write {path(folder, name)}: {error.strerror}") from error


def escape_field(text: str) -> str:
    """A text without line breaks and tabs, for a file of lines and fields."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def unescape_field(text: str) -> str:
    """What `escape` was given."""
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\t", "\t") for part in parts)


def _read_bytes(full: str) -> bytes | None:
    try:
        with open(full, "rb") as file:
            return file.read()
    except OSError:
        return None


def _replace_file(full: str, data: bytes, *, durable: bool = False) -> None:
    fresh = f"{full}.{os.getpid()}"
    try:
        _write_file(fresh, data, durable)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(full), exist_ok=True)
        _write_file(fresh, data, durable)
    os.replace(fresh, full)


def _write_file(full: str, data: bytes, durable: bool) -> None:
    file = open(full, "wb")  # noqa: SIM115 what cannot be written whole is removed below
    try:
        with file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
    except OSError:
        os.unlink(full)
        raise


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
            _replace_file(os.path.join(self._folder, key), value)
        except OSError:
            return


class lock:  # noqa: N801 reads as a function: `with state.lock(...)`
    """Hold one of a git folder's locks; the kernel frees it when its owner dies.

    With `shared` the programs that are started meanwhile hold it too: a git that outlives a
    killed owner may still move a branch, and nobody else may go on before that. Raises Failed
    where the folder cannot be written, Busy after `seconds`.
    """

    def __init__(
        self, folder: str, name: str, seconds: float = 10.0, *, shared: bool = False
    ) -> None:
        self._path = path(folder, f"{name}.lock")
        self._seconds = seconds
        self._shared = shared
        self._fd = -1

    def __enter__(self) -> None:
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._fd = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise errors.Failed(f"cannot write {self._path}: {error.strerror}") from error
        import fcntl
        from time import monotonic, sleep

        end = monotonic() + self._seconds
        wait = 0.001
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.set_inheritable(self._fd, self._shared)
                return
            except BlockingIOError:
                if monotonic() > end:
                    os.close(self._fd)
                    said = f"another molt holds {self._path}"
                    raise errors.Busy(said, "try again") from None
                sleep(wait)
                wait = min(wait * 1.5, 0.02)

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
