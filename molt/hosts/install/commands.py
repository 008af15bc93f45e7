"""How molt's own commands stand in the configuration of hosts, and how they are known again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import Path

FALLBACK = "MOLT_FALLBACK_WORKSPACE"
"""The variable that names the workspace of projects that lie in none."""

ACTOR = "MOLT_ACTOR"
"""The variable that says who acts in the shell of a host's agent."""


def hook_arguments(host: str, places: HostPlaces) -> list[str]:
    """What molt is called with at a moment of a host's conversation."""
    where = ["--workspace", places.workspace] if places.workspace else []
    return ["hook", host, *where]


def server_entry(places: HostPlaces) -> dict[str, Any]:
    """The entry of molt's server in a host's list of MCP servers."""
    env = {"env": {FALLBACK: places.workspace}} if places.workspace else {}
    return {"command": places.command, "args": ["mcp"], **env}


def is_molt(command: object) -> bool:
    """Whether a command is the one that molt is called by."""
    return isinstance(command, str) and os.path.basename(command) in ("molt", "molt.exe")


def owns_hook(value: object, host: str) -> bool:
    """Whether a group of hooks has one hook, and that is one of molt's for a host."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(hooks, list) or len(hooks) != 1 or not isinstance(hooks[0], dict):
        return False
    words = hooks[0].get("args")
    if isinstance(words, list):
        return is_molt(hooks[0].get("command")) and words[:2] == ["hook", host]
    return owns_line(hooks[0].get("command"), host)


def owns_line(line: object, host: str) -> bool:
    """Whether a line for a shell is one of molt's for a host."""
    import shlex

    if not isinstance(line, str):
        return False
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    return bool(words) and is_molt(words[0]) and words[1:3] == ["hook", host]


def owns_server(value: object) -> bool:
    """Whether an entry of an MCP server is as molt writes it, whatever its folder."""
    if not isinstance(value, dict):
        return False
    known = {"type", "command", "args", "env"}
    env = value.get("env", {})
    plain = isinstance(env, dict) and set(env) <= {FALLBACK}
    return plain and set(value) <= known and is_molt(value.get("command")) and _serves(value)


def _serves(value: dict[str, Any]) -> bool:
    return value.get("args") == ["mcp"]


def owns_entry(path: Path, value: object, host: str) -> bool:
    """Whether what stands at a path of a host's configuration is molt's."""
    return owns_hook(value, host) if path[0] == "hooks" else owns_server(value)
