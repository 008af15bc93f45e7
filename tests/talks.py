"""Records of a conversation, brought into a workspace as a person would."""

from __future__ import annotations

import json
from pathlib import Path

from molt.memory.workspace import Workspace
from molt.memory.write import import_notes


def fill(ws: Workspace, *rows: dict[str, str]) -> dict[str, str]:
    """Bring records in; gives the memory of each."""
    path = Path(ws.repo.root).parent / "talk.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return import_notes.import_source(ws, str(path)).memories


def line(name: str, text: str, date: str = "2024-03-05T10:00", **more: str) -> dict[str, str]:
    """One record."""
    return {"id": name, "text": text, "date": date, **more}
