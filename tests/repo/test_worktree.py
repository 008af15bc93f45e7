"""The files on disk as a tree: what is uncommitted stands on top of HEAD."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.repo import find
from molt.repo.worktree import Worktree

NAMES = ("a.md", "days/1.md", "days/deep/2.md", "days1.md", "x[1].md", "x1.md")


@pytest.mark.parametrize("literal", ["", "0", "1"])
def test_what_is_left_out_is_as_it_was_committed(
    tmp_path: Path, git, monkeypatch, literal: str
) -> None:
    git(tmp_path, "init", "-q")
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("old\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    for name in (*NAMES, "new.md", "days/new.md"):
        (tmp_path / name).write_text("changed\n")
    if literal:
        monkeypatch.setenv("GIT_LITERAL_PATHSPECS", literal)
    with find.find_repo(str(tmp_path)) as repo:
        head = repo.tree("HEAD")
        tree = Worktree(repo, head, ("days/", "x[1].md"))
        assert tree.dirty == {"a.md", "days1.md", "new.md", "x1.md"}
        kept = ("days/1.md", "days/deep/2.md", "x[1].md")
        assert tree.read_many(kept) == head.read_many(kept)
        assert Worktree(repo, head).dirty == {*NAMES, "new.md", "days/new.md"}
