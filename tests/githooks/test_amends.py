"""`git commit --amend`, of which git tells its hooks nothing."""

from __future__ import annotations

import shutil

import pytest

from .conftest import Agent

EPISODE = "memory/episodes/2026-02-02.md"
TWO = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"


@pytest.fixture(params=["git", "unseen"])
def amend(request, agent, tmp_path, monkeypatch):
    """Runs a commit, by git or by a git that the hooks cannot recognise."""
    if request.param == "git":
        return agent.run
    (tmp_path / "scm").symlink_to(shutil.which("git"))

    def run(*args):
        import subprocess

        command = [str(tmp_path / "scm"), *args]
        return subprocess.run(command, cwd=agent.root, capture_output=True, text=True)

    return run


def message(agent: Agent) -> str:
    return agent.git("log", "-1", "--format=%B")


@pytest.mark.parametrize(
    "how", [("--amend", "-m", "softer"), ("--amend", "-msofter", "--reset-author")]
)
def test_a_critical_change_keeps_its_notice(agent, amend, how) -> None:
    agent.put("SOUL.md", "new\n")
    agent.git("commit", "-qm", "tone")
    done = amend("commit", *how)
    assert done.returncode == 0, done.stderr
    assert "CRITICAL FILE CHANGED" in message(agent)
    assert agent.codes() == set()


def test_the_message_is_about_the_whole_commit(agent, amend) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    agent.put("a.md", "a\nb\n")
    assert amend("commit", "--amend", "-m", "second").returncode == 0
    action = "CREATE" if amend == agent.run else "EDIT"
    assert message(agent).startswith(f"[{action}] a.md — second\n")
    assert agent.codes() == set()


def test_what_was_appended_may_be_said_better(agent, amend) -> None:
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    agent.put(EPISODE, (agent.root / EPISODE).read_text().replace("Two.", "Second."))
    assert amend("commit", "--amend", "-m", "second").returncode == 0
    assert agent.codes() == set()


def test_what_came_before_may_not(agent, amend) -> None:
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    agent.rewrite()
    assert "EPI001" in amend("commit", "--amend", "-m", "again").stderr


def test_a_plain_commit_is_no_amend(agent, amend) -> None:
    agent.append(TWO)
    done = amend("commit", "-m", "two")
    assert (done.returncode, done.stderr) == (0, "")
    agent.put("a.md", "a\n")
    assert amend("commit", "-m", "--amend").returncode == 0
    assert message(agent).partition("\n")[0].endswith(" a.md — --amend")
    assert agent.codes() == set()


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(("commit", "--amend", "-m", "mine"), id="plain"),
        pytest.param(("commit", "--amen", "-m", "mine"), id="cut-short"),
        pytest.param(("fix", "-m", "mine"), id="alias"),
    ],
)
def test_an_agent_does_not_take_a_persons_commit_as_its_own(agent, monkeypatch, how) -> None:
    agent.git("config", "alias.fix", "commit --amend")
    agent.put("SOUL.md", "new\n")
    agent.git("commit", "-qm", "tone")
    head = agent.git("rev-parse", "HEAD")
    monkeypatch.setenv("MOLT_ACTOR", "subagent:research")
    proposal = "\n## Proposal 1\n- **From**: research\n"
    agent.put("memory/meta/pending-memories.md", proposal)
    assert agent.run(*how).returncode == 1
    assert agent.git("rev-parse", "HEAD") == head


def test_the_first_commit_can_be_amended(agent, amend) -> None:
    agent.git("switch", "-q", "--orphan", "new")
    agent.put("memory/a.md", "a\n")
    agent.git("commit", "-qm", "first")
    agent.put("memory/a.md", "b\n")
    assert amend("commit", "--amend", "-m", "again").returncode == 0
    assert message(agent).partition("\n")[0].endswith(" memory/a.md — again")
