"""The cases of the policy: files before, files after, a message, and what is found."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from molt import trees
from molt.formats import message as messages

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FOLDER = Path(__file__).parent / "policy/cases"
CONFIG = {"molt.yaml": "core: {cap: 3000}\n"}
CRITICAL = ("SOUL.md", "IDENTITY.md", "molt.yaml", "openclaw.json")
MODES = {"executable": trees.EXECUTABLE, "symlink": trees.SYMLINK, "submodule": trees.SUBMODULE}
DAY = "2026-03-15"
COMMIT = "2f4c0d1a3b5e6f708192a3b4c5d6e7f8091a2b3c"
Files = dict[str, tuple[bytes, int]]


class Case:
    """One case. `base`, `theirs` and `ancestor` are whole trees, `new` is edits on `base`.

    `findings` are those of the case's own rule, and all errors: what other rules warn of is theirs.
    `day` is that of the commit, `environment` whom the environment names, `restores` the paths
    that held before what they hold now, `approved` that a person's merge brings the commit,
    `branch` the ref that is judged, `arrival` how a reflection's commit came there.
    """

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
        self.day: str = data.pop("day", DAY)
        self.environment: str = data.pop("environment", "")
        self.restores: list[str] = data.pop("restores", [])
        self.approved: bool = data.pop("approved", False)
        self.branch: str = data.pop("branch", "")
        self.arrival: str = data.pop("arrival", "")
        self.publish: bool = data.pop("publish", False)
        self.findings: list[str] = data.pop("findings", [])
        self.message: str = data.pop("message", "") or self._message()
        assert not data, f"{code}: {self.name}: unknown keys {list(data)}"

    def __repr__(self) -> str:
        return f"{self.code}-{self.name.replace(' ', '-')}"

    @property
    def after(self) -> Files:
        return {p: kept for p, kept in (self.base | self.new).items() if p not in self.gone}

    @property
    def merged(self) -> Files:
        """What git makes of a merge where a file that both sides change is a conflict."""
        theirs = self.theirs or {}
        kept = {p: one for p, one in self.base.items() if p in theirs or p not in self.ancestor}
        fresh = {p: one for p, one in theirs.items() if p not in self.ancestor}
        moved = {p: one for p, one in theirs.items() if self.base.get(p) == self.ancestor.get(p)}
        both = [p for p in kept if p in theirs and self.ancestor.get(p) not in (kept[p], theirs[p])]
        clash = [p for p in both if kept[p] != theirs[p]]
        return fresh | kept | moved | dict.fromkeys(clash, (b"<<<<<<< a conflict\n", trees.REGULAR))

    def concerns(self, found: str) -> bool:
        """Whether a finding counts here: one of this rule, or an error."""
        return found.startswith("error ") or f" {self.code}" in f"{found} "

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
            messages.Provenance(
                actor=self.actor,
                approval="—" if self.actor == "manual" else "auto",
                trigger="a case",
            ),
            body=messages.CRITICAL_NOTICE if critical else "",
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
        for data in yaml.load(path.read_text("utf-8"), _LOADER)
    )
