"""A workspace with its hooks, and git as a person runs it there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copy

from molt.memory.adopt import setup
from molt.memory.checks import verify
from molt.repo import find, hooks

EPISODE = "memory/episodes/2026-02-02.md"
FIRST = "# 2026-02-02 — Episode Log\n\n## 09:00 | fact | confidence:high | tags:[a]\nOne.\n"


def entry(text: str, time: str = "10:00") -> str:
    return f"\n## {time} | fact | confidence:high | tags:[a]\n{text}\n"


class Agent:
    """A workspace at `root` with one episode."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repo = find.find_repo(str(root))

    def run(self, *args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = ["git", *args]
        return subprocess.run(command, cwd=cwd or self.root, capture_output=True, text=True)

    def git(self, *args: str, cwd: Path | None = None) -> str:
        done = self.run(*args, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def put(self, path: str, text: str, *, add: bool = True) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if add:
            self.git("add", "--", path)

    def append(self, text: str, path: str = EPISODE, *, add: bool = True) -> None:
        self.put(path, (self.root / path).read_text(encoding="utf-8") + text, add=add)

    def rewrite(self, *, add: bool = True) -> None:
        """Break the rule that episodes are only appended to."""
        old = (self.root / EPISODE).read_text(encoding="utf-8")
        self.put(EPISODE, old.replace("One.", "Other."), add=add)

    def codes(self, *args: str) -> set[str]:
        """The rules that `molt verify` finds broken."""
        found = verify.verify_commits(self.repo, args).findings
        return {one.code for _, one in found if one.severity == "error"}

    def log(self) -> str:
        return (self.root / "memory/meta/audit.log").read_text(encoding="utf-8")


def make_agent(root: Path) -> None:
    """A workspace with molt's hooks and one episode, committed by them."""
    repo = setup.init(str(root)).repo
    hooks.install(repo.hooks_dir(), sys.executable)
    made = Agent(root)
    made.put(EPISODE, FIRST)
    made.git("commit", "-qm", "start")


@pytest.fixture
def agent(tmp_path: Path, copy: Copy) -> Agent:
    return Agent(copy(tmp_path / "agent", make_agent))


@pytest.fixture
def side(agent: Agent) -> Callable[..., None]:
    """Makes a branch with one good commit, and comes back."""

    def make(name: str, path: str, text: str) -> None:
        agent.git("switch", "-qc", name)
        agent.put(path, text)
        agent.git("commit", "-qm", f"on {name}")
        agent.git("switch", "-q", "main")

    return make
