"""The plugin for Claude Code says what `molt install` writes, and the version that ships it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from molt import __version__, resources
from molt.cli.commands import COMMANDS
from molt.hosts.install import claude_code
from molt.hosts.install.places import HostPlaces
from molt.hosts.install.targets import JsonTarget

ROOT = Path(__file__).parents[2]
PLUGIN = Path(resources.find("templates/hosts/claude-code/README.md")).parent


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_the_hooks_and_the_server_are_those_of_an_installation() -> None:
    settings, servers, _ = claude_code.list_targets(HostPlaces("/home/u", "molt"))
    assert isinstance(settings, JsonTarget)
    assert isinstance(servers, JsonTarget)
    hooks = {one.path[1]: [one.value] for one in settings.wanted if one.path[0] == "hooks"}
    assert read(PLUGIN / "hooks/hooks.json")["hooks"] == hooks
    (server,) = servers.wanted
    assert read(PLUGIN / ".mcp.json")["mcpServers"] == {"molt": server.value}


def test_the_marketplace_leads_to_the_plugin_of_this_version() -> None:
    (entry,) = read(ROOT / ".claude-plugin/marketplace.json")["plugins"]
    found = read(ROOT / entry["source"] / ".claude-plugin/plugin.json")
    assert (found["name"], found["version"]) == (entry["name"], __version__)


def test_what_the_skill_names_are_commands_that_there_are() -> None:
    text = (PLUGIN / "skills/molt/SKILL.md").read_text("utf-8")
    named = [part.split()[1] for part in text.split("`")[1::2] if part.startswith("molt ")]
    assert len(named) > 5
    assert set(named) <= set(COMMANDS)
    leave = next(line for line in text.splitlines() if line.startswith("allowed-tools:"))
    tools = [word.strip() for word in leave.partition(":")[2].split(",")]
    assert not any(word in tool for tool in tools for word in ("remember", "forget", "decide"))
