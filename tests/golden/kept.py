"""The answers that are kept, and what differs from them."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import pytest

MOST = 120
"""So many lines of a difference are shown."""
WAY_ON = (
    "what changed on purpose: `python -m pytest tests/golden --golden-update`, and read the diff"
)


def check_answers(path: Path, found: list[dict[str, Any]], *, update: bool) -> None:
    """Fail with what is other than the answers of a file, or write them again."""
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_render(found), encoding="utf-8")
    before, now = (_render(one).splitlines() for one in (read_answers(path), found))
    changed = list(difflib.unified_diff(before, now, "before", "now", lineterm="", n=6))
    if changed:
        pytest.fail("\n".join([*changed[:MOST], WAY_ON]), pytrace=False)


def read_answers(path: Path) -> list[dict[str, Any]]:
    """The answers of a file; none where it is not written yet."""
    kept: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return kept


def _render(found: list[dict[str, Any]]) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
