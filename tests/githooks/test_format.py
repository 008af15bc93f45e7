"""A workspace that a newer molt has made: an older one reads and writes nothing there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from molt import config
from molt.cli import main

from .conftest import Agent

NEWER = f"workspace:\n  format: {config.FORMAT + 1}\n  needs: '9.1'\n"


@pytest.fixture
def newer(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    agent.put("molt.yaml", NEWER)
    agent.git("commit", "-q", "--no-verify", "-m", "made by a newer molt")
    monkeypatch.chdir(agent.root)
    return agent


def test_init_writes_the_format_that_it_makes(agent: Agent) -> None:
    text = (agent.root / "molt.yaml").read_text("utf-8")
    assert config.parse(text)[0].workspace_format == config.FORMAT
    assert f"format: {config.FORMAT}\n" in text


@pytest.mark.parametrize(
    "args",
    [
        ("remember", "one more"),
        ("search", "one"),
        ("get", "episode:2026-02-02:09:00"),
        ("log",),
        ("status",),
        ("context",),
        ("check",),
        ("verify",),
        ("touch", "episode:2026-02-02:09:00"),
        ("propose", "one more"),
        ("import", "molt.yaml"),
    ],
    ids=" ".join,
)
def test_no_command_reads_or_writes_a_newer_format(
    args: tuple[str, ...], newer: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    tip = newer.git("rev-parse", "HEAD")
    assert main(["--json", *args]) == 1
    said = json.loads(capsys.readouterr().out)["error"]
    assert f"has format {config.FORMAT + 1}" in said["message"]
    assert "it needs molt 9.1" in said["hint"]
    assert newer.git("rev-parse", "HEAD") == tip
    assert not newer.git("status", "--porcelain")


def test_doctor_tells_it_and_mends_nothing(
    newer: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--json", "doctor", "--fix"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert "it needs molt 9.1" in problem["hint"]
    assert not newer.git("status", "--porcelain")


def test_the_hooks_refuse_a_commit_there(newer: Agent) -> None:
    newer.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    done = newer.run("commit", "-qm", "two")
    assert done.returncode == 1
    assert "error CONF001 molt.yaml: the workspace has format" in done.stderr
    assert "it needs molt 9.1" in done.stderr


def test_a_push_of_such_commits_is_refused(newer: Agent, tmp_path: Path) -> None:
    newer.git("init", "-q", "--bare", str(tmp_path / "remote"))
    newer.git("remote", "add", "origin", str(tmp_path / "remote"))
    done = newer.run("push", "-q", "origin", "main")
    assert done.returncode
    assert "CONF001" in done.stderr


def test_who_wrote_that_by_mistake_takes_it_back(newer: Agent) -> None:
    newer.put("molt.yaml", "workspace:\n  format: 1\n")
    newer.git("commit", "-qm", "not yet")
    assert main(["search", "One."]) == 0
