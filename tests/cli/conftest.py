"""The command line, called in this process: status, stdout and stderr of one command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from copies import Copy

from molt.cli import main


class Said(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: str) -> Said:
        capsys.readouterr()
        status = main(list(args))
        return Said(status, *capsys.readouterr())

    return call


def make_agent(root: Path) -> None:
    """A workspace with three memories."""
    for words in (
        ("init", str(root)),
        ("remember", "the harbour gate opens at nine"),
        ("remember", "signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE"),
        ("remember", "Ada prefers short answers", "--store", "core"),
    ):
        assert main([*words] if words[0] == "init" else ["--workspace", str(root), *words]) == 0


@pytest.fixture
def agent(tmp_path: Path, copy: Copy, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with three memories, and the current folder in it; nothing is said yet."""
    root = copy(tmp_path / "agent", make_agent)
    monkeypatch.chdir(root)
    run("--version")
    return root
