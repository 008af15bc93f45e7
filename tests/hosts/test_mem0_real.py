"""A real mem0 keeps what molt exports, and molt takes what a real mem0 has written."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from copies import Copy, make_fresh
from hosts.conftest import PROGRAMS
from hosts.openai_stub import serve_model
from hosts.test_adapters_odd import BODIES, make_odd_agent, read_notes

from molt.cli import main

PYTHON = PROGRAMS.parent / "mem0/bin/python"
PROGRAM = Path(__file__).parent / "mem0_program.py"
Mem0 = Callable[..., str]


@pytest.fixture
def mem0(tmp_path: Path) -> Iterator[Mem0]:
    if not PYTHON.exists():
        pytest.skip(f"no mem0 in {PROGRAMS.parent}: `make hosts` installs it there")
    home = tmp_path / "mem0"
    home.mkdir()
    with serve_model() as model:

        def call(*words: str) -> str:
            done = subprocess.run(
                (str(PYTHON), str(PROGRAM), str(home), f"{model.url}", *words),
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(home),
                    "MEM0_DIR": str(home),
                    "MEM0_TELEMETRY": "False",
                    "NO_PROXY": "127.0.0.1",
                },
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, done.stderr
            return done.stdout

        yield call


def test_what_it_keeps_of_an_export_comes_back_to_the_byte(
    mem0: Mem0, tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = copy(tmp_path / "agent", make_odd_agent)
    fresh = copy(tmp_path / "fresh", make_fresh)
    out, back = tmp_path / "out.json", tmp_path / "back.json"
    assert main(["--workspace", str(agent), "export", "--to", "mem0", str(out)]) == 0
    mem0("add", str(out))
    back.write_text(mem0("list"), encoding="utf-8")
    given = json.loads(out.read_text())["results"]
    assert len(json.loads(back.read_text())["results"]) == len(given)
    capsys.readouterr()
    words = ("--actor", "manual", "--workspace", str(fresh), "--json", "import", "--restore")
    assert main([*words, "--from", "mem0", str(back)]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == []
    assert read_notes(fresh) == read_notes(agent)


def test_what_it_has_written_is_brought_in_once(
    mem0: Mem0, tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = copy(tmp_path / "fresh", make_fresh)
    given, out = tmp_path / "given.json", tmp_path / "out.json"
    said = [body for body in BODIES if body.strip()]
    given.write_text(json.dumps({"results": [{"memory": one} for one in said]}))
    mem0("add", str(given))
    out.write_text(mem0("list"), encoding="utf-8")
    capsys.readouterr()
    words = ("--workspace", str(fresh), "--json", "import", str(out))
    assert main([*words]) == 0
    assert len(json.loads(capsys.readouterr().out)["memories"]) == len(said)
    assert main([*words]) == 0
    assert json.loads(capsys.readouterr().out)["commit"] is None
