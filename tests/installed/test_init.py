"""`molt init` where git's hooks are kept elsewhere, as a person runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def molt(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "molt", *args]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def root(tmp_path: Path, git) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    hook = tmp_path / ".husky/pre-commit"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\necho mine >&2\n")
    hook.chmod(0o755)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "wip")
    return tmp_path


def test_a_tracked_hooks_folder_is_left_alone_until_asked(root, git) -> None:
    git(root, "config", "core.hooksPath", ".husky")
    done = molt(root, "init")
    assert done.returncode == 0
    assert "molt hooks install" in done.stderr
    assert git(root, "status", "--porcelain") == ""
    assert molt(root, "hooks", "install", "--strict").returncode == 0
    (root / "memory/a.md").write_text("a\n")
    git(root, "add", "memory/a.md")
    assert "mine" in git(root, "commit", "-m", "a note")
    assert "memory/a.md — a note" in git(root, "log", "-1", "--format=%s")


def test_hooks_that_are_switched_off_stay_off(root, git) -> None:
    git(root, "config", "core.hooksPath", "/dev/null")
    assert molt(root, "init").returncode == 0
    done = molt(root, "hooks", "install")
    assert done.returncode == 1
    assert "the hooks in /dev/null here (core.hooksPath), and there are none" in done.stderr
    assert "cannot put hooks into /dev/null" in molt(root, "hooks", "install", "--force").stderr


def test_existing_hooks_run_before_ours(root, git) -> None:
    own = root / ".git/hooks/pre-commit"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\necho own >&2\n")
    own.chmod(0o755)
    assert molt(root, "init").returncode == 0
    assert (root / ".git/hooks/pre-commit.before-molt").read_text().endswith("echo own >&2\n")
    (root / "memory/a.md").write_text("a\n")
    git(root, "add", "memory/a.md")
    assert "own" in git(root, "commit", "-m", "a note")
