"""Clones of one workspace, joined by plain git over a bare hub."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copy

from molt.cli import main
from molt.formats import episodes, paths
from molt.memory import inventory, workspace
from molt.memory.adopt import setup
from molt.repo import hooks, merge_driver


class Clone:
    """One clone, in which molt is installed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = root.name

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *args], cwd=self.root, capture_output=True, text=True)

    def git(self, *args: str) -> str:
        done = self.run(*args)
        assert done.returncode == 0, f"{self.name}: git {args}: {done.stdout}{done.stderr}"
        return done.stdout

    def molt(self, *args: str, status: int = 0) -> str:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            done = main(["--workspace", str(self.root), *args])
        assert done == status, f"{self.name}: molt {args}: {done}: {out.getvalue()}{err.getvalue()}"
        return out.getvalue() + err.getvalue()

    def equip(self) -> None:
        """Install what `molt init` installs."""
        repo = workspace.find(str(self.root)).repo
        hooks.install(repo.hooks_dir(), sys.executable)
        merge_driver.install(repo, sys.executable)

    def path(self, name: str) -> Path:
        return self.root / name

    def read(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def put(self, name: str, text: str, message: str = "") -> None:
        file = self.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if message:
            self.git("add", "--", name)
            self.git("commit", "-qm", message)

    def remember(self, text: str, *args: str, store: str = "episodic") -> str:
        """Write one memory; gives its id."""
        return self.molt("remember", text, "--store", store, *args).split()[0]

    def unmerged(self) -> list[str]:
        return self.git("diff", "--name-only", "--diff-filter=U").split()

    def memories(self) -> list[str]:
        """The ids of all memories of the last commit."""
        return list(inventory.list_ids(workspace.find(str(self.root)).head()))

    def episodes(self) -> dict[str, str]:
        """The words of every episode of the last commit, by its id."""
        tree = workspace.find(str(self.root)).head()
        found: dict[str, str] = {}
        for path in tree.entries():
            if path.startswith("memory/episodes/"):
                text = (tree.read(path) or b"").decode()
                for one in episodes.parse(text, paths.date_of(path) or ""):
                    assert one.id not in found, f"{one.id} names two memories"
                    found[one.id] = one.text
        return found


def make_first(root: Path) -> None:
    """A fresh workspace, in which molt is installed."""
    setup.init(str(root))
    Clone(root).equip()


@pytest.fixture
def clones(tmp_path: Path, copy: Copy) -> Callable[..., tuple[Clone, ...]]:
    """Makes clones of a fresh workspace by their names; `origin` is a bare repository."""

    def make(*names: str) -> tuple[Clone, ...]:
        hub = tmp_path / "hub.git"
        first = Clone(copy(tmp_path / names[0], make_first))
        first.git("clone", "-q", "--bare", ".", str(hub))
        first.git("remote", "add", "origin", str(hub))
        first.git("fetch", "-q", "origin")
        first.git("branch", "-q", "-u", "origin/main")
        others = []
        for name in names[1:]:
            subprocess.run(["git", "clone", "-q", str(hub), str(tmp_path / name)], check=True)
            others.append(Clone(tmp_path / name))
            others[-1].equip()
        return (first, *others)

    return make
