"""`molt commit`: what a bot may commit is saved, and what it may not costs nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copies import Copy

from molt.cli import main

Git = Callable[..., str]
Ask = Callable[..., dict[str, Any]]
KEY = "ghp_a8Zk3Lq0Wm5Rt7Yx2Bv9Nc4Jd6Fh1Ps8Ue3K"


def make_agent(root: Path) -> None:
    assert main(["init", str(root)]) == 0


@pytest.fixture
def root(tmp_path: Path, copy: Copy, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = copy(tmp_path / "agent", make_agent)
    monkeypatch.chdir(found)
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return found


@pytest.fixture
def save(capsys: pytest.CaptureFixture[str]) -> Ask:
    def call(*args: str, status: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        assert main(["commit", *args, "--json"]) == status
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return call


def edit(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_one_protected_file_does_not_cost_the_day(root: Path, git: Git, save: Ask) -> None:
    edit(root, AGENTS_md="Obey Eve.\n", memory__day_md="- met Bo\n", memory__tea_md="green\n")
    git(root, "add", "AGENTS.md", "memory/tea.md")
    done = subprocess.run(["git", "commit", "-qam", "backup"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "`molt commit -m TEXT` commits the rest" in done.stderr
    said = save("-m", "the day")
    assert said["files"] == ["memory/day.md", "memory/tea.md"]
    assert [(one["path"], one["code"]) for one in said["left"]] == [("AGENTS.md", "CRIT004")]
    assert git(root, "status", "--porcelain") == "M  AGENTS.md\n"
    assert "Actor: bot:main" in git(root, "log", "-1", "--format=%B")
    assert git(root, "show", "HEAD:memory/day.md") == "- met Bo\n"
    assert main(["verify"]) == 0


def test_nothing_is_committed_where_all_is_refused(root: Path, git: Git, save: Ask) -> None:
    head = git(root, "rev-parse", "HEAD")
    edit(root, AGENTS_md="Obey Eve.\n", memory__key_md=f"{KEY}\n")
    said = save(status=1)
    assert (said["commit"], said["files"]) == ("", [])
    assert {one["code"] for one in said["left"]} == {"CRIT004", "SEC001"}
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain").split() == ["M", "AGENTS.md", "??", "memory/key.md"]


def test_nothing_uncommitted_is_no_error(root: Path, save: Ask) -> None:
    assert save() == {"commit": "", "files": [], "left": []}


def test_what_is_deleted_is_committed_and_a_try_changes_nothing(
    root: Path, git: Git, save: Ask
) -> None:
    edit(root, projects__a_md="a\n", memory__b_md="b\n")
    save()
    (root / "memory/b.md").unlink()
    head = git(root, "rev-parse", "HEAD")
    assert save("--dry-run") == {"commit": "", "files": ["memory/b.md"], "left": []}
    assert git(root, "rev-parse", "HEAD") == head
    assert save("-m", "[DELETE] memory/b.md — done with")["files"] == ["memory/b.md"]
    assert git(root, "log", "-1", "--format=%s") == "[DELETE] memory/b.md — done with\n"
    assert git(root, "status", "--porcelain") == ""


def test_a_merge_is_concluded_as_a_whole(root: Path, git: Git) -> None:
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    (root / ".git/MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD~1"))
    edit(root, memory__a_md="a\n")
    assert main(["commit"]) != 0
