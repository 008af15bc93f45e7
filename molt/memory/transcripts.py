"""A line of a transcript as what a person or an agent said: Claude Code's, OpenClaw's, Codex's."""

from __future__ import annotations

from molt import untrusted
from molt.formats import injected, speech
from molt.index.content.sources import Turn
from molt.policy import secrets
from molt.values import Value

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
_TEXTS = ("text", "Text")
_SAID = {
    "UserMessage": "user",
    "user_message": "user",
    "AgentMessage": "assistant",
    "agent_message": "assistant",
}
"""By what Codex calls it, who said something; its own context stands in no such event."""


class TalkOrigin(Value):
    """Of a conversation: the folder that was worked in, and whether a person took part."""

    folder: str
    by_user: bool


def read_origin(line: bytes | str) -> TalkOrigin | None:
    """What the first line of a transcript of Codex says of all of it; None for another's."""
    entry = _parse_entry(line)
    meta = entry.get("payload")
    if entry.get("type") != "session_meta" or not isinstance(meta, dict):
        return None
    # A sub-agent's names its parent in `source`, which of a person's is a word.
    by_user = not isinstance(meta.get("source"), dict) and meta.get("thread_source") != "subagent"
    return TalkOrigin(str(meta.get("cwd") or ""), by_user)


def parse_turn(line: bytes | str, number: int) -> Turn | None:
    """What a line says, with secrets taken out; None where it says nothing to remember."""
    entry = _parse_entry(line)
    if any(entry.get(mark) for mark in _HIDDEN):
        return None
    role, content = _find_said(entry)
    if role not in ("user", "assistant"):
        return None
    text = injected.strip_blocks(_join_text(content)).strip()
    if not text or text in _NO_ANSWERS or speech.is_notice(text):
        return None
    date = str(entry.get("timestamp") or "")[:10]
    return Turn(number, date, role, secrets.redact(text))


def _parse_entry(line: bytes | str) -> dict[str, Any]:
    try:
        entry = untrusted.parse_json(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}


def _find_said(entry: dict[str, Any]) -> tuple[Any, Any]:
    """Who said something, and what; twice None for a line that is of something else."""
    if entry.get("type") in ("user", "assistant", "message"):
        said = entry.get("message")
        return (said.get("role"), said.get("content")) if isinstance(said, dict) else (None, None)
    said = entry.get("payload") if entry.get("type") == "event_msg" else None
    if isinstance(said, dict) and isinstance(said.get("item"), dict):
        said = said["item"]
    if not isinstance(said, dict):
        return None, None
    return _SAID.get(str(said.get("type"))), said.get("content", said.get("message"))


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = (one for one in content if isinstance(one, dict) and one.get("type") in _TEXTS)
    return "\n".join(str(one.get("text") or "") for one in blocks)


def is_private(key: str) -> bool:
    """Whether a session key of OpenClaw names a talk with the owner alone."""
    shared = (":group:", ":channel:", ":thread:", ":subagent:", ":acp:", "cron:", "hook:")
    return not any(part in key for part in shared)
