"""Run git: one process, its output as bytes, its failure as ours.

`import subprocess` costs as much as starting Python, so it is a plain posix_spawn.
"""

from __future__ import annotations

import os
import sys
from _weakref import ref

from molt import errors
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_GIT = ("git", "-c", "i18n.logOutputEncoding=utf-8", "-c", "core.quotePath=false")


class Output(Value):
    """What a git that has ended gives: what it was asked, its exit status, and its two outputs."""

    asked: str
    status: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """What it printed; bytes that are no UTF-8 come back as the same bytes."""
        return self.out.decode("utf-8", "surrogateescape")

    @property
    def said(self) -> str:
        """What it complained of, in its own words; empty where a signal has ended it."""
        return _plain_words(self.err)

    def require(self, *allowed: int) -> Output:
        """The same. Raises Failed with git's own words unless its status is 0 or an allowed one."""
        if self.status and self.status not in allowed:
            raise make_error(f"git {self.asked[:80]}", self.said or f"exit status {self.status}")
        return self


_PROMISED = " from promisor remote"


def make_error(what: str, said: str, hint: str = "") -> errors.Failed:
    """The error of a git that has failed, with its words; where a partial clone lacks something
    that its remote does not give, with what goes on.
    """
    before, promised, _ = said.partition(_PROMISED)
    if not promised:
        return errors.Failed(": ".join(filter(None, (what, said))), hint)
    oid = before.rpartition("could not fetch ")[2]
    return errors.Failed(
        f"this is a partial clone without {oid[:40]}, and its remote does not answer: "
        f"{said.partition(chr(10))[0]}",
        REFETCH,
    )


REFETCH = "go online, or fetch everything then: `git fetch --refetch --filter=blob:limit=1g`"


def git(
    cwd: str,
    *args: str,
    input: bytes = b"",  # noqa: A002 the name that subprocess uses
    env: Mapping[str, str] | None = None,
) -> Output:
    """What `git ARGS` gives in a folder; `env` is added to ours, and nothing is raised for what
    git says. Raises Failed where there is no git.
    """
    command = _in_folder(cwd, args)
    return Output(" ".join(args), *call(command, input=input, env=env))


def _in_folder(cwd: str, args: Sequence[str]) -> tuple[str, ...]:
    return (_GIT[0], "-C", cwd, *_GIT[1:], *args)


def _plain_words(err: bytes) -> str:
    """The one place that reads what git complains of."""
    return err.decode("utf-8", "replace").strip().removeprefix("fatal: ")


_OURS = {
    "LC_ALL": "C.UTF-8",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_FLUSH": "0",
    "GIT_LITERAL_PATHSPECS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    # A file that cannot be there; an empty one would have git advise against such files.
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
}


def git_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment with messages in one language, no flush a commit of a log, paths
    and their marks as git reads them by itself, and objects as they are: who can put a ref below
    `refs/replace`, or a file of grafts, into a clone must not decide what its history says.
    """
    return {**os.environ, **_OURS, **(extra or {})}


def call(
    args: Sequence[str],
    *,
    input: bytes = b"",  # noqa: A002 the name that subprocess uses
    env: Mapping[str, str] | None = None,
) -> tuple[int, bytes, bytes]:
    """Exit status, standard output and standard error of any program; `env` is added to ours."""
    return _spawn_and_wait(args, input, git_environment(env))


def _start_process(
    args: Sequence[str], errors_fd: int = 2, deaf: Sequence[int] = ()
) -> tuple[int, int, int]:
    """Process id, our end of its input and our end of its output; it is `deaf` to some signals."""
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, read_in, 0),
        (os.POSIX_SPAWN_DUP2, write_out, 1),
        (os.POSIX_SPAWN_DUP2, errors_fd, 2),
    ]
    pid = os.posix_spawnp(
        args[0], list(args), git_environment(), file_actions=actions, setsigmask=deaf
    )
    os.close(read_in)
    os.close(write_out)
    return pid, write_in, read_out


def _read_errors(fd: int) -> str:
    """What a program wrote into the nameless file `fd`, which is closed."""
    os.lseek(fd, 0, os.SEEK_SET)
    said = _plain_words(b"".join(_read_chunks(fd)))
    os.close(fd)
    return said


def _spawn_and_wait(
    args: Sequence[str], data: bytes, env: dict[str, str]
) -> tuple[int, bytes, bytes]:
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    errors_fd = _scratch_file()
    actions = [
        (os.POSIX_SPAWN_DUP2, read_in, 0),
        (os.POSIX_SPAWN_DUP2, write_out, 1),
        (os.POSIX_SPAWN_DUP2, errors_fd, 2),
    ]
    try:
        pid = os.posix_spawnp(args[0], list(args), env, file_actions=actions)
    except FileNotFoundError:
        for fd in (read_in, write_in, read_out, write_out, errors_fd):
            os.close(fd)
        raise errors.Failed(f"{args[0]} is not on PATH", "install git 2.39 or newer") from None
    os.close(read_in)
    os.close(write_out)
    out = b"".join((*_feed_input(write_in, data, read_out), *_read_chunks(read_out)))
    os.close(read_out)
    _, status = os.waitpid(pid, 0)
    os.lseek(errors_fd, 0, os.SEEK_SET)
    err = b"".join(_read_chunks(errors_fd))
    os.close(errors_fd)
    return os.waitstatus_to_exitcode(status), out, err


def _feed_input(into: int, data: bytes, out: int) -> list[bytes]:
    """Write all of the data and close its pipe; gives what came back meanwhile.

    A pipe holds 64 KiB: what is longer is written as room comes, reading on the other side, for
    a program whose output nobody reads stops reading its input.
    """
    back: list[bytes] = []
    try:
        if len(data) <= _PIPE:
            os.write(into, data)
            return back
        import select

        os.set_blocking(into, False)
        rest = memoryview(data)
        # Not `select`, which knows no descriptor above 1,023.
        watch = select.poll()
        watch.register(out, select.POLLIN)
        watch.register(into, select.POLLOUT)
        while rest:
            ready = dict(watch.poll())
            if out in ready:
                chunk = os.read(out, 1 << 20)
                if not chunk:
                    break
                back.append(chunk)
            if into in ready:
                rest = rest[os.write(into, rest) :]
    except BrokenPipeError:
        pass
    finally:
        os.close(into)
    return back


# What a pipe holds on Linux: room for more is given back after each read, which takes longer.
_FULL = 65_536
# Half of that: so much is written at once, and no reader is waited for.
_PIPE = 32_768


def _scratch_file() -> int:
    """A file without a name; only Linux has one that costs no import."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("stderr")
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        return os.dup(file.fileno())


