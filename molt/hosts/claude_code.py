"""Claude Code: which of its events is which moment of a conversation, and how it is answered."""

from __future__ import annotations

from molt.hosts import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.hosts.events import Answer

EVENTS: Mapping[str, Answer] = {
    "SessionStart": events.answer_start,
    "UserPromptSubmit": events.answer_prompt,
    "Stop": events.note_stop,
    "SubagentStop": events.note_subagent_stop,
    "PreCompact": events.note_compaction,
    "SessionEnd": events.note_end,
    **dict.fromkeys(
        (
            *("PreToolUse", "PostToolUse", "PostToolBatch", "PostToolUseFailure", "PostCompact"),
            *("Notification", "FileChanged", "InstructionsLoaded", "ConfigChange", "Setup"),
            *("UserPromptExpansion", "PermissionRequest", "PermissionDenied", "SubagentStart"),
            *("StopFailure", "PreModelSwitch", "PostModelSwitch", "TeammateIdle", "TaskCreated"),
            *("TaskCompleted", "Elicitation", "ElicitationResult", "WorktreeCreate"),
            *("WorktreeRemove", "CwdChanged", "DirectoryAdded", "MessageDisplay"),
        ),
        events.ignore_event,
    ),
}
"""What is done at each event that Claude Code has."""
