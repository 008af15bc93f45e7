"""The command line, called in this process: status, stdout and stderr of one command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

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


@pytest.fixture
def agent(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with three memories, and the current folder in it."""
    root = tmp_path / "agent"
    assert run("init", str(root)).status == 0
    monkeypatch.chdir(root)
    run("remember", "the harbour gate opens at nine")
    run("remember", "signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE")
    run("remember", "Ada prefers short answers", "--store", "core")
    return root
