"""A real Letta takes an export into its MemFS and writes beside it; molt takes that back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from copies import Copy, make_fresh
from hosts.conftest import PROGRAMS
from hosts.openai_stub import Model, call, say, serve_model, tool_answers

from molt.cli import main
from molt.memory import inventory, workspace

PROGRAM = PROGRAMS.parent / "letta/bin/letta"
COMMIT = 'cd "$MEMORY_DIR" && git add -A && git commit -qm'
Letta = Callable[..., str]


@pytest.fixture
def model() -> Iterator[Model]:
    with serve_model() as one:
        yield one


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def letta(home: Path, model: Model) -> Letta:
    if not PROGRAM.exists():
        pytest.skip(f"no Letta in {PROGRAMS.parent}: `make hosts` installs it there")

    def run(*words: str) -> str:
        done = subprocess.run(
            (str(PROGRAM), *words),
            cwd=home,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "LC_ALL": "C.UTF-8",
                "GIT_CONFIG_NOSYSTEM": "1",
                "NO_PROXY": "127.0.0.1",
                "DISABLE_AUTOUPDATER": "1",
                "LETTA_CODE_TELEM": "0",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("backend", "local")
    run("connect", "openai-compatible", "--base-url", model.url, "--api-key", "stub")
    return run


def make_agent(root: Path) -> None:
    assert main(["init", str(root)]) == 0
    (root / "memory/notes/deep").mkdir(parents=True)
    (root / "memory/notes/deep/sea.md").write_text("# Sea: 海\n\nSalt.\n", encoding="utf-8")
    (root / "memory/MEMORY.md").write_text("Not an index.\n", encoding="utf-8")
    for command in (("add", "-A"), ("commit", "-qm", "what there was")):
        subprocess.run(("git", *command), cwd=root, check=True, capture_output=True)
    for words in (
        ("signs tokens with Ed25519", "--entity", 'tool:Gate: the "big" one/2'),
        ("the harbour gate opens at nine — 漢字", "--store", "episodic"),
        ("Ada prefers short answers", "--store", "core"),
    ):
        assert main(["--actor", "manual", "--workspace", str(root), "remember", *words]) == 0


def list_ids(root: Path) -> list[str]:
    return list(inventory.list_ids(workspace.find(str(root)).head()))


def test_it_is_told_what_was_exported_and_gives_back_what_it_changed(
    letta: Letta, model: Model, home: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = copy(home / "agent", make_agent)
    fresh = copy(home / "fresh", make_fresh)
    out, back = home / "out", home / "back"

    def molt(root: Path, *words: str) -> Any:
        capsys.readouterr()
        assert main(["--actor", "manual", "--workspace", str(root), "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    molt(agent, "export", "--to", "memfs", str(out))
    name = json.loads(letta("agents", "create", "--name", "ada", "--personality", "blank"))["id"]
    (folder,) = home.glob(".letta/**/memory/MEMORY.md")
    shutil.copytree(out, folder.parent, dirs_exist_ok=True)

    def ask(said: str) -> None:
        flags = ("--no-skills", "--no-mods", "--reflection-trigger", "off", "--yolo", "--new")
        letta("--agent", name, "-m", "openai-compatible/stub-model", *flags, "-p", said)

    # The agent commits it, by which Letta's own hook has judged it, and writes a note of its own.
    own = "printf -- '---\\nname: Tea\\ndescription: What Ada drinks.\\n---\\nAda likes tea.\\n'"
    edit = "sed -i 's/Ed25519/Ed448/' entities/tool--gate*.md"
    command = f'cd "$MEMORY_DIR" && {own} > tea.md && {edit} && {COMMIT} x && git status --short'
    answers = [call("Bash", command=command, description="Keep it"), say("Kept.")]
    model.speak = lambda request: answers[min(len(tool_answers(request)), 1)]
    ask("keep it")
    assert "failed" not in "".join(tool_answers(model.requests[-1]))
    log = subprocess.run(
        ("git", "log", "-1", "--name-only", "--format="),
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"tea.md", "core-memory.md", "notes/MEMORY.md"} <= {*log.stdout.split()}

    # A new conversation has core memory and the names of the folders before it.
    ask("who am I?")
    told = json.dumps(model.requests[-1]["messages"][0], ensure_ascii=False)
    assert "Ada prefers short answers" in told
    assert 'path=\\"entities/\\"' in told

    letta("memory", "export", "--agent", name, "--out", str(back))
    done = molt(agent, "import", "--restore", str(back))
    assert done["paths"] == ["memory/graph/entities/tool--gate-the-big-one-2.md"]
    molt(fresh, "import", "--restore", str(back))
    assert list_ids(fresh) == list_ids(agent)
    brought = molt(agent, "import", str(back))
    assert (brought["from"], set(brought["memories"])) == ("memfs", {"tea", "human", "persona"})
    assert all(path.startswith("memory/imported/") for path in brought["memories"].values())
    assert molt(agent, "import", str(back))["commit"] is None
