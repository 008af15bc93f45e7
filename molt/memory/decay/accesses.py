"""The journal of accesses: reading a memory makes no commit, so uses wait here for the next write.

Uses are appended to one file. A write renames that file to a batch, and names the batch in a
trailer of its commit; when the commit is made, the batch is removed. So after a crash the history
tells whether a batch that is still there was counted.
"""

from __future__ import annotations

import os

from molt import errors
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.repo.repository import Repo

TRAILER = "Accesses"
_FILE = "accesses"


class Used(Value):
    """How often a memory was used, and the second of the last time."""

    count: int
    last: float


class AccessBatch(Value):
    """Uses that one write counts, all of them or none."""

    path: str
    token: str
    text: str


def record(repo: Repo, memories: Iterable[str], now: float) -> None:
    """Note that memories were used at the second `now`. Raises Failed."""
    data = "".join(f"{now:.0f}\t{state.escape_field(memory)}\n" for memory in memories).encode()
    path = state.path(repo.git_dir, _FILE)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with _held(path) as fd:
            size = os.fstat(fd).st_size
            # A line that a full disk cut off must not swallow the next one.
            whole = not size or os.pread(fd, 1, size - 1) == b"\n"
            os.write(fd, data if whole else b"\n" + data)
    except OSError as error:
        raise errors.Failed(f"cannot write {path}: {error.strerror}") from error


class _held:  # noqa: N801 reads as a function
    """The journal, opened and locked, as long as it is still the file of that name."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = -1

    def __enter__(self) -> int:
        import fcntl

        while True:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._fd = os.open(self._path, flags, 0o666)
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            try:
                if self._is_same_file():
                    return self._fd
            except BaseException:
                os.close(self._fd)
                raise
            # A write has taken it away while we waited.
            os.close(self._fd)

    def _is_same_file(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._fd), os.stat(self._path))
        except FileNotFoundError:
            return False

    def __exit__(self, *_error: object) -> None:
        os.close(self._fd)


def read_pending(repo: Repo) -> dict[str, Used]:
    """The uses that no commit holds yet, by memory."""
    found: dict[str, Used] = {}
    for name in _list_files(repo):
        count_lines(found, state.read(repo.git_dir, name))
    return found


def count_lines(found: dict[str, Used], text: str) -> None:
    """Count the lines of a journal into `found`; those that are none are left out."""
    for line in text.split("\n"):
        stamp, tab, memory = line.partition("\t")
        if tab and memory and stamp.isascii() and stamp.isdigit():
            name = state.unescape_field(memory)
            known = found.get(name, Used(0, 0.0))
            found[name] = Used(known.count + 1, max(known.last, float(stamp)))


def drop_memories(repo: Repo, memories: Iterable[str]) -> None:
    """Forget the uses of some memories that no commit holds yet. Raises Failed."""
    gone = frozenset(map(state.escape_field, memories))
    for name in _list_files(repo):
        rows = state.read(repo.git_dir, name).splitlines(keepends=True)
        kept = [row for row in rows if row.rstrip("\n").partition("\t")[2] not in gone]
        if len(kept) < len(rows):
            state.write(repo.git_dir, name, "".join(kept))


def _list_files(repo: Repo) -> Iterator[str]:
    """The journal and its batches, as names below `molt` in the git folder."""
    try:
        every = os.listdir(os.path.dirname(state.path(repo.git_dir, _FILE)))
    except FileNotFoundError:
        return
    yield from sorted(name for name in every if name == _FILE or name.startswith(f"{_FILE}-"))


def take_batches(repo: Repo, tip: str | None) -> tuple[AccessBatch, ...]:
    """What the write that holds the lock is to count: all that is in no commit yet.

    `tip` is the commit that the write builds on. Raises Failed where the journal cannot be moved.
    """
    try:
        _start_batch(repo, tip)
    except OSError as error:
        raise errors.Failed(f"cannot move the journal of accesses: {error.strerror}") from error
    found = [_read_batch(repo, name) for name in _list_files(repo) if name != _FILE]
    counted = [batch for batch in found if _is_counted(repo, batch)]
    drop_batches(counted)
    return tuple(batch for batch in found if batch not in counted)


def _start_batch(repo: Repo, tip: str | None) -> None:
    path = state.path(repo.git_dir, _FILE)
    if not os.path.exists(path):
        return
    with _held(path) as fd:
        if os.fstat(fd).st_size:
            os.replace(path, f"{path}-{tip or 'none'}-{os.urandom(8).hex()}")


def _read_batch(repo: Repo, name: str) -> AccessBatch:
    return AccessBatch(
        state.path(repo.git_dir, name), name.rpartition("-")[2], state.read(repo.git_dir, name)
    )


def _is_counted(repo: Repo, batch: AccessBatch) -> bool:
    """Whether a commit that was made since the batch was begun names it."""
    since = os.path.basename(batch.path).split("-")[1]
    if since == (repo.tip() or "none"):
        return False
    for revisions in (f"{since}..HEAD", "HEAD"):
        try:
            return repo.find_mention(f"{TRAILER}: {batch.token}", revisions) is not None
        except errors.Failed:
            # A rewritten history may have lost the commit where the batch began.
            continue
    return False


def drop_batches(batches: Iterable[AccessBatch]) -> None:
    """Forget batches that a commit has counted."""
    for batch in batches:
        try:
            os.unlink(batch.path)
        except OSError:
            # The history names those that were counted, so one that stays is dropped later.
            continue
