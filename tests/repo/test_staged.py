"""The tree that git is about to commit reads files as they are staged, however many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.repo import find, staged


@pytest.mark.parametrize("most", [0, 1 << 24])
def test_of_many_files_each_side_is_read_in_any_order(
    tmp_path: Path, git, monkeypatch, most: int
) -> None:
    monkeypatch.setattr(staged, "_KEPT", most)
    repo = find.init(str(tmp_path / "w"))
    names = [f"{number:03}.{'md' if number % 3 else 'txt'}" for number in range(200)]
    for name in names[::2]:
        (tmp_path / "w" / name).write_text(f"old {name}")
    git(repo.root, "add", ".")
    git(repo.root, "commit", "-qm", "old")
    for name in names:
        (tmp_path / "w" / name).write_text(f"new {name}")
    git(repo.root, "add", ".")
    found = staged.Staged(find.find_repo(repo.root))
    for name in (*names, *reversed(names), *names[::7]):
        old = f"old {name}".encode() if name in names[::2] else None
        assert found.head.read(name) == old
        assert found.index.read(name) == f"new {name}".encode()
