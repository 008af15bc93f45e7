"""A real Basic Memory reads what molt exports and writes beside it, and molt takes that back."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copies import Copy
from hosts.conftest import PROGRAMS

from molt.cli import main
from molt.memory import workspace

PROGRAM = PROGRAMS.parent / "basic-memory/bin/basic-memory"
GATE = "tool--gate-the-big-one-2"
BasicMemory = Callable[..., str]


@pytest.fixture
def basic_memory(tmp_path: Path) -> BasicMemory:
    if not PROGRAM.exists():
        pytest.skip(f"no Basic Memory in {PROGRAMS.parent}: `make hosts` installs it there")
    home = tmp_path / "basic"
    home.mkdir()

    def call(*words: str) -> str:
        done = subprocess.run(
            (str(PROGRAM), *words),
            cwd=home,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "LC_ALL": "C.UTF-8",
                "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
            },
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return call


def make_agent(root: Path) -> None:
    assert main(["init", str(root)]) == 0
    for words in (
        ("signs tokens with Ed25519", "--entity", 'tool:Gate: the "big" one/2'),
        ("asks the gate", "--entity", "person:Ada 🎉"),
        ("the harbour gate opens at nine — 漢字", "--store", "episodic"),
        ("Ada uses it", "--relation", f"person--ada uses {GATE}"),
    ):
        assert main(["--actor", "manual", "--workspace", str(root), "remember", *words]) == 0


def digest_files(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*.md")
    }


def read_file(root: Path, path: str) -> str:
    return (workspace.find(str(root)).head().read(path) or b"").decode()


def test_it_finds_what_was_exported_and_gives_back_what_it_changed(
    basic_memory: BasicMemory, tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = copy(tmp_path / "agent", make_agent)
    out = tmp_path / "out"

    def molt(*words: str) -> Any:
        capsys.readouterr()
        assert main(["--actor", "manual", "--workspace", str(agent), "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    molt("export", "--to", "basic-memory", str(out))
    before = digest_files(out)
    basic_memory("project", "add", "lab", str(out), "--default")
    basic_memory("reindex", "--search", "--full", "--project", "lab")
    assert digest_files(out) == before, "it takes the notes as they are"

    search = ("tool", "search-notes", "--project", "lab", "--plain")
    assert "fact: signs tokens" in basic_memory(*search, "--entity-type", "observation", "Ed25519")
    assert "nine" in basic_memory(*search, "harbour")
    related = basic_memory("tool", "build-context", "memory://person-ada", "--project", "lab")
    assert "Gate" in related

    text = "# Odd: 漢 #1\n\n- [fact] likes tea #drink (always)\n- knows [[Ada 🎉]]\n"
    note = ("--title", 'Odd: "a/b" #1 漢', "--folder", "people", "--content", text)
    basic_memory("tool", "write-note", "--project", "lab", *note)
    edit = ("--operation", "append", "--content", "\n- [fact] is rusty 漢\n")
    basic_memory("tool", "edit-note", GATE, "--project", "lab", *edit)

    back = molt("import", "--restore", str(out))
    assert back["paths"] == [f"memory/graph/entities/{GATE}.md"]
    assert "is rusty 漢" in read_file(agent, back["paths"][0])
    done = molt("import", "--from", "basic-memory", str(out))
    # What is molt's own is not brought in again. A heading of its own is more than an entity says.
    whole, entity = sorted(done["memories"].values(), key=lambda path: "/graph/" in path)
    assert text.split("\n")[0] in read_file(agent, whole)
    assert "[fact] likes tea #drink (always)" in read_file(agent, entity)
    assert "knows [[person--ada" in read_file(agent, entity)
    assert molt("import", "--from", "basic-memory", str(out))["commit"] is None
