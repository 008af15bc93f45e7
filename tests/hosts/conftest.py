"""Real programs that run an agent, where `make hosts` has put them, on a machine of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hosts.anthropic_stub import Stub, serve

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(os.environ.get("MOLT_NODE_HOSTS") or ROOT / "node-hosts") / "node_modules"
"""Where npm has put the hosts."""

CLAUDE = PROGRAMS / "@anthropic-ai/claude-code-linux-x64/claude"
BIN = Path(sys.executable).parent


class Machine:
    """A home of a person who has molt and Claude Code, and nothing else."""

    def __init__(self, home: Path, stub: Stub) -> None:
        self.home, self.stub = home, stub
        self.project = home / "project"
        self.project.mkdir(parents=True)

    def molt(self, *args: str, cwd: Path | None = None) -> str:
        """What molt says; it must have gone well."""
        return self._run(str(BIN / "molt"), *args, cwd=cwd)

    def claude(self, *args: str) -> str:
        """What Claude Code says in the project; it must have gone well."""
        return self._run(str(CLAUDE), *args)

    def git(self, folder: Path, *args: str | Path) -> str:
        """What git says in a folder."""
        return self._run("git", *map(str, args), cwd=folder)

    def _run(self, *words: str, cwd: Path | None = None) -> str:
        environment = {
            "PATH": f"{BIN}:{CLAUDE.parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_PROXY": "127.0.0.1",
            "ANTHROPIC_API_KEY": "sk-ant-stub",
            "ANTHROPIC_BASE_URL": self.stub.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }
        done = subprocess.run(
            words,
            cwd=cwd or self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serve() as one:
        yield one


@pytest.fixture
def machine(tmp_path: Path, stub: Stub) -> Machine:
    """A machine with a real Claude Code and a workspace in `memory`."""
    if not CLAUDE.exists():
        pytest.skip(f"no Claude Code in {PROGRAMS}: `make hosts` installs it there")
    made = Machine(tmp_path / "home", stub)
    made.molt("init", str(made.home / "memory"), "--name", "Ada", "--email", "ada@example.org")
    return made
