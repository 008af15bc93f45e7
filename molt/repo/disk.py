"""Files that change in one step: written beside their place, then renamed into it."""

from __future__ import annotations

import errno
import os
import stat

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    # The bytes of a file, or its parts.
    Content = bytes | Sequence[bytes | memoryview]

MARK = ".molt-"
"""What stands before the process id in the name of a file that is not in its place yet."""


def put_beside(full: str, data: Content, *, durable: bool = True) -> str:
    """Write a file beside its place, with the mode of what is there; gives where it lies.

    `durable` means on the disk itself. Missing folders are made. Raises OSError, and nothing is
    left of the file then.
    """
    fresh = f"{full}{MARK}{os.getpid()}"
    put_new(fresh, data, like=full, durable=durable)
    return fresh


def put_new(full: str, data: Content, *, like: str, durable: bool = True) -> None:
    """Write a file that nobody reads yet, with the mode of the file `like`, if there is one.

    Missing folders are made. Raises OSError, and nothing is left of the file then.
    """
    try:
        file = open(full, "wb")  # noqa: SIM115 closed below, and removed where it is not whole
    except FileNotFoundError:
        os.makedirs(os.path.dirname(full), exist_ok=True)
        file = open(full, "wb")  # noqa: SIM115
    try:
        with file:
            file.writelines((data,) if isinstance(data, bytes) else data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        mode = _mode(like)
        if mode is not None:
            os.chmod(full, mode)
    except OSError:
        os.unlink(full)
        raise


_CAREFUL = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in _CAREFUL)
"""A link is not followed, and a pipe is not waited for."""


# Bytes that are asked for first: of nearly every note that is all.
_USUAL = 1 << 14


def read_small(full: str, most: int) -> bytes | None:
    """The bytes of a file of at most `most` of them, 16 KiB or more; None for what is larger or
    cannot be read.
    """
    try:
        file = os.open(full, _READ)
    except OSError:
        return None
    try:
        data = os.read(file, _USUAL)
        if len(data) < _USUAL:
            return data
        size = os.fstat(file).st_size
        return data + os.read(file, size - _USUAL) if size <= most else None
    except OSError:
        return None
    finally:
        os.close(file)


def read_large(full: str, least: int, most: int) -> bytes | None:
    """The bytes of a file of a size between two, inclusive; None for others and what cannot be
    read.
    """
    try:
        if not least <= os.lstat(full).st_size <= most:
            return None
        file = os.open(full, _READ)
    except OSError:
        return None
    try:
        return os.read(file, os.fstat(file).st_size)
    except OSError:
        return None
    finally:
        os.close(file)


def _mode(full: str) -> int | None:
    """The permissions of a file; None where there is none, or a folder."""
    try:
        mode = os.stat(full).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    return None if stat.S_ISDIR(mode) else stat.S_IMODE(mode)


def replace_file(full: str, data: bytes, *, durable: bool = False) -> None:
    """Give a file new content in one step; what it was, or nothing, stays after an OSError."""
    try:
        os.replace(put_beside(full, data, durable=durable), full)
    except FileNotFoundError:
        # Who takes us for dead, as from another container, has swept it away.
        os.replace(put_beside(full, data, durable=durable), full)


_REMEDIES = {
    errno.EROFS: "the disk is mounted read-only: what only reads goes on",
    errno.ENOSPC: "the disk is full: `df -h` tells which",
    errno.EACCES: "it is another user's: `ls -l` tells whose",
}


def remove_file(full: str) -> None:
    """Remove a file, where there is one. Raises Failed where that cannot be done."""
    try:
        os.unlink(full)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable_error(full, error) from error


def unwritable_error(full: str, error: OSError) -> errors.Failed:
    """What to tell of a file that cannot be written, and what to do about it."""
    said = f"cannot write {full}: {error.strerror or error}"
    return errors.Failed(said, _REMEDIES.get(error.errno or 0, ""))


def mark(file: os.stat_result) -> str:
    """What tells a file from others of its name; inodes alone are used again at once."""
    return f"{file.st_ino}-{file.st_mtime_ns}"


def sweep_folder(folder: str, prefix: str = "") -> None:
    """Remove what processes that are dead have left beside files that begin with `prefix`."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        owner = name.rpartition(MARK)[2]
        if MARK in name and name.startswith(prefix) and owner.isdigit() and not _lives(int(owner)):
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                continue


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
