"""What is different in a critical file, as a person has to see it: few lines, no secrets."""

from __future__ import annotations

import os

from molt import config, errors, trees
from molt.formats import paths
from molt.formats.lines import escape_text
from molt.formats.meta import checksums
from molt.repo import worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.repo.repository import Repo
    from molt.trees import Tree

_LOOKED = 50
"""Versions of a file that are looked through for the one that was acknowledged."""
_LARGEST = 200_000
"""Bytes of a file that is compared; of a larger one the command that shows it has to do."""
_FINE = 300
"""Lines of a changed middle that are compared one by one, in at most their number squared steps."""
_WIDTH = 200
"""Characters of a line that are shown."""


def read_disk(root: str, path: str) -> bytes:
    """A file as it is on disk; empty where there is none that can be read."""
    if os.path.islink(os.path.join(root, path)):
        return f"-> {os.readlink(os.path.join(root, path))}\n".encode("utf-8", "replace")
    try:
        return worktree.read(root, path) or b""
    except errors.Failed:
        return b""


def read_acknowledged(repo: Repo, head: Tree, path: str) -> bytes | None:
    """A file as it was acknowledged, or before anybody has, as the workspace began with it; None
    where the history that is looked through does not have it.
    """
    digest = checksums.parse_checksums(trees.read_text(head, paths.CHECKSUMS)).get(path)
    asked = ("log", "--format=%H %P", f"-n{_LOOKED}", "HEAD", "--", f":(top,literal){path}")
    rows = repo.run(*asked, check=False).split("\n")
    for row in filter(None, rows):
        oid, _, parents = row.partition(" ")
        data = repo.tree(oid).read(path) or b""
        if digest and trees.sha256(data).hexdigest() == digest:
            return data
        before = parents.split(" ")[0]
        if not digest and (not before or repo.tree(before).entry(config.PATH) is None):
            return data
    return None if digest or len(rows) > _LOOKED else b""


def render_diff(before: bytes, after: bytes, most: int) -> tuple[str, ...]:
    """The lines that go (`-`) and those that come (`+`), at most so many, and how many more there
    are; without what looks like a secret, and with nothing that steers a terminal.
    """
    if max(len(before), len(after)) > _LARGEST:
        return (f"… ({len(before):,} bytes are {len(after):,} now, too many to show)",)
    # Few ever have an alert, and what finds secrets takes long to import.
    from molt.policy import secrets

    old, new = (
        secrets.redact(data.decode("utf-8", "replace")).replace("\r\n", "\n").split("\n")
        for data in (before, after)
    )
    found = [f"{mark}{escape_text(row)[:_WIDTH]}" for mark, row in _compare(old, new)]
    if not found and before != after:
        return ("… (only line ends, or what looks like a secret)",)
    more = (f"… ({len(found) - most:,} lines more)",) * (len(found) > most)
    return (*found[:most], *more)


def _compare(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(gone), len(come)) > _FINE:
        yield from (("-", row) for row in gone)
        yield from (("+", row) for row in come)
        return
    from difflib import SequenceMatcher

    for kind, i, j, k, m in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (("-", row) for row in gone[i:j])
            yield from (("+", row) for row in come[k:m])
