"""`molt mcp`: what it needs, and who it acts for."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest


def test_without_the_extra_it_says_what_installs_it(
    agent: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "mcp" else plain(name, package)

    monkeypatch.setattr("molt.cli.commands.agents.mcp.find_spec", find_spec)
    said = run("mcp")
    assert (said.status, said.out) == (1, "")
    assert said.err == "molt: `molt mcp` needs a package more: pip install 'molt-memory[mcp]'\n"


@pytest.mark.parametrize("actor", ["manual", "bot:trigger-remember", "bot:trigger-forget"])
def test_it_serves_nobody_that_a_model_cannot_be(agent: Path, run, actor: str) -> None:
    said = run("--actor", actor, "mcp")
    assert said.status == 2
    assert f"{actor} is nobody that a model can be" in said.err
