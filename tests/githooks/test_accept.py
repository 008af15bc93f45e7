"""A person takes a finding on: the line that a refusal ends with is run as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EPISODE = "memory/episodes/2026-02-02.md"


def offered(said: str) -> str:
    """The command that a refusal offers for accepting what it found."""
    (line,) = (row for row in said.splitlines() if "or accept it: `" in row)
    return line.partition("or accept it: `")[2].rstrip("`")


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a shell find `molt`, as where it is installed."""
    folders = (str(Path(sys.executable).parent), os.environ["PATH"])
    monkeypatch.setenv("PATH", os.pathsep.join(folders))


def as_person() -> dict[str, str]:
    """The environment of a person's script, which has no terminal and says who acts."""
    return {**os.environ, "MOLT_ACTOR": "manual"}


@pytest.mark.parametrize("how", [("-m", "it named somebody"), ("-am", "it named somebody")])
def test_the_line_of_a_refusal_accepts_it(agent, how) -> None:
    agent.rewrite(add=how[0] == "-m")
    line = offered(agent.run("commit", *how).stderr)
    done = subprocess.run(["sh", "-c", line], cwd=agent.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "it named somebody" in agent.git("log", "-1", "--format=%s")
    assert "warning EPI001" in done.stderr
    assert agent.codes() == set()
    said = agent.git("log", "-1", "--format=%(trailers:key=Accepts,valueonly)")
    assert said.strip() == "EPI001 — why"


def test_an_editor_opens_where_the_finding_is_accepted(agent, monkeypatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "sed -i '1s/.*/it named somebody/'")
    agent.rewrite()
    line = offered(agent.run("commit").stderr)
    done = subprocess.run(["sh", "-c", line], cwd=agent.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "it named somebody" in agent.git("log", "-1", "--format=%s")
    assert agent.codes() == set()


def test_a_merge_that_drops_a_side_can_be_accepted(agent) -> None:
    agent.git("switch", "-qc", "side")
    agent.append("\n## 11:00 | fact | confidence:high | tags:[a]\nSide.\n")
    agent.git("commit", "-qm", "side")
    agent.git("switch", "-q", "main")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nMain.\n")
    agent.git("commit", "-qm", "main")
    agent.run("merge", "side")
    agent.git("checkout", "--ours", EPISODE)
    agent.git("add", EPISODE)
    line = offered(agent.run("commit", "-m", "ours").stderr)
    done = subprocess.run(["sh", "-c", line], cwd=agent.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert agent.codes() == set()


def test_the_lines_that_raise_the_cap_go_on_and_are_not_asked_for_again(agent, on_path) -> None:
    core = agent.root / "MEMORY.md"
    core.write_text(core.read_text("utf-8") + "- a thing\n" * 1000, "utf-8")
    said = agent.run("commit", "-am", "more").stderr
    assert "error CORE001" in said
    raised = said.partition("or raise the cap: `")[2].partition("`")[0]
    rows = said.rstrip("\n").rpartition("\n")[2]
    for line in (raised, rows.partition("once that is mended: ")[2]):
        done = subprocess.run(
            ["sh", "-c", line], cwd=agent.root, env=as_person(), capture_output=True, text=True
        )
        assert done.returncode == 0, line + done.stderr
    assert agent.git("log", "-2", "--format=%s").split("\n")[:2] == [
        "[APPEND] MEMORY.md — more",
        "[EDIT] molt.yaml — core memory may hold 6,000 tokens",
    ]
    core.write_text(core.read_text("utf-8") + "- another\n", "utf-8")
    agent.git("commit", "-qam", "and one")
    assert agent.codes() == set()


def test_the_line_that_says_that_it_is_no_secret_goes_on(agent, on_path) -> None:
    agent.put("memory/my demo.md", "# Demo\n\nkey AKIAQWERTZUIOPASDFGH\n")
    agent.git("add", "-A")
    said = agent.run("commit", "-m", "the demo").stderr
    line = said.partition("or say that it is none: `")[2].partition("`")[0]
    rows = said.rstrip("\n").rpartition("\n")[2]
    for row in (line, rows.partition("once that is mended: ")[2]):
        done = subprocess.run(
            ["sh", "-c", row], cwd=agent.root, env=as_person(), capture_output=True, text=True
        )
        assert done.returncode == 0, row + done.stderr
    assert agent.codes() == set()


def test_a_bot_is_not_told_of_the_cap(agent, monkeypatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    (agent.root / "MEMORY.md").write_text("- a thing\n" * 2000, "utf-8")
    said = agent.run("commit", "-am", "more").stderr
    assert "error CORE001" in said
    assert "molt core cap" not in said


@pytest.mark.parametrize(
    "why", ["EPI001", "EPI001 —", "EPI — because", "CORE001 — because", "epi001 — because"]
)
def test_what_is_no_reason_for_that_rule_accepts_nothing(agent, why) -> None:
    agent.rewrite()
    done = agent.run("commit", "-m", "rewrite", "--trailer", f"Accepts: {why}")
    assert done.returncode == 1


def test_a_bot_is_offered_nothing_and_accepts_nothing(agent, monkeypatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    agent.rewrite()
    done = agent.run("commit", "-m", "rewrite", "--trailer", "Accepts: EPI001 — because")
    assert done.returncode == 1
    assert "accept it" not in done.stderr


def test_what_nobody_can_accept_is_not_offered(agent, monkeypatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    agent.put("memory/vault/a.md", "a\n")
    message = "[CREATE] memory/vault/a.md — a\n\nActor: manual\nApproval: —\nTrigger: t\n"
    done = agent.run("commit", "-m", f"{message}Accepts: MSG009 — because\n")
    assert "error MSG009" in done.stderr
    assert "nobody can accept it" in done.stderr
    assert "or accept it" not in done.stderr
