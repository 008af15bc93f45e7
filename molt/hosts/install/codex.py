"""molt in the configuration of Codex: hooks, the MCP server, and a block in AGENTS.md."""

from __future__ import annotations

import json
import os
import shlex
import tomllib
from typing import TYPE_CHECKING, Any

from molt import errors
from molt.hosts.install import commands
from molt.hosts.install.agents_file import make_target
from molt.hosts.install.targets import BlockTarget, JsonTarget, WantedValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import HostFile, Path

NAME = "codex"
_MOMENTS = {"SessionStart": 15, "UserPromptSubmit": 5, "PreCompact": 30, "Stop": 30}
"""What molt is called at, with how many seconds it may take. Codex has no end of a session."""

_BEGIN = "# molt: begin"
_END = "# molt: end"


def list_targets(places: HostPlaces) -> tuple[HostFile, ...]:
    """The files of Codex that molt has a part in, for the user or for a project."""
    folder = places.host_folder("CODEX_HOME", ".codex")
    if places.project:
        folder = os.path.join(places.project, ".codex")
    config = os.path.join(folder, "config.toml")
    words = (places.command, *commands.hook_arguments(NAME, places))
    return (
        JsonTarget(
            os.path.join(folder, "hooks.json"),
            tuple(_list_hooks(shlex.join(words))),
            (("hooks", "*", "*"),),
            _owns,
        ),
        BlockTarget(
            config,
            _render_server(places),
            _BEGIN,
            _END,
            check=lambda rest, text: _check_tables(config, rest, text),
            is_told=lambda text: _has_server(config, text),
        ),
        make_target(os.path.join(places.project or folder, "AGENTS.md")),
    )


def _list_hooks(line: str) -> Iterator[WantedValue]:
    for event, seconds in _MOMENTS.items():
        hook = {"type": "command", "command": line, "timeout": seconds}
        yield WantedValue(("hooks", event, "*"), {"hooks": [hook]})


def _owns(path: Path, value: object) -> bool:
    return commands.owns_entry(path, value, NAME)


def _render_server(places: HostPlaces) -> str:
    entry = commands.server_entry(places)
    env = entry.pop("env", {})
    rows = [
        f"{_BEGIN} (molt keeps this block up to date; write outside of it)",
        "[mcp_servers.molt]",
        *(f"{key} = {_render_value(value)}" for key, value in entry.items()),
    ]
    if env:
        rows += ["", "[mcp_servers.molt.env]"]
        rows += [f"{key} = {_render_value(value)}" for key, value in env.items()]
    return "\n".join((*rows, _END, ""))


def _render_value(value: Any) -> str:
    """Texts and lists of texts are written in TOML as in JSON, but for a DEL, which has to be
    escaped.
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _parse_tables(path: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise errors.Failed(
            f"{path} is no TOML: {error}", "mend it, or move it away, then run this again"
        ) from None


def _has_server(path: str, text: str) -> bool:
    servers = _parse_tables(path, text).get("mcp_servers")
    return isinstance(servers, dict) and "molt" in servers


def _check_tables(path: str, rest: str, text: str) -> None:
    """Raises Failed for a file that is broken, or written so that a table cannot be added."""
    _parse_tables(path, rest)
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        raise errors.Failed(
            f"{path} holds its `mcp_servers` on one line, which no table can be added to",
            "write them as `[mcp_servers.NAME]`, then run this again",
        ) from None
