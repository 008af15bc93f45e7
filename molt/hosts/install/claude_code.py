"""molt in the settings of Claude Code: hooks, the MCP server, and leave to look things up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from molt import surroundings
from molt.hosts.install import commands
from molt.hosts.install.agents_file import make_target
from molt.hosts.install.targets import JsonTarget, WantedValue

if TYPE_CHECKING:
    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import HostFile, Path

NAME = "claude-code"

_MOMENTS: dict[str, dict[str, Any]] = {
    # Python starts, reads core memory and writes it: far below this; a slow disk is no reason
    # to start without memory.
    "SessionStart": {"timeout": 15},
    # Before every turn of a person, who waits.
    "UserPromptSubmit": {"timeout": 5},
    "PreCompact": {"timeout": 30},
    "Stop": {"timeout": 30, "async": True},
    # Without a timeout of its own it would be killed after 1.5 s.
    "SessionEnd": {"timeout": 10},
}
"""What molt is called at, with how many seconds it may take."""

_NOTES = "autoMemoryDirectory"
_NOTES_FOLDER = ("memory", "claude")
"""Where Claude Code's own notes go in a workspace; molt commits them in its name."""

_READS = tuple(
    f"mcp__molt__{tool}"
    for tool in (
        *("memory_search", "memory_get", "memory_recall", "memory_entity"),
        *("memory_history", "memory_status", "reflection_show"),
    )
)
"""Tools of molt's server that only read what lies in the workspace."""


def list_targets(places: HostPlaces) -> tuple[HostFile, ...]:
    """The files of Claude Code that molt has a part in, for the user or for a project."""
    folder = places.host_folder("CLAUDE_CONFIG_DIR", ".claude")
    servers = _servers_file(places, folder)
    if places.project:
        folder = os.path.join(places.project, ".claude")
    server = {"type": "stdio", **commands.server_entry(places)}
    return (
        JsonTarget(
            os.path.join(folder, "settings.json"),
            tuple(_list_settings(places)),
            (
                *(("hooks", "*", "*"), ("permissions", "allow", "*")),
                *(("env", commands.FALLBACK), ("env", commands.ACTOR), (_NOTES,)),
            ),
            _owns,
            warn=_warn_of_plugin,
        ),
        JsonTarget(
            servers,
            (WantedValue(("mcpServers", "molt"), server),),
            (("mcpServers", "molt"),),
            _owns,
            is_private=not places.project,
        ),
        make_target(os.path.join(places.project or folder, "CLAUDE.md")),
    )


def _warn_of_plugin(path: str, data: Any) -> tuple[str, ...]:
    """That molt is there as a plugin too: every message would be answered twice."""
    plugins = data.get("enabledPlugins")
    names = [
        name
        for name, is_on in (plugins if isinstance(plugins, dict) else {}).items()
        if is_on and name.split("@")[0] == "molt"
    ]
    return tuple(
        f"{path} enables the plugin {name} too, and both would answer each message: keep one, by "
        f"`claude plugin uninstall {name}` or `molt uninstall {NAME}`"
        for name in names
    )


def _servers_file(places: HostPlaces, folder: str) -> str:
    """Where the list of MCP servers is: beside the user's folder, and in it where that is moved."""
    if places.project:
        return os.path.join(places.project, ".mcp.json")
    is_moved = folder != os.path.join(places.home, ".claude")
    return os.path.join(folder if is_moved else places.home, ".claude.json")


def _list_settings(places: HostPlaces) -> list[WantedValue]:
    words = commands.hook_arguments(NAME, places)
    hook = {"type": "command", "command": places.command, "args": words}
    wanted = [
        WantedValue(("hooks", event, "*"), {"hooks": [{**hook, **limits}]})
        for event, limits in _MOMENTS.items()
    ]
    wanted += [WantedValue(("permissions", "allow", "*"), tool) for tool in _READS]
    # For what the agent runs in its shell.
    wanted.append(WantedValue(("env", commands.ACTOR), surroundings.BOT))
    if places.workspace:
        wanted.append(WantedValue(("env", commands.FALLBACK), places.workspace))
    if places.has_notes:
        folder = os.path.join(places.workspace, *_NOTES_FOLDER)
        wanted.append(WantedValue((_NOTES,), folder))
    return wanted


def _owns(path: Path, value: object) -> bool:
    if path[0] == "permissions":
        return value in _READS
    if path[0] == "env":
        return path[1] != commands.ACTOR or value == surroundings.BOT
    if path[0] == _NOTES:
        return isinstance(value, str) and tuple(value.split(os.sep)[-2:]) == _NOTES_FOLDER
    return commands.owns_entry(path, value, NAME)
