"""Objects in a pack of their own: no prune takes it, and while it is kept no gc does either.

A pack holds whole objects here, and both it and its index are of version 2 (gitformat-pack(5)).
"""

from __future__ import annotations

import contextlib
import os

from molt import trees
from molt.repo import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    PutFile = Callable[[str, bytes], None]

_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_KEEP = b"molt is about to move a branch here\n"
_ABANDONED = 3600
"""Seconds after which who keeps a pack was ended before it could release it: a write takes one."""


def write_pack(folder: str, objects: Mapping[str, tuple[str, bytes]], put: PutFile) -> str:
    """Write objects, by id, as a pack into a folder of objects, each file with `put`; gives the
    file that has it kept, for `release`. Raises OSError, and then git knows of no pack.
    """
    data, index = _render_pack(objects)
    # A name of its own: of a pack that is there somebody may have found that nobody needs it.
    stem = os.path.join(folder, "pack", f"pack-{os.urandom(20).hex()}")
    os.makedirs(os.path.dirname(stem), exist_ok=True)
    fresh = f"{stem}.idx{disk.MARK}{os.getpid()}"
    try:
        put(f"{stem}.keep", _KEEP)
        _release_abandoned(os.path.dirname(stem), os.stat(f"{stem}.keep").st_mtime)
        put(f"{stem}.pack", data)
        put(fresh, index)
        # By its index git knows of a pack.
        os.rename(fresh, f"{stem}.idx")
    except BaseException:
        for path in (fresh, f"{stem}.pack", f"{stem}.keep"):
            release(path)
        raise
    return f"{stem}.keep"


def release(kept: str) -> None:
    """Leave a pack to git: its objects are reachable now, or nobody needs them."""
    with contextlib.suppress(OSError):
        os.unlink(kept)


def _release_abandoned(folder: str, now: float) -> None:
    """Leave the packs to git whose owners were ended, and remove what they had not finished."""
    for name in os.listdir(folder):
        path, stem = os.path.join(folder, name), os.path.join(folder, name.partition(".")[0])
        fresh = f".idx{disk.MARK}" in name
        with contextlib.suppress(OSError):
            if not (fresh or name.endswith(".keep")) or now - os.stat(path).st_mtime < _ABANDONED:
                continue
            if fresh or _read_keep(path) == _KEEP:
                os.unlink(path)
                if not os.path.exists(f"{stem}.idx"):
                    release(f"{stem}.pack")


def _read_keep(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(len(_KEEP) + 1)


def _render_pack(objects: Mapping[str, tuple[str, bytes]]) -> tuple[bytes, bytes]:
    """A pack, and its index."""
    from zlib import compress, crc32

    parts = [b"PACK" + _number(2) + _number(len(objects))]
    rows, at = [], len(parts[0])
    for oid, (kind, data) in objects.items():
        entry = _render_size(_KINDS[kind], len(data)) + compress(data, 1)
        rows.append((bytes.fromhex(oid), _number(crc32(entry)), _number(at)))
        parts.append(entry)
        at += len(entry)
    body = b"".join(parts)
    pack = body + trees.sha1(body).digest()
    rows.sort()
    first = [sum(row[0][0] <= byte for row in rows) for byte in range(256)]
    columns = (b"".join(column) for column in zip(*rows, strict=True))
    index = b"\xfftOc" + _number(2) + b"".join(map(_number, first)) + b"".join(columns) + pack[-20:]
    return pack, index + trees.sha1(index).digest()


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _render_size(kind: int, size: int) -> bytes:
    """The head of an entry: the kind, and the size in groups of bits, the lowest first."""
    head, size = kind << 4 | size & 15, size >> 4
    found = []
    while size:
        found.append(head | 128)
        head, size = size & 127, size >> 7
    return bytes((*found, head))
