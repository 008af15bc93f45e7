"""The cases of the policy: files before, files after, a message, and what is found."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from molt import trees
from molt.formats import message as messages

FOLDER = Path(__file__).parent / "policy/cases"
CONFIG = {"molt.yaml": "core: {cap: 3000}\n"}
CRITICAL = ("SOUL.md", "IDENTITY.md", "molt.yaml")
MODES = {"executable": trees.EXECUTABLE, "symlink": trees.SYMLINK, "submodule": trees.SUBMODULE}
COMMIT = "2f4c0d1a3b5e6f708192a3b4c5d6e7f8091a2b3c"
Files = dict[str, tuple[bytes, int]]


class Case:
    """One case. `base`, `theirs` and `ancestor` are whole trees, `new` is edits on `base`."""

    def __init__(self, code: str, data: dict[str, Any]) -> None:
        self.code = code
        self.name: str = data.pop("name")
        self.actor: str = data.pop("actor", "manual")
        self.base = _files(CONFIG | data.pop("base", {}), {})
        edits = data.pop("new", {})
        self.new = _files(edits, self.base)
        self.gone = tuple(path for path, content in edits.items() if content is None)
        self.theirs = _files(CONFIG | theirs, {}) if (theirs := data.pop("theirs", None)) else None
        self.ancestor = _files(CONFIG | data.pop("ancestor", {}), {})
        self.alerts: bool = data.pop("alerts", False)
        self.history: tuple[str, ...] = tuple(data.pop("history", ()))
        self.findings: list[str] = data.pop("findings", [])
        self.message: str = data.pop("message", "") or self._message()
        assert not data, f"{code}: {self.name}: unknown keys {list(data)}"

    def __repr__(self) -> str:
        return f"{self.code}-{self.name.replace(' ', '-')}"

    @property
    def after(self) -> Files:
        return {p: kept for p, kept in (self.base | self.new).items() if p not in self.gone}

    @property
    def refused(self) -> bool:
        return any(found.startswith("error") for found in self.findings)

    def _message(self) -> str:
        changed = sorted({*self.new, *self.gone})
        critical = any(path in CRITICAL for path in changed)
        fresh = all(path not in self.base for path in self.new)
        action = ("CREATE" if fresh else "EDIT") if self.new else "DELETE"
        return messages.render(
            action,
            changed[0],
            self.name,
            body=messages.CRITICAL_NOTICE if critical else "",
            actor=self.actor,
            approval="—" if self.actor == "manual" else "auto",
            trigger="a case",
        )


def _files(given: dict[str, Any], base: Files) -> Files:
    return {path: _file(path, one, base) for path, one in given.items() if one is not None}


def _file(path: str, content: str | dict[str, Any], base: Files) -> tuple[bytes, int]:
    """Text; or a mapping with `text`, `hex`, `append`, `repeat` and `mode`."""
    if isinstance(content, str):
        return content.encode(), trees.REGULAR
    mode = MODES.get(content.get("mode", ""), trees.REGULAR)
    before = base[path][0] if "append" in content else b""
    data = bytes.fromhex(content.get("hex", "")) or str(content.get("text", "")).encode()
    fresh = before + data + str(content.get("append", "")).encode()
    return fresh * content.get("repeat", 1), mode


@cache
def load() -> tuple[Case, ...]:
    """All cases, by code."""
    return tuple(
        Case(path.stem, data)
        for path in sorted(FOLDER.glob("*.yaml"))
        for data in yaml.safe_load(path.read_text("utf-8"))
    )
