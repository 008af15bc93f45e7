"""A copy of a repository is one that git made in its place."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copy, Make, make_fresh


def make_plain(root: Path) -> None:
    make_fresh(root)
    (root / "notes.md").write_text("a\n")


def make_changed(root: Path) -> None:
    """One with a file that is as long as what was committed of it, and older than the index."""
    make_fresh(root)
    path = root / "SOUL.md"
    path.write_text(path.read_text()[::-1])
    os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.mark.parametrize(("make", "changed"), [(make_plain, ""), (make_changed, "SOUL.md\n")])
def test_the_index_of_a_copy_knows_its_files(
    tmp_path: Path, copy: Copy, git: Callable[..., str], make: Make, changed: str
) -> None:
    root = copy(tmp_path / "w", make)
    # These two refresh no index.
    assert git(root, "diff-files", "--name-only") == changed
    assert git(root, "diff-index", "--name-only", "HEAD") == changed
    git(root, "fsck", "--strict")
    assert git(root, "ls-files", "--debug").count("ctime: ") == len(git(root, "ls-files").split())
