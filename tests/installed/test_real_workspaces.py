"""Workspaces that real agents have left, adopted in every state that they may be in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., str]
FOLDER = Path(os.environ.get("MOLT_DATA") or Path(__file__).parent) / "data/workspaces"

PERSONA = {
    "AGENTS.md": "# AGENTS.md\n\nEvery session: read SOUL.md. The agent writes down.\n",
    "SOUL.md": "# SOUL.md\n\nBe of use, and be brief.\n",
    "TOOLS.md": "# TOOLS.md\n\n## Cameras\n\n- the agent may use the one at the door\n",
    "USER.md": "# USER.md\n\n- **Name:**\n- **Time zone:**\n",
    "LICENSE": "As is.\n",
}
MADE = {
    "persona-alone": PERSONA,
    "lived-in": {
        **PERSONA,
        "memory/evolution/QUEUE.md": "# Queue\n\n## Open\n\n- [ ] ask the agent for a plan\n",
        "memory/evolution/goals/plan_2026-05-10.md": "# Plan\n\nThe agent moves in May.\n",
        "memory/research/2026-04-28_audit.md": "---\ntitle: An audit\n---\n\n# What it says\n\n"
        "| step | by |\n|---|---|\n| read | the agent |\n",
    },
}


def molt(root: Path, *args: str) -> str:
    command = [sys.executable, "-m", "molt", *args]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def plain(_root: Path, _git: Git) -> None:
    """A folder that is no repository."""


def unborn(root: Path, git: Git) -> None:
    """A repository without a commit."""
    git(root, "init", "-q", "-b", "main")


def staged(root: Path, git: Git) -> None:
    """Some of it is staged for the first commit."""
    unborn(root, git)
    git(root, "add", "SOUL.md", "LICENSE")


def history(root: Path, git: Git) -> None:
    """All of it has a history in another style."""
    unborn(root, git)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "feat: checkpoint")


def dirty(root: Path, git: Git) -> None:
    """Edited since, and with new files."""
    history(root, git)
    with (root / "SOUL.md").open("a") as file:
        file.write("an edit\n")
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory/2026-01-02.md").write_text("- a walk with the agent\n")


def windows(root: Path, git: Git) -> None:
    """Checked out with carriage returns."""
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "core.autocrlf", "true")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "wip")
    git(root, "rm", "-qr", "--cached", ".")
    git(root, "reset", "-q", "--hard")


@pytest.fixture(params=[*MADE, "clarvis", "openclaw-fresh"])
def root(request, tmp_path: Path) -> Path:
    made = tmp_path / "agent"
    if request.param in MADE:
        for name, text in MADE[request.param].items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_text(text, encoding="utf-8")
        return made
    source = FOLDER / request.param
    if not source.is_dir():
        pytest.skip(f"no {source}: set MOLT_DATA to the folder with data/workspaces")
    for path in source.rglob("*"):
        if path.is_file():
            target = made / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return made


def contents(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


@pytest.mark.parametrize("state", [plain, unborn, staged, history, dirty, windows])
def test_a_real_workspace_is_adopted_and_used(root, git, state) -> None:
    state(root, git)
    before = contents(root)
    molt(root, "init")
    after = contents(root)
    assert {path: after[path] for path in before} == before
    assert not [
        one for one in json.loads(molt(root, "verify", "--json"))["findings"]
        if one["severity"] == "error"
    ]  # fmt: skip
    found = json.loads(molt(root, "search", "agent", "--json"))["results"]
    assert found
    # Persona files are found too, and are told from memories.
    assert {one["source"] for one in found if "/" not in one["path"]} <= {"workspace"}
    assert {one["source"] for one in found if one["path"].startswith("memory/")} <= {"memory"}
    said = json.loads(molt(root, "remember", "the heron stands in the reeds", "--json"))
    found = json.loads(molt(root, "search", "heron in the reeds", "--json"))["results"]
    assert found[0]["id"] == said["id"]
    open_ = git(root, "status", "--porcelain")
    with (root / "memory/by-hand.md").open("w") as file:
        file.write("# By hand\n")
    git(root, "add", "memory/by-hand.md")
    git(root, "commit", "-qm", "a note by hand", "memory/by-hand.md")
    assert "memory/by-hand.md — a note by hand" in git(root, "log", "-1", "--format=%s")
    assert git(root, "status", "--porcelain") == open_
    head = git(root, "rev-parse", "HEAD")
    assert "nothing changed" in molt(root, "init")
    assert git(root, "rev-parse", "HEAD") == head
    git(root, "fsck", "--strict", "--no-dangling")
