"""What is called: one file for each workspace, in it lists of calls, each made in its own copy."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).parent


class Step(NamedTuple):
    """One step of a scenario: the words after `molt`, with what standard input holds; or files to
    write, or a line for the shell.
    """

    words: tuple[str, ...] = ()
    given: str = ""
    files: tuple[tuple[str, str], ...] = ()
    shell: str = ""


class Scenario(NamedTuple):
    """Some calls, one after another, in a copy of a workspace."""

    ground: str
    name: str
    steps: tuple[Step, ...]

    @property
    def id(self) -> str:
        """Its name among all."""
        return f"{self.ground}-{self.name}"

    @property
    def answers(self) -> Path:
        """Where its answers stand."""
        return HERE / "answers" / self.ground / f"{self.name}.json"


@cache
def read_scenarios() -> tuple[Scenario, ...]:
    """All scenarios of all workspaces."""
    return tuple(
        Scenario(path.stem, name, tuple(_read_step(step) for step in steps))
        for path in sorted((HERE / "calls").glob("*.yaml"))
        for name, steps in yaml.safe_load(path.read_text("utf-8")).items()
    )


def _read_step(step: str | dict[str, Any]) -> Step:
    if isinstance(step, str):
        return Step(tuple(shlex.split(step)))
    if unknown := set(step) - {"call", "stdin", "write", "shell"}:
        raise ValueError(f"a step takes call, stdin, write or shell, not {unknown}")
    words = tuple(shlex.split(step.get("call", "")))
    files = tuple(step.get("write", {}).items())
    return Step(words, step.get("stdin", ""), files, step.get("shell", ""))