def _read_chunks(fd: int) -> Iterator[bytes]:
    while chunk := os.read(fd, _FULL):
        yield chunk


_TERMINATE = 15  # SIGTERM; to import `signal` takes as long as to start git


def words(cwd: str, *args: str) -> Iterator[str]:
    """The NUL-separated words that `git ARGS` prints in a folder, as it prints them; who stops
    reading stops git as well.

    Raises Failed, after the last word, where git fails.
    """
    errors_fd = _scratch_file()
    pid, into, out = _start_process(_in_folder(cwd, args), errors_fd)
    os.close(into)
    try:
        rest = b""
        for chunk in _read_chunks(out):
            whole, ended, rest = (rest + chunk).rpartition(b"\0")
            if ended:
                yield from whole.decode("utf-8", "surrogateescape").split("\0")
    except GeneratorExit:
        # It may walk a long history before it writes again and sees that nobody reads.
        os.kill(pid, _TERMINATE)
        raise
    finally:
        os.close(out)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        said = _read_errors(errors_fd)
    if status:
        raise make_error(f"git {args[0]}", said)


# Those that were not closed, by their process; one that nobody knows any more ends by itself.
_RUNNING: dict[int, ref[BatchProcess]] = {}


class BatchProcess:
    """A `git ARGS` in a folder that answers questions on its standard input until `close`; what it
    complains of is kept for `complaint`.

    With `deaf` it does not hear these signals.
    """

    def __init__(self, cwd: str, *args: str, deaf: Sequence[int] = ()) -> None:
        self._said = ""
        self._errors = _scratch_file()
        self._pid, self._in, self._out = _start_process(_in_folder(cwd, args), self._errors, deaf)
        self._rest = b""
        # After a fork two would read the answers of one.
        self._owner = os.getpid()
        _RUNNING[self._pid] = ref(self)

    @property
    def closed(self) -> bool:
        """Whether it answers this process no more."""
        return not self._pid or self._owner != os.getpid()

    def __del__(self) -> None:
        # At the end of Python what is needed here may be gone, and git ends by itself.
        if sys and not sys.is_finalizing():
            self.close()

    def write(self, data: bytes) -> None:
        """Ask; no more at once than a pipe holds. Raises Failed where the program is gone."""
        try:
            os.write(self._in, data)
        except BrokenPipeError:
            raise self._make_error() from None

    def line(self) -> bytes:
        """The next line, without its end. Raises Failed where the program is gone."""
        while (at := self._rest.find(b"\n")) < 0:
            self._read_more()
        found, self._rest = self._rest[:at], self._rest[at + 1 :]
        return found

    def read(self, size: int) -> bytes:
        """The next `size` bytes. Raises Failed where the program is gone."""
        parts, missing = [self._rest], size - len(self._rest)
        while missing > 0:
            self._rest = b""
            self._read_more()
            parts.append(self._rest)
            missing -= len(self._rest)
        found = b"".join(parts)
        self._rest = found[size:]
        return found[:size]

    def _read_more(self) -> None:
        chunk = os.read(self._out, _FULL)
        if not chunk:
            raise self._make_error()
        self._rest += chunk

    def _make_error(self) -> errors.Failed:
        return make_error("git stopped answering", self.complaint(), "`git fsck` says more")

    def complaint(self) -> str:
        """End the program; gives what it has written beside its answers."""
        kept, self._errors = self._errors, -1
        self.close()
        if kept != -1:
            self._said = _read_errors(kept)
        return self._said

    def close(self) -> None:
        """End the program and wait for it."""
        pid, self._pid = getattr(self, "_pid", 0), 0
        if not pid:
            return
        _RUNNING.pop(pid, None)
        for fd in (self._in, self._out, *([self._errors] if self._errors != -1 else [])):
            os.close(fd)
        self._errors = -1
        if self._owner == os.getpid():
            os.waitpid(pid, 0)


def close_all() -> None:
    """End all programs that still wait for questions; the doors call this last."""
    for one in list(_RUNNING.values()):
        batch = one()
        if batch is not None:
            batch.close()
