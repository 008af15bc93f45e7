"""What the history costs, told by place and month, and packed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Git

from molt.config import Config
from molt.memory.health import growth
from molt.memory.workspace import Workspace
from molt.memory.write import remember as writing
from molt.memory.write.route import Route


def commit_on(git: Git, root: Path, date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_DATE", f"{date}T12:00:00Z")
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / f"{date}.txt").write_bytes(os.urandom(20_000))
    git(root, "add", "docs")
    git(root, "commit", "-qm", "x")


def test_each_object_counts_once_where_it_came_in(
    ws: Workspace, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(ws.repo.root)
    commit_on(git, root, "2031-01-05", monkeypatch)
    commit_on(git, root, "2031-02-05", monkeypatch)
    git(root, "checkout", "-qb", "side", "HEAD~1")
    git(root, "checkout", "-q", "-")
    git(root, "merge", "-q", "side")
    found = growth.measure_growth(ws.repo)
    assert 40_000 < found.places["docs/"] < 41_000
    assert 20_000 < found.months["2031-01"] < 22_000
    assert 20_000 < found.months["2031-02"] < 22_000
    assert {"MEMORY.md", growth.COMMITS, growth.FOLDERS} <= set(found.places)
    assert sum(found.places.values()) == sum(found.months.values())
    assert found.size >= found.loose > 0


def test_every_object_of_a_history_is_in_it(ws: Workspace, git: Git) -> None:
    for number in range(3):
        now = datetime(2026, 3, number + 1, tzinfo=UTC)
        writing.remember_text(ws, Route("episodic", f"thing {number}"), now)
    git(Path(ws.repo.root), "gc", "-q", "--prune=now")
    every = git(
        Path(ws.repo.root), "cat-file", "--batch-all-objects", "--batch-check=%(objectsize:disk)"
    )
    found = growth.measure_growth(ws.repo)
    assert sum(found.places.values()) == sum(map(int, every.split()))
    assert found.loose == 0


def test_what_is_over_its_budget_is_told_and_packed(
    ws: Workspace, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(ws.repo.root)
    text = os.urandom(700_000).hex()
    for number in range(3):
        (root / "big.txt").write_text(f"{text}{number}")
        git(root, "add", "big.txt")
        git(root, "commit", "-qm", "x")
    small = ws.replace(config=Config(history_budget_mb=1))
    (told,) = growth.check_growth(small, fix=False)
    assert "over its budget of 1.0 MiB" in told.what
    assert told.severity == "warning"
    (mended,) = growth.check_growth(small, fix=True)
    assert mended.mended
    assert not list(growth.check_growth(small, fix=False))


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0.0 KiB"), (2048, "2.0 KiB"), (3 << 20, "3.0 MiB")]
)
def test_sizes_are_for_people(size: int, said: str) -> None:
    assert growth.format_size(size) == said
