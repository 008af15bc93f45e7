"""A line of a transcript as what a person or an agent said: Claude Code's, OpenClaw's, Codex's."""

from __future__ import annotations

import os

from molt import untrusted
from molt.formats.prose import injected, speech
from molt.index.content.sources import Turn
from molt.policy import secrets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HIDDEN = (
    *("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"),
    "repeatsCompactSummary",
)
KEPT = "conversations"
"""The folder of a clone with the conversations of hosts that keep none themselves."""
SHARED = ".shared"
"""The end of the names of those in it that were not with the owner alone."""
_LONGEST = 16 << 20
"""Bytes of a line that is read: what tools said can be long, and pictures stand in it."""
_NO_ANSWERS = frozenset(("NO_REPLY", "HEARTBEAT_OK"))
_TEXTS = ("text", "Text")
_SAID = {
    "UserMessage": "user",
    "user_message": "user",
    "AgentMessage": "assistant",
    "agent_message": "assistant",
}
"""By what Codex calls it, who said something; its own context stands in no such event."""


_PERSON = (b'"user"', b"UserMessage", b"user_message")
"""What stands in each line with a person's words, and in few others."""


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


def read_session(line: bytes | str) -> str:
    """The id of the session that a line of a transcript names; empty where it names none."""
    entry = _parse_entry(line)
    meta = entry.get("payload")
    if entry.get("type") == "session_meta" and isinstance(meta, dict):
        return str(meta.get("id") or "")
    return str(entry.get("id" if entry.get("type") == "session" else "sessionId") or "")


def read_said(path: str, start: int) -> Iterator[tuple[int, Turn | None]]:
    """The lines of a transcript from a byte on: the byte behind each, and what is said in it in a
    person's name; from the beginning where the file is shorter, which is another one then. A last
    line that is still being written is left out; nothing is said in a talk that no person took
    part in. Raises OSError.
    """
    with open(path, "rb") as file:
        origin = read_origin(file.readline(_LONGEST))
        if origin is not None and not origin.by_user:
            return
        place = start if start <= os.fstat(file.fileno()).st_size else 0
        file.seek(place)
        number, whole = 0, True
        while row := file.readline(_LONGEST):
            place += len(row)
            number += whole
            ends = row.endswith(b"\n")
            # What tools said is the most of it, and is not parsed.
            said = whole and any(mark in row for mark in _PERSON)
            turn = parse_turn(row, number) if said else None
            if not ends and len(row) < _LONGEST and turn is None:
                return
            yield place, turn if turn is not None and turn.role == "user" else None
            whole = ends


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
