"""No test depends on the machine: its git configuration, clock, zone or home."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copies, Copy
from hypothesis import HealthCheck, settings

# A slow machine is no failure.
settings.register_profile("molt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("molt")

Git = Callable[..., str]


@pytest.fixture(autouse=True)
def _hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "MOLT_", "XDG_", "PRE_COMMIT")):
            monkeypatch.delenv(name)
    fixed = {
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TEMPLATE_DIR": "",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
    for name, value in fixed.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def git() -> Git:
    """Runs git in a folder; gives what it prints, or fails with what it says."""

    def run(cwd: Path, *args: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *args], cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8"
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Puts a copy of a repository at a path, as a function makes it."""
    return Copies(tmp_path_factory.mktemp("made"))
