"""A line of a transcript as what a person or an agent said: Claude Code's and OpenClaw's."""

from __future__ import annotations

from molt import untrusted
from molt.formats import injected, speech
from molt.index.content.sources import Turn
from molt.policy import secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HIDDEN = (
    *("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"),
    "repeatsCompactSummary",
)
KEPT = "conversations"
"""The folder of a clone with the conversations of hosts that keep none themselves."""
_NO_ANSWERS = frozenset(("NO_REPLY", "HEARTBEAT_OK"))


def parse_turn(line: bytes | str, number: int) -> Turn | None:
    """What a line says, with secrets taken out; None where it says nothing to remember."""
    try:
        entry = untrusted.parse_json(line)
    except ValueError:
        return None
    if not isinstance(entry, dict) or any(entry.get(mark) for mark in _HIDDEN):
        return None
    message = entry.get("message")
    if entry.get("type") not in ("user", "assistant", "message") or not isinstance(message, dict):
        return None
    role = message.get("role")
    if role not in ("user", "assistant"):
        return None
    text = injected.strip_blocks(_join_text(message.get("content"))).strip()
    if not text or text in _NO_ANSWERS or speech.is_notice(text):
        return None
    date = str(entry.get("timestamp") or "")[:10]
    return Turn(number, date, role, secrets.redact(text))


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = (one for one in content if isinstance(one, dict) and one.get("type") == "text")
    return "\n".join(str(one.get("text") or "") for one in blocks)


def is_private(key: str) -> bool:
    """Whether a session key of OpenClaw names a talk with the owner alone."""
    shared = (":group:", ":channel:", ":thread:", ":subagent:", ":acp:", "cron:", "hook:")
    return not any(part in key for part in shared)
