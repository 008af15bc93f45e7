"""Zip archives, as which programs hand out what they keep."""

from __future__ import annotations

import lzma
import os
import tempfile
import zipfile
import zlib
from contextlib import contextmanager

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What the packers raise themselves: `zipfile` says of a checksum alone that it is wrong.
_DAMAGED = (zlib.error, lzma.LZMAError, EOFError, ValueError)
_MOST_BYTES = 1 << 30
"""What is unpacked at most. Exports with pictures and voices may hold more."""


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """The folder that a zip archive holds, called like it, while its content is read; any other
    path as it is.

    Raises Usage for an archive that is damaged, locked or too large.
    """
    if not path.lower().endswith(".zip") or not zipfile.is_zipfile(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="molt-import-") as home:
        whole = os.path.abspath(path)
        # A memory names the file that it came from and its folder.
        above = os.path.basename(os.path.dirname(whole)) or "archive"
        folder = os.path.join(home, above, os.path.splitext(os.path.basename(whole))[0])
        os.makedirs(folder)
        _unpack(path, folder)
        yield _find_top(folder)


def _unpack(path: str, folder: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(one.file_size for one in archive.infolist()) > _MOST_BYTES:
                raise errors.Usage(f"{path} holds over 1 GiB", "unpack it, and import the folder")
            archive.extractall(folder)
    except (*_DAMAGED, zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise errors.Usage(f"{path} cannot be unpacked: {error}", "unpack it by hand") from error


def _find_top(folder: str) -> str:
    """The folder itself, or the only one in it, which many archives have, moved to its place."""
    inside = os.listdir(folder)
    inner = os.path.join(folder, inside[0]) if len(inside) == 1 else ""
    if not os.path.isdir(inner):
        return folder
    moved = f"{folder}.top"
    os.rename(inner, moved)
    os.rmdir(folder)
    os.rename(moved, folder)
    return folder
