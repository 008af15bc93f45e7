"""Codex: its events have Claude Code's form; of the end of a conversation only newer ones tell."""

from __future__ import annotations

from molt.hosts import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.hosts.events import Answer, HookAnswer, HostEvent
    from molt.hosts.session.moment import TalkMoment


def _note_stop(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """Count what was used. Where no end is told any answer may be the last, so the conversation
    waits for a reflection from its first one on.
    """
    events.note_end(moment, event)
    return events.note_stop(moment, event)


EVENTS: Mapping[str, Answer] = {
    "SessionStart": events.answer_start,
    "UserPromptSubmit": events.answer_prompt,
    "Stop": _note_stop,
    "SubagentStop": events.note_subagent_stop,
    "PreCompact": events.note_compaction,
    "SessionEnd": events.note_end,
    **dict.fromkeys(
        (
            *("PreToolUse", "PostToolUse", "PermissionRequest", "PostCompact", "SubagentStart"),
            *("Interrupt", "PreModelRequest"),
        ),
        events.ignore_event,
    ),
}
"""What is done at each event that Codex has."""
