"""`molt install` and `molt uninstall` as a person calls them, and as a script does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Git
from copies import Copy

from molt.formats.prose import instructions

SETTINGS = ".claude/settings.json"


def molt(cwd: Path, *args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [Path(sys.executable).with_name("molt"), *args],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.fixture
def home() -> Path:
    return Path(os.environ["HOME"])


def make_project(root: Path) -> None:
    molt(root.parent, "init", root.name)


@pytest.fixture
def project(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "project", make_project)


def test_nobody_is_asked_without_a_terminal_and_nothing_changes(home: Path, project: Path) -> None:
    done = molt(project, "install", "claude-code", status=3)
    assert "+++ " in done.stdout
    assert "--yes" in done.stderr
    told = json.loads(molt(project, "install", "codex", "--json", status=3).stdout)
    assert told["error"]["kind"] == "needs-answer"
    assert not any(home.iterdir())


def test_a_dry_run_shows_what_would_change(home: Path, project: Path) -> None:
    told = json.loads(molt(project, "install", "claude-code", "--dry-run", "--json").stdout)
    assert not told["done"]
    assert told["workspace"] == str(project)
    assert f"+++ {home}/{SETTINGS}" in told["diff"]
    assert [one["change"] for one in told["changed"]] == ["created"] * 3
    assert not any(home.iterdir())


def test_a_bot_does_not_decide_what_a_host_runs(home: Path, project: Path) -> None:
    done = molt(project, "install", "claude-code", "--yes", "--actor", "bot:main", status=1)
    assert "--actor manual" in done.stderr
    assert not any(home.iterdir())


def test_outside_of_a_workspace_each_project_has_its_own(home: Path, tmp_path: Path) -> None:
    done = molt(tmp_path, "install", "claude-code", "--yes")
    text = (home / SETTINGS).read_text()
    assert "FALLBACK" not in text
    assert "--workspace" not in text
    assert "`molt init DIR` makes one" in done.stderr


def test_of_a_memory_that_is_named_nothing_is_missing(home: Path, project: Path) -> None:
    assert "no workspace" not in molt(project, "install", "claude-code", "--yes").stderr
    shared = molt(home, "install", "claude-code", "--scope", "project", "--yes")
    assert "no workspace" not in shared.stderr


def test_a_workspace_that_is_named_must_be_one(home: Path, tmp_path: Path) -> None:
    molt(tmp_path, "install", "claude-code", "--yes", "--workspace", str(tmp_path), status=4)
    assert not any(home.iterdir())


@pytest.mark.parametrize(("host", "name"), [("claude-code", "CLAUDE.md"), ("codex", "AGENTS.md")])
def test_in_a_workspace_the_instructions_are_committed_by_a_person(
    project: Path, git: Git, host: str, name: str
) -> None:
    (project / name).write_text("# Mine\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "my instructions")
    (project / name).write_text("# Mine\n\nNot committed yet.\n")
    molt(project, "install", host, "--yes", "--scope", "project")
    assert git(project, "show", f"HEAD:{name}") == f"# Mine\n\n{instructions.BLOCK}"
    assert (project / name).read_text() == f"# Mine\n\nNot committed yet.\n\n{instructions.BLOCK}"
    assert "Actor: manual\n" in git(project, "log", "-1", "--format=%B")
    molt(project, "uninstall", host, "--yes", "--scope", "project")
    assert (project / name).read_text() == "# Mine\n\nNot committed yet.\n"
    assert git(project, "show", f"HEAD:{name}") == "# Mine\n"
    assert git(project, "status", "--porcelain") == f" M {name}\n"
    assert molt(project, "verify").stdout


def test_instructions_that_it_made_go_again_in_a_commit(project: Path, git: Git) -> None:
    before = git(project, "ls-tree", "-r", "HEAD")
    molt(project, "install", "claude-code", "--yes", "--scope", "project")
    assert "CLAUDE.md" in git(project, "ls-tree", "-r", "HEAD")
    molt(project, "uninstall", "claude-code", "--yes", "--scope", "project")
    assert git(project, "ls-tree", "-r", "HEAD") == before
    assert git(project, "status", "--porcelain") == ""


def test_notes_are_for_the_host_that_has_some_and_a_workspace(
    home: Path, project: Path, tmp_path: Path
) -> None:
    for cwd, host in ((project, "codex"), (tmp_path, "claude-code")):
        assert "--notes" in molt(cwd, "install", host, "--notes", "--yes", status=2).stderr
    assert not any(home.iterdir())


def test_a_second_call_says_anew_what_is_wanted(home: Path, project: Path) -> None:
    molt(project, "install", "claude-code", "--notes", "--yes")
    assert f"{project}/memory/claude" in (home / SETTINGS).read_text()
    molt(project, "install", "claude-code", "--yes")
    assert f"{project}/memory/claude" not in (home / SETTINGS).read_text()
    molt(project, "uninstall", "claude-code", "--yes")
    assert not any(home.iterdir())


def test_a_folder_without_a_memory_has_that_of_the_installation(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    molt(tmp_path, "status", status=4)
    monkeypatch.setenv("MOLT_FALLBACK_WORKSPACE", str(project))
    molt(tmp_path, "remember", "The mast is new")
    assert "mast" in molt(project, "search", "mast").stdout
    molt(tmp_path, "init", "other")
    assert "mast" not in molt(tmp_path / "other", "search", "mast").stdout
