"""molt in the configuration of OpenClaw: the plugin from 2026.8 on, `molt-qmd` before, a skill."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from molt import errors, resources
from molt.hosts.install import commands, json_nodes
from molt.hosts.install.targets import FileTarget, JsonTarget, WantedValue

if TYPE_CHECKING:
    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import HostFile, Path

NAME = "openclaw"
_NIGHTLY = """openclaw automations create "30 3 * * *" --name "molt reflect" \\
    --command-argv '["molt","reflect","--if-due"]' --command-cwd ~/.openclaw/workspace \\
    --no-deliver"""
NEXT_STEPS = (
    "`molt init` in the workspace of each agent (`~/.openclaw/workspace`) that is no memory yet",
    "start OpenClaw anew: `openclaw gateway restart`",
    f"reflect at night: `molt reflect schedule`, or by OpenClaw's own scheduler\n    {_NIGHTLY}",
)
_ENGINE_ENDS = (2026, 8)
"""The version that takes no search engine of others any more, and plugins instead."""
_ENGINE_BEGINS = (2026, 2)
"""The version from which it asks a search engine of others."""
_MANIFEST, _BESIDE = "openclaw.plugin.json", "openclaw.plugin.beside.json"
"""What says of the plugin what it is: the memory, or a part beside another memory, for OpenClaw
does not load a second one."""
_PLUGIN = ("index.js", _MANIFEST, "package.json")
_ENTRY = ("plugins", "entries", "molt")
_PATHS = ("plugins", "load", "paths", "*")
_SLOT = ("plugins", "slots", "memory")
_VARIABLE = ("env", "vars", commands.ACTOR)
_NAME = "bot:openclaw"
"""Who acts in the shell of its agents, and by the plugin."""
_BACKEND, _QMD = ("memory", "backend"), ("memory", "qmd", "command")
_STATES = (".openclaw", ".clawdbot", ".moltbot")
_CONFIGS = ("openclaw.json", "clawdbot.json", "moltbot.json")


def list_targets(places: HostPlaces) -> tuple[HostFile, ...]:
    """The files of OpenClaw that molt has a part in, those of the plugin first: a configuration
    must never name one that is not there. Raises Usage for a project, of which it knows none.
    """
    if places.project:
        raise errors.Usage("OpenClaw has one configuration for all agents", "leave out `--scope`")
    state = _find_state(places)
    config = _find_config(places, state)
    version = find_version(places, config)
    skill = _copy_file("skill/molt/SKILL.md", os.path.join(state, "skills", "molt", "SKILL.md"))
    if version and version < _ENGINE_BEGINS:
        return (skill,)
    if version and version < _ENGINE_ENDS:
        return (skill, _make_config(config, _list_engine(places)))
    folder = os.path.join(state, "molt", "plugin")
    slot = _read_value(config, _SLOT)
    named = {_MANIFEST: _BESIDE} if isinstance(slot, str) and slot != "molt" else {}
    files = (
        _copy_file(f"plugin/{named.get(name, name)}", os.path.join(folder, name))
        for name in _PLUGIN
    )
    return (*files, skill, _make_config(config, _list_plugin(places, folder)))


def find_version(places: HostPlaces, config: str) -> tuple[int, ...]:
    """The version of OpenClaw: that of the program on PATH, else that which wrote the
    configuration last; empty where neither tells, which a new one does not either.
    """
    path = dict(places.environment).get("PATH", "")
    program = shutil.which("openclaw", path=path) or shutil.which("clawdbot", path=path)
    told = [_read_value(_find_package(program), ("version",))] if program else []
    for found in (*told, _read_value(config, _TOUCHED)):
        parts = str(found or "").partition("-")[0].split(".")
        if len(parts) > 1 and all(one.isascii() and one.isdigit() for one in parts):
            return tuple(map(int, parts))
    return ()


_TOUCHED = ("meta", "lastTouchedVersion")


def _find_package(program: str | None) -> str:
    """The file beside a program's script that says which version it is."""
    return os.path.join(os.path.dirname(os.path.realpath(program or "")), "package.json")


def _read_value(path: str, keys: tuple[str, ...]) -> object:
    """What stands in a file of JSON; None where that cannot be told."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json_nodes.parse_nodes(file.read()).value
    except (OSError, ValueError, json_nodes.Broken):
        return None
    return _follow(value, keys)


def _find_state(places: HostPlaces) -> str:
    """The folder of OpenClaw's state, which may have one of its earlier names."""
    profile = dict(places.environment).get("OPENCLAW_PROFILE", "")
    if profile and profile != "default":
        return places.host_folder("OPENCLAW_STATE_DIR", f".openclaw-{profile}")
    known = (one for one in _STATES if os.path.isdir(os.path.join(places.home, one)))
    return places.host_folder("OPENCLAW_STATE_DIR", next(known, _STATES[0]))


def _find_config(places: HostPlaces, state: str) -> str:
    named = dict(places.environment).get("OPENCLAW_CONFIG_PATH", "")
    if named:
        return os.path.abspath(named)
    here = (os.path.join(state, one) for one in _CONFIGS)
    return next(filter(os.path.exists, here), os.path.join(state, _CONFIGS[0]))


def _copy_file(name: str, path: str) -> FileTarget:
    """A file of molt's as a copy: what OpenClaw loads must outlast molt, or it would not start."""
    with open(resources.find(f"templates/hosts/openclaw/{name}"), encoding="utf-8") as file:
        return FileTarget(path, file.read())


def _make_config(path: str, wanted: tuple[WantedValue, ...]) -> JsonTarget:
    """The configuration, with all that any molt may have put there as its traces."""
    traces = (
        *((*_ENTRY, "enabled"), (*_ENTRY, "config", "command")),
        *(_PATHS, _SLOT, _VARIABLE, _BACKEND, _QMD),
    )
    root = _read_value(path, ())
    return JsonTarget(
        path,
        wanted,
        traces,
        lambda place, value: _owns(place, value, root),
        is_strict=False,
        is_private=True,
    )


def _list_plugin(places: HostPlaces, folder: str) -> tuple[WantedValue, ...]:
    return (
        # Of two plugins with tools of one name the first has them, and those that are named here
        # come before OpenClaw's own; what lies in its folder of extensions comes behind.
        WantedValue(_PATHS, folder),
        WantedValue((*_ENTRY, "enabled"), True),
        WantedValue((*_ENTRY, "config", "command"), places.command),
        WantedValue(_SLOT, "molt"),
        WantedValue(_VARIABLE, _NAME),
    )


def _list_engine(places: HostPlaces) -> tuple[WantedValue, ...]:
    # OpenClaw takes the first word of the command alone.
    engine = os.path.join(os.path.dirname(places.command), "molt-qmd")
    return WantedValue(_BACKEND, "qmd"), WantedValue(_QMD, engine)


def _owns(place: Path, value: object, root: object) -> bool:
    """Whether what stands at a place is molt's: a backend only where its command is molt's too."""
    if place == _BACKEND:
        return value == "qmd" and _is_engine(_follow(root, _QMD))
    if place == _QMD:
        return _is_engine(value)
    if place == _VARIABLE:
        return value == _NAME
    if place == _SLOT:
        return value == "molt"
    if place[:-1] == _PATHS[:-1]:
        return isinstance(value, str) and value.replace("\\", "/").endswith("/molt/plugin")
    return value is True if place[-1] == "enabled" else commands.is_molt(value)


def _is_engine(command: object) -> bool:
    return isinstance(command, str) and os.path.basename(command) in ("molt-qmd", "molt-qmd.exe")


def _follow(value: object, keys: Path) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
