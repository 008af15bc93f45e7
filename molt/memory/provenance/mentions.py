"""Which commits name a memory: a file beside the audit log's cursor, brought up together with it.

A line is an id, a tab, and the commit whose Memory-Id names it; the oldest commit first. A
hundred thousand lines are searched in milliseconds, where git would read as many messages.
"""

from __future__ import annotations

import os

from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.repo.repository import Repo

_FILE = "audit-named"
_OID = 40  # letters of a commit's id

Mention = tuple[str, str]
"""The id of a memory, and that of a commit which names it."""


def render_mentions(mentions: Iterable[Mention]) -> bytes:
    """The lines of some mentions."""
    rows = (f"{state.escape_field(memory)}\t{oid}\n" for memory, oid in mentions)
    return "".join(rows).encode("utf-8", "surrogateescape")


def write_mentions(repo: Repo, data: bytes) -> None:
    """Put lines in place of all that there are. Raises Failed."""
    state.write(repo.git_dir, _FILE, data.decode("utf-8", "surrogateescape"))


def append_mentions(repo: Repo, data: bytes) -> None:
    """Add lines. Raises OSError."""
    if not data:
        return
    with open(state.path(repo.git_dir, _FILE), "ab", buffering=0) as file:
        file.write(data)


def measure_size(repo: Repo) -> int:
    """How many bytes the lines take; -1 where there is no such file."""
    try:
        return os.stat(state.path(repo.git_dir, _FILE)).st_size
    except OSError:
        return -1


def find_commits(repo: Repo, beginnings: Iterable[str]) -> list[str]:
    """The commits that name an id which has one of some beginnings, oldest first; whole ids end
    with a tab.
    """
    try:
        with open(state.path(repo.git_dir, _FILE), "rb") as file:
            data = b"\n" + file.read()
    except OSError:
        return []
    wanted = (b"\n" + one.encode("utf-8", "surrogateescape") for one in beginnings)
    places = sorted(place for one in wanted for place in _find_places(data, one))
    ends = (data.index(b"\n", place + 1) for place in places)
    return list(dict.fromkeys(data[end - _OID : end].decode("ascii") for end in ends))


def _find_places(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)
