"""Whether Codex runs molt's hooks: it passes over those that nobody has trusted, in silence."""

from __future__ import annotations

import json
import os
import shlex
import tomllib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from molt import untrusted
from molt.hosts.install import codex, commands
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class MuteHooks(Value):
    """Hooks of molt's that Codex does not run: in which file they stand, the events that are
    missed (empty where it runs no hooks at all), and why.
    """

    path: str
    events: tuple[str, ...]
    why: str
    then: str


_TRUST = "start `codex`, type /hooks, and trust molt's hooks there"


def find_mute(environment: Mapping[str, str], root: str) -> tuple[MuteHooks, ...]:
    """What Codex does not run of the hooks that lead to the workspace at `root`, those of the user
    first. What cannot be read is not told of: that is Codex's to say.
    """
    home = find_home(environment)
    settings = _read_settings(os.path.join(home, "config.toml"))
    found = (
        _judge_file(os.path.join(folder, "hooks.json"), settings, root)
        for folder in (home, os.path.join(root, ".codex"))
    )
    return tuple(one for one in found if one is not None)


def find_home(environment: Mapping[str, str]) -> str:
    """The folder of Codex's own."""
    home = environment.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(environment.get("CODEX_HOME") or os.path.join(home, ".codex"))


def _judge_file(path: str, settings: dict[str, Any], root: str) -> MuteHooks | None:
    hooks = list(_list_own(path, root))
    if not hooks:
        return None
    features = settings.get("features")
    if isinstance(features, dict) and features.get("hooks") is False:
        then = "take `hooks = false` out of [features] in its config.toml"
        return MuteHooks(path, (), "Codex runs no hooks: its settings say so", then)
    untrusted_events = tuple(
        event for event, key, digest in hooks if not _is_trusted(settings, key, digest)
    )
    if not untrusted_events:
        return None
    said = f"Codex does not run molt at {', '.join(untrusted_events)}: nobody has trusted it there"
    return MuteHooks(path, untrusted_events, f"{said}, or it changed since", _TRUST)


def _list_own(path: str, root: str) -> Iterator[tuple[str, str, str]]:
    """The hooks of a file that call molt for a workspace: the event of each, and by which key and
    digest Codex knows whether it is trusted.
    """
    data = _read_json(path)
    events = data.get("hooks") if isinstance(data, dict) else None
    for event, groups in (events if isinstance(events, dict) else {}).items():
        for at, group in enumerate(groups if isinstance(groups, list) else []):
            if commands.owns_hook(group, codex.NAME) and _leads_to(group["hooks"][0], root):
                word = make_word(event)
                yield event, f":{word}:{at}:0", make_digest(word, group)


def make_word(event: str) -> str:
    """An event as Codex has it in its settings: `session_start`."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in event).lstrip("_")


def make_digest(word: str, group: Mapping[str, Any]) -> str:
    """What Codex 0.169 keeps of a hook that is trusted: the digest of its JSON in canonical form,
    with what it takes where nothing is said.
    """
    hook = {"async": False, **group["hooks"][0]}
    told = {"event_name": word, "hooks": [hook]}
    if group.get("matcher") is not None:
        told["matcher"] = group["matcher"]
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _is_trusted(settings: dict[str, Any], key: str, digest: str) -> bool:
    hooks = settings.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    return any(
        isinstance(one, dict) and one.get("trusted_hash") == digest
        for name, one in (state if isinstance(state, dict) else {}).items()
        if str(name).endswith(key)
    )


def _leads_to(hook: Mapping[str, Any], root: str) -> bool:
    """Whether a hook is for a workspace: for this one, or for any in which Codex works."""
    args = hook.get("args")
    words = args if isinstance(args, list) else shlex.split(hook["command"])
    if "--workspace" not in words[:-1]:
        return True
    named = words[words.index("--workspace") + 1]
    if not isinstance(named, str) or "\0" in named:
        return False
    return os.path.realpath(named) == os.path.realpath(root)


def _read_json(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return untrusted.parse_json(file.read())
    except (OSError, ValueError):
        return None


def _read_settings(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read().decode("utf-8-sig"))
    # The library walks into lists by calling itself.
    except (OSError, ValueError, RecursionError):
        return {}
