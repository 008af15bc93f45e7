"""A workspace, and what a host says to a hook in front of it."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from molt.formats import message as messages
from molt.hosts import door
from molt.hosts.session.moment import TalkMoment
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.workspace import Workspace

BY_HAND = "\n\n".join(
    (
        "[EDIT] * — by hand",
        messages.CRITICAL_NOTICE,
        "Actor: manual\nApproval: approved\nTrigger: git commit",
    )
)
"""What a person's commit says who has no hooks and says all that they would have added."""
NOW = datetime(2026, 2, 2, 14, 30, tzinfo=UTC)


def make_workspace(path: Path) -> None:
    setup.init(str(path))


def commit_settings(root: Path, text: str) -> None:
    """Commit settings as a person does who says so; without hooks those of nobody hold nothing."""
    commit_critical(root, "molt.yaml", text)


def commit_critical(root: Path, name: str, text: str) -> None:
    """Commit a critical file as a person does who says so."""
    (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "commit", "-qam", BY_HAND], cwd=root, check=True)


def open_moment(root: Path, actor: str = "", session: str = "s-1") -> TalkMoment:
    return TalkMoment(workspace.find(str(root), actor), NOW, session)


def run_event(
    root: Path, event: str, *, host: str = "claude-code", **fields: Any
) -> door.HookReply:
    """What a hook answers to an event of a conversation in a folder."""
    said = {"session_id": "s-1", "cwd": str(root), "hook_event_name": event, **fields}
    return run_bytes(json.dumps(said).encode(), host=host)


def run_bytes(data: bytes, *, host: str = "claude-code", folder: str = "") -> door.HookReply:
    return door.run_hook(door.HookCall(host, folder, lambda _zone: NOW), data)


def read_context(reply: door.HookReply) -> str:
    """What the model is told; empty for nothing."""
    if not reply.out:
        return ""
    inner = json.loads(reply.out)["hookSpecificOutput"]
    return str(inner["additionalContext"])


def count_commits(root: Path) -> int:
    args = ["git", "rev-list", "--count", "HEAD"]
    return int(subprocess.run(args, cwd=root, capture_output=True, text=True, check=True).stdout)


def last_message(root: Path) -> str:
    args = ["git", "log", "-1", "--format=%B"]
    return subprocess.run(args, cwd=root, capture_output=True, text=True, check=True).stdout


def read_memory(ws: Workspace) -> str:
    """All that the last commit holds below memory/, and core memory."""
    tree = ws.head()
    paths = [path for path in tree.entries() if path.startswith("memory/") or path == "MEMORY.md"]
    return "\n".join((tree.read(path) or b"").decode("utf-8", "replace") for path in paths)
