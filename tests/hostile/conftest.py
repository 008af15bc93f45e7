"""An installed `molt` as a process, a workspace to hurt, and what must hold afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from copies import Copy

Molt = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def molt(tmp_path: Path) -> Molt:
    """Runs molt in a folder, the workspace by default."""

    def run(
        *args: str | bytes, cwd: Path | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        place = cwd or tmp_path / "agent"
        command = [sys.executable, "-m", "molt", *args]
        done = subprocess.run(command, cwd=place, input=stdin, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        assert b"defect" not in done.stderr
        return done

    return run


def make_agent(root: Path) -> None:
    """A workspace with one memory."""
    molt = (sys.executable, "-m", "molt", "--workspace", str(root))
    subprocess.run([*molt, "init", str(root)], capture_output=True, check=True)
    fact = "the gate code is in the drawer"
    subprocess.run([*molt, "remember", fact], capture_output=True, check=True)


@pytest.fixture
def agent(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_agent)


@pytest.fixture
def still(agent: Path, git: Callable[..., str]) -> Iterator[Path]:
    """The workspace, which a test must leave as it is."""

    def seen() -> tuple[str, ...]:
        return (
            git(agent, "rev-parse", "HEAD"),
            git(agent, "status", "--porcelain"),
            git(agent, "fsck", "--strict", "--no-dangling"),
        )

    before = seen()
    yield agent
    assert seen() == before
    assert not [name for name in os.listdir(agent / ".git") if "lock" in name or "molt-" in name]
