"""The door for hosts' hooks: JSON in, JSON out, and whatever happens the host goes on."""

from __future__ import annotations

import os

from molt import errors, untrusted
from molt.formats import lines
from molt.hosts import events
from molt.memory import workspace
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from molt.hosts.events import Answer, HostEvent
    from molt.memory.workspace import Workspace

HOSTS = ("claude-code", "codex")
LONGEST = 64 << 20
"""Bytes of an event that are read: an answer of a tool may be in it."""
PATIENCE = 2.0
"""Seconds for which a write waits for others: a host ends the hook of a message after five, and
nobody would be told then that nothing was stored.
"""
_SPEAKING = ("SessionStart", "UserPromptSubmit")
"""The events of which the host gives to the model what a hook says."""


class HookCall(Value):
    """A call of a hook: of which host, where the workspace is that its installer noted (empty for
    none), and the clock, in a zone.
    """

    host: str
    folder: str
    clock: Callable[[str], datetime]


class HookReply(Value):
    """What a hook says: to the host, and to a person on stderr."""

    out: str = ""
    said: str = ""


def run_hook(call: HookCall, data: bytes) -> HookReply:
    """Answer one event. Nothing is raised: what goes wrong is said, and kept for `molt doctor`."""
    found: Workspace | None = None
    if os.environ.get("MOLT_REFLECTING") == "1":
        # The host makes the plan of a reflection: there is no conversation.
        return HookReply()
    try:
        event = read_event(data)
        # The place is looked for first, so that what is wrong with the event is kept there.
        found = _find_workspace(call, event)
        answer = _choose_answer(call.host, event)
        if found is None:
            return HookReply()
        moment = events.make_moment(found, event, call.clock)
        told = answer(moment, event)
        said = _tell_failure(call, errors.Failed(told.failure), found) if told.failure else ""
        return HookReply(_render_answer(event.name, told.context), said)
    except Exception as error:
        return HookReply(said=_tell_failure(call, error, found))


def read_event(data: bytes) -> HostEvent:
    """The event in the JSON of a host. Raises Usage where there is none."""
    if len(data) > LONGEST:
        raise errors.Usage(f"an event of over {LONGEST >> 20} MiB", "")
    try:
        fields = untrusted.parse_json(data)
    except ValueError as error:
        raise errors.Usage(f"what the host says is no JSON: {error}", "") from error
    if not isinstance(fields, dict):
        raise errors.Usage("what the host says is no JSON object", "")
    return events.HostEvent(fields)


def _choose_answer(host: str, event: HostEvent) -> Answer:
    answer = _load_events(host).get(event.name)
    if answer is None:
        raise errors.Usage(f"{host} has no event {event.name[:60]!r} that molt knows", "")
    return answer


def _load_events(host: str) -> Mapping[str, Answer]:
    if host == "codex":
        from molt.hosts import codex

        return codex.EVENTS
    if host == "claude-code":
        from molt.hosts import claude_code

        return claude_code.EVENTS
    raise errors.Usage(f"no host {host[:60]!r}: molt knows {', '.join(HOSTS)}", "")


def _find_workspace(call: HookCall, event: HostEvent) -> Workspace | None:
    """The workspace that the host works in, else that of the environment, else the one that the
    installer noted. None where there is none; raises what is wrong with one that was named.
    """
    cwd = event.text("cwd")
    failure: errors.MoltError | None = None
    for folder, named in _list_places(cwd, call.folder):
        try:
            return workspace.find(folder, event.actor).replace(patience=PATIENCE)
        except errors.NotFound as error:
            failure = error if named else failure
        except errors.MoltError as error:
            failure = error
    if failure is not None:
        raise failure
    return None


def _list_places(cwd: str, noted: str) -> Iterator[tuple[str, bool]]:
    """The folders to look in, and whether somebody has named them as a workspace."""
    if cwd:
        yield cwd, False
    if named := os.environ.get("MOLT_WORKSPACE", ""):
        yield named, True
    if noted:
        yield noted, True


def _render_answer(name: str, context: str) -> str:
    """What is printed for the host to give to its model; nothing where there is nothing to say."""
    if not context or name not in _SPEAKING:
        return ""
    said = untrusted.render_json_text(context)
    inner = f'{{"hookEventName": "{name}", "additionalContext": {said}}}'
    return f'{{"hookSpecificOutput": {inner}}}\n'


def _tell_failure(call: HookCall, error: Exception, found: Workspace | None) -> str:
    from contextlib import suppress

    from molt.memory import projections

    said = error.message if isinstance(error, errors.MoltError) else f"{error}"
    kind = "" if isinstance(error, errors.MoltError | OSError) else f"{type(error).__name__}: "
    if found is not None:
        with suppress(Exception):
            projections.note_failure(found.repo, f"hook {call.host}", error, projections.HOSTS_LOG)
    return f"molt hook: {kind}{lines.escape_text(said)[:500]}\n"
