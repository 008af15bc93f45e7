"""Files that git could not merge: their versions, what git left on disk, and the end of it."""

from __future__ import annotations

import os

from molt.repo import worktree
from molt.trees import Entry
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.repo.repository import Repo

_STYLES = ((), ("--diff3",), ("--zdiff3",))
_MARKS = (b"<<<<<<<", b"|||||||", b">>>>>>>")


class Conflict(Value):
    """One path with its version in the base, in ours and in theirs; None where there is none."""

    path: str
    base: Entry | None
    ours: Entry | None
    theirs: Entry | None


def list_conflicts(repo: Repo) -> tuple[Conflict, ...]:
    """The files in conflict, by path, whatever left them so: a merge, a rebase, a stash."""
    out = repo.run("ls-files", "-u", "-z")
    found: dict[str, dict[str, Entry]] = {}
    for record in out.split("\0"):
        if record:
            head, _, path = record.partition("\t")
            mode, oid, stage = head.split(" ")
            found.setdefault(path, {})[stage] = Entry(oid, int(mode, 8))
    return tuple(
        Conflict(path, *(stages.get(stage) for stage in "123"))
        for path, stages in sorted(found.items())
    )


def read_versions(repo: Repo, one: Conflict) -> tuple[bytes, bytes, bytes]:
    """The bytes of base, ours and theirs; empty for none."""
    entries = (one.base, one.ours, one.theirs)
    wanted = dict.fromkeys(entry.oid for entry in entries if entry)
    blobs = repo.reader.blobs(list(wanted))
    base, ours, theirs = (blobs.get(entry.oid, b"") if entry else b"" for entry in entries)
    return base, ours, theirs


def is_untouched(repo: Repo, one: Conflict, *others: bytes) -> bool:
    """Whether a file on disk is as git left it, or as one of `others`: nobody has begun to mend it.

    How git names the sides beside its markers does not matter.
    """
    found = worktree.read(repo.root, one.path)
    if found is None:
        return False
    if found in others:
        return True
    plain = _drop_names(found)
    return any(plain == _drop_names(text) for text in _list_leftovers(repo, one))


def _list_leftovers(repo: Repo, one: Conflict) -> Iterator[bytes]:
    """What git may have left: what it has noted itself, else what its styles of conflict give."""
    noted = repo.reader.oid(f"AUTO_MERGE:{one.path}")
    if noted:
        yield repo.reader.blobs([noted])[noted]
    names = []
    try:
        for number, data in enumerate(read_versions(repo, one)):
            names.append(os.path.join(repo.git_dir, f"molt-merge-{os.getpid()}-{number}"))
            with open(names[-1], "wb") as file:
                file.write(data)
        base, ours, theirs = names
        for style in _STYLES:
            output = repo.git("merge-file", "-q", "-p", *style, ours, base, theirs)
            if 0 <= output.status < 128:
                yield output.out
    finally:
        for name in names:
            os.unlink(name)


def _drop_names(data: bytes) -> bytes:
    rows = data.split(b"\n")
    return b"\n".join(row[:7] if row.startswith(_MARKS) else row for row in rows)


def write_file(repo: Repo, path: str, text: str) -> None:
    """Put a text on disk in place of what git left. Raises Failed."""
    worktree.write(repo.root, path, text.encode("utf-8"))


def settle_file(repo: Repo, path: str, text: str) -> None:
    """Put the merged text on disk and into the index: the conflict is over. Raises Failed."""
    write_file(repo, path, text)
    repo.run("--literal-pathspecs", "add", "--", path)
