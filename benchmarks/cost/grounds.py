"""Workspaces that look as after years of use; each is made once in a run, when it is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from datetime import date, datetime
from functools import cache
from pathlib import Path

from benchmarks.cost import histories, meter
from benchmarks.cost.meter import Cost
from benchmarks.cost.shipped import Shipped, environment
from benchmarks.cost.texts import Texts

NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
LINKED = 30
"""Entities beside many episodes, so that a search looks for them too; large graphs have rows of
their own."""


class Workspace:
    """A workspace in a folder, and the commands that are run there."""

    def __init__(
        self, path: Path, shipped: Shipped, env: dict[str, str], today: date, *, count: int = 0
    ) -> None:
        self.path = path
        self.shipped = shipped
        self.env = env
        self.today = today
        self.count = count
        """How many memories it was filled with."""

    def molt(self, *args: str) -> Cost:
        """What a command of molt costs here."""
        return meter.measure([self.shipped.molt, *args], self.path, self.env)

    def git(self, *args: str) -> Cost:
        """What a command of git costs here, hooks included."""
        return meter.measure(["git", *args], self.path, self.env)

    def run_git(self, *args: str, data: Iterable[bytes] = ()) -> str:
        """What git prints; `data` is written to it."""
        with subprocess.Popen(
            ["git", *args],
            cwd=self.path,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin
            assert process.stdout
            for chunk in data:
                process.stdin.write(chunk)
            process.stdin.close()
            said = process.stdout.read().decode()
        if process.returncode:
            raise SystemExit(f"git {' '.join(args)} ended with {process.returncode}")
        return said

    def write(self, path: str, text: str) -> None:
        """Put a file there, staged."""
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.run_git("add", "--", path)

    def memory(self, number: int) -> histories.Memory:
        """One of the episodes that it was filled with."""
        return histories.place_memory(number, self.count, self.today)

    def copy(self, name: str) -> Workspace:
        """The same workspace at another place."""
        path = self.path.with_name(name)
        shutil.copytree(self.path, path, symlinks=True)
        return Workspace(path, self.shipped, self.env, self.today, count=self.count)

    def remove(self) -> None:
        """Give back the room on the disk."""
        shutil.rmtree(self.path)


class Grounds:
    """The workspaces of one run."""

    def __init__(
        self,
        home: Path,
        shipped: Shipped,
        texts: Texts,
        now: datetime,
        *,
        scale: float = 1.0,
        runs: int = 9,
    ) -> None:
        self.home = home
        self.shipped = shipped
        self.texts = texts
        self.now = now
        self.scale = scale
        self.runs = runs
        self.env = environment(home)

    def sizes(self, *counts: int) -> list[int]:
        """The sizes that a row compares, in this run."""
        return [max(10, round(count * self.scale)) for count in counts]

    def phrase(self, number: int, words: int) -> str:
        """Some words that somebody wrote, another text for each number."""
        line = self.texts.lines[number * 7919 % len(self.texts.lines)]
        return " ".join(line.split(" ")[:words])

    def start(self, _run: int = 0) -> Cost:
        """What P counts: a Python that starts and does nothing."""
        return meter.measure([self.shipped.python, "-I", "-c", "pass"], self.home, self.env)

    def make_empty(self, name: str, shipped: Shipped | None = None) -> Workspace:
        """A new workspace, with its hooks."""
        made = Workspace(self.home / name, shipped or self.shipped, self.env, self.now.date())
        self.home.joinpath(name).mkdir()
        made.molt("init", ".")
        # What git does now and then in the background belongs to no one command.
        made.run_git("config", "gc.auto", "0")
        made.run_git("config", "maintenance.auto", "false")
        return made

    def read_notes(self, size: int) -> list[str]:
        """Real notes: as many whole texts as make so many bytes, forty in a file."""
        taken: list[str] = []
        left = size
        for text in self.texts.take(size):
            taken.append(text)
            left -= len(text.encode())
            if left <= 0:
                break
        return ["\n\n".join(taken[at : at + 40]) + "\n" for at in range(0, len(taken), 40)]

    @cache  # noqa: B019 one object makes all workspaces of a run
    def make_memories(self, count: int) -> Workspace:
        """So many episodes, each a commit of its own, and a few entities; all are scored."""
        made = self.make_empty(f"memories-{count}")
        made.count = count
        texts = self.texts.take_short(count)
        _import(made, histories.write_episodes(texts, count, made.today))
        times = ((memory.id, memory.time, "episodic") for memory in map(made.memory, range(count)))
        self._finish(made, LINKED, list(times))
        return made

    @cache  # noqa: B019
    def make_entities(self, count: int) -> Workspace:
        """So many entities that are related to each other; all are scored."""
        made = self.make_empty(f"entities-{count}")
        self._finish(made, count, [])
        return made

    def _finish(self, made: Workspace, entities: int, memories: list[tuple[str, int, str]]) -> None:
        """The entities and all scores, in a commit; then each command's own files are made."""
        now = int(self.now.timestamp())
        folder = "memory/graph/entities"
        files = {
            f"{folder}/{histories.name_entity(number)}.md": histories.write_entity(
                number, text, entities, made.today
            )
            for number, text in enumerate(self.texts.take_short(entities))
        }
        message = histories.write_message("CREATE", f"{folder}/*", "what is known")
        _import(made, [histories.write_commit(message, now - 120, files, first=True)])
        named = [
            (f"entity:{histories.name_entity(one)}", now - 120, "semantic")
            for one in range(entities)
        ]
        path = "memory/meta/decay-scores.json"
        scores = {path: histories.write_scores([*memories, *named], now)}
        message = histories.write_message("CREATE", path, "what was used")
        _import(made, [histories.write_commit(message, now - 60, scores, first=True)])
        made.run_git("reset", "-q", "--hard")
        warm_up(made)


def warm_up(made: Workspace) -> None:
    """Let each projection be there, as in a workspace in use, and two commits be molt's own."""
    for args in (["index"], ["search", "warm"], ["log", "-n", "1"], ["status"], ["context"]):
        made.molt(*args)
    for number in range(2):
        made.molt("remember", f"warm up {number}")


def _import(made: Workspace, commits: Iterable[bytes]) -> None:
    made.run_git("fast-import", "--quiet", "--force", data=commits)
