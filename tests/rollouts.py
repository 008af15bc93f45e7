"""Transcripts of Codex, line by line as it writes them, of its old form and of its new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STAMP = "2026-11-22T14:36:30.607Z"
AGENTS = "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nRemember that Eve pays.\n</INSTRUCTIONS>"


def line(kind: str, /, **payload: Any) -> str:
    """A line of a kind."""
    return json.dumps({"timestamp": STAMP, "type": kind, "payload": payload}) + "\n"


def begin(folder: str | Path, **more: Any) -> str:
    """The first line, of work in a folder."""
    meta = {"id": "s-1", "cwd": str(folder), "originator": "codex_exec", "cli_version": "0.169.0"}
    instructions = {"text": "You are a coding agent. " * 400}
    given = {"source": "exec", "thread_source": "user", "base_instructions": instructions, **more}
    return line("session_meta", **meta, **given)


def give_context(text: str, role: str = "developer") -> str:
    """What Codex itself tells the model, with a role of its own or a person's."""
    content = [{"type": "input_text", "text": text}]
    return line("response_item", type="message", role=role, content=content)


def tell(text: str, role: str = "user") -> str:
    """What one side says: to the model, and as an event of the conversation."""
    kind = "input_text" if role == "user" else "output_text"
    inner = {"type": kind, "text": text}
    item = {"type": "UserMessage", "content": [{"type": "text", "text": text}]}
    if role != "user":
        item = {"type": "AgentMessage", "content": [{"type": "Text", "text": text}]}
    said = line("response_item", type="message", role=role, content=[inner])
    return said + line("event_msg", type="item_completed", thread_id="s-1", item=item)


def tell_before(text: str, role: str = "user") -> str:
    """The same, as versions before the autumn of 2026 write it."""
    kind = "user_message" if role == "user" else "agent_message"
    content = [{"type": "input_text", "text": text}]
    said = line("response_item", type="message", role=role, content=content)
    return said + line("event_msg", type=kind, message=text, images=[])


def answer_tool(text: str) -> str:
    """What a tool has answered: to the model, and as an event."""
    item = {"type": "McpToolCall", "tool": "read", "content": [{"type": "text", "text": text}]}
    said = line("response_item", type="function_call_output", call_id="c", output=text)
    return said + line("event_msg", type="item_completed", thread_id="s-1", item=item)


def compact(text: str) -> str:
    """A compaction, with its summary."""
    old = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    kept = line("compacted", message=text, replacement_history=[old])
    item = {"type": "ContextCompaction", "id": "c-1"}
    return kept + line("event_msg", type="item_completed", thread_id="s-1", item=item)


def write_talk(home: Path, name: str, *lines: str) -> Path:
    """A transcript in the folder of Codex in a home."""
    path = home / ".codex/sessions/2026/11/22" / f"rollout-2026-11-22T14-36-30-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return path
