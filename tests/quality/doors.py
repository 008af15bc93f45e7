"""How each figure asks molt: by its commands alone, so that a figure outlives what is behind them.

What is behind a command may be moved, made again or taken away: a figure is about what comes out.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from molt.cli import main


class Place(NamedTuple):
    """Where a text is put, and about which things it is."""

    store: str
    type: str
    block: str
    entities: tuple[str, ...]


def ask_molt(*args: str, given: str = "") -> str:
    """What a command prints, whatever its status."""
    stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    out = io.StringIO()
    with mock.patch.object(sys, "stdin", stdin), contextlib.redirect_stdout(out):
        main(list(args))
    return out.getvalue()


def find_intents(texts: Sequence[str]) -> list[str]:
    """What each message asks of the memory."""
    rows = "\n".join(text.replace("\n", " ") for text in texts)
    said = ask_molt("trigger", "--stdin-lines", "--json", given=rows)
    return [json.loads(row)["intent"] for row in said.splitlines()]


def find_lines(root: Path, texts: Sequence[str], code: str) -> set[int]:
    """Which of some texts break a rule, each in a note of its own that a bot writes."""
    (root / "memory").mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (root / f"memory/n-{number:05}.md").write_text(f"{text}\n", encoding="utf-8")
    said = json.loads(ask_molt("--workspace", str(root), "check", "--actor", "bot:main", "--json"))
    found = said["error"]["findings"] if isinstance(said, dict) else said
    paths = {one["path"] for one in found if one["code"] == code}
    return {int(path[-8:-3]) for path in paths if re.fullmatch(r"memory/n-\d{5}\.md", path)}


def find_place(root: Path, text: str) -> Place:
    """Where a text belongs without a flag."""
    call = ("--workspace", str(root), "remember", "--dry-run", "--json", "--", text)
    said: dict[str, Any] = json.loads(ask_molt(*call))
    kept = said.get("store", "none")
    names = tuple(one["name"] for one in said.get("entities", ()))
    return Place(kept, said.get("type") or "", said.get("block") or "", names)


def find_recall(folder: Path) -> tuple[float, int]:
    """The share of the answers that are among the first five results, and of how many questions."""
    said = json.loads(ask_molt("eval", str(folder), "--json"))
    return float(said["R@5"]), int(said["queries"])


def read_rows(path: Path) -> Iterable[list[str]]:
    """The fields of each line of a table."""
    return (row.split("\t") for row in path.read_text("utf-8").splitlines())
