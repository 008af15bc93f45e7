"""molt in the configuration of Codex: hooks, the MCP server, and a block in AGENTS.md."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from molt import surroundings
from molt.hosts.install import commands
from molt.hosts.install.agents_file import make_target
from molt.hosts.install.targets import JsonTarget, WantedValue
from molt.hosts.install.toml_target import TomlTarget, TomlTargets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import HostFile, Path

NAME = "codex"
_MOMENTS = {
    "SessionStart": 15,
    "UserPromptSubmit": 5,
    "PreCompact": 30,
    "Stop": 30,
    # Codex gives no more to an end; one that has no such event passes over it.
    "SessionEnd": 3,
}
"""What molt is called at, with how many seconds it may take."""


def list_targets(places: HostPlaces) -> tuple[HostFile, ...]:
    """The files of Codex that molt has a part in, for the user or for a project."""
    folder = places.host_folder("CODEX_HOME", ".codex")
    if places.project:
        folder = os.path.join(places.project, ".codex")
    words = (places.command, *commands.hook_arguments(NAME, places))
    return (
        JsonTarget(
            os.path.join(folder, "hooks.json"),
            tuple(_list_hooks(shlex.join(words))),
            (("hooks", "*", "*"),),
            _owns,
        ),
        _make_config(os.path.join(folder, "config.toml"), places),
        make_target(os.path.join(places.project or folder, "AGENTS.md")),
    )


def _make_config(path: str, places: HostPlaces) -> TomlTargets:
    """The configuration: the server, and who acts in the shell of the agent."""
    server = TomlTarget(path, ("mcp_servers", "molt"), commands.server_entry(places), _owns_server)
    named = {commands.ACTOR: surroundings.BOT}
    shell = TomlTarget(
        path, ("shell_environment_policy", "set"), named, lambda value: value == named
    )
    return TomlTargets(path, (server, shell))


def _list_hooks(line: str) -> Iterator[WantedValue]:
    for event, seconds in _MOMENTS.items():
        hook = {"type": "command", "command": line, "timeout": seconds}
        yield WantedValue(("hooks", event, "*"), {"hooks": [hook]})


def _owns(path: Path, value: object) -> bool:
    return commands.owns_entry(path, value, NAME)


def _owns_server(value: object) -> bool:
    """Whether a server is molt's, whatever Codex has noted of it."""
    if not isinstance(value, dict):
        return False
    known = ("command", "args", "env")
    return commands.owns_server({key: one for key, one in value.items() if key in known})
