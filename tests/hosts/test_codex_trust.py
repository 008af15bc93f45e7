"""What is odd in Codex's own files takes no command down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from molt.hosts.install import codex_trust


def write_hooks(home: Path, **more: object) -> None:
    hook = {"type": "command", "command": "molt hook codex", **more}
    home.mkdir(exist_ok=True)
    text = json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})
    (home / "hooks.json").write_text(text)


def list_events(home: Path, root: Path) -> list[tuple[str, ...]]:
    environment = {"HOME": str(home.parent), "CODEX_HOME": str(home)}
    return [one.events for one in codex_trust.find_mute(environment, str(root))]


@pytest.mark.parametrize("more", [{}, {"args": None}, {"args": "hook"}])
def test_a_hook_that_nobody_trusts_is_told_of(tmp_path: Path, more: dict[str, object]) -> None:
    home = tmp_path / "codex"
    write_hooks(home, **more)
    assert list_events(home, tmp_path) == [("SessionStart",)]


@pytest.mark.parametrize("named", [5, None, "a\0b", "/elsewhere"])
def test_a_hook_of_another_workspace_is_not_told_of(tmp_path: Path, named: object) -> None:
    home = tmp_path / "codex"
    args = ["hook", "codex", "--workspace", named]
    write_hooks(home, command="molt", args=args)
    assert list_events(home, tmp_path) == []


@pytest.mark.parametrize("settings", ["[[[", "a = " + "[" * 100_000, "features = 1", "hooks = []"])
def test_settings_that_cannot_be_read_trust_nothing(tmp_path: Path, settings: str) -> None:
    home = tmp_path / "codex"
    write_hooks(home)
    (home / "config.toml").write_text(settings)
    assert list_events(home, tmp_path) == [("SessionStart",)]
