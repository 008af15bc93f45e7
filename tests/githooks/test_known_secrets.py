"""A secret that is in the files of the commit before: told to a person, and no reason to stop."""

from __future__ import annotations

import pytest
from githooks.conftest import Agent

from molt.memory.checks import verify

KEY = "AKIA" + "QWERTZUIOPASDFGH"
OTHER = "AKIA" + "YXCVBNMLKJHGFDSA"
ACCEPT = ("--trailer", "Accepts: SEC001 — revoked", "--trailer", "Actor: manual")


@pytest.fixture
def leaked(agent: Agent) -> Agent:
    """A workspace in which a person took a secret on."""
    agent.put("notes/aws.md", f"the key was {KEY}\n")
    assert agent.run("commit", "-qm", "aws").returncode
    agent.git("commit", "-qm", "aws", *ACCEPT)
    return agent


def count_errors(agent: Agent) -> int:
    return len(verify.verify_commits(agent.repo, ["HEAD^!"]).errors)


def test_what_is_there_already_is_only_told(leaked: Agent) -> None:
    leaked.put("notes/copy.md", f"moved: {KEY} is from the old account\n")
    done = leaked.run("commit", "-qm", "copy")
    assert done.returncode == 0, done.stderr
    assert "warning SEC001 notes/copy.md:1" in done.stderr
    assert count_errors(leaked) == 0


def test_another_one_in_the_same_line_is_not(leaked: Agent) -> None:
    leaked.put("notes/copy.md", f"moved: {KEY}, now {OTHER}\n")
    assert leaked.run("commit", "-qm", "copy").returncode
    leaked.git("commit", "-qm", "copy", "--no-verify")
    assert count_errors(leaked)


def test_a_bot_copies_none(leaked: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    leaked.put("notes/copy.md", f"moved: {KEY}\n")
    assert leaked.run("commit", "-qm", "copy").returncode


def test_one_that_was_taken_out_is_new_again(leaked: Agent) -> None:
    leaked.put("notes/aws.md", "the key is gone\n")
    leaked.git("commit", "-qm", "out")
    leaked.put("notes/aws.md", f"the key was {KEY}\n")
    assert leaked.run("commit", "-qm", "in again").returncode


@pytest.mark.parametrize("setting", ["grep.lineNumber", "grep.column", "grep.fullName"])
def test_settings_of_grep_change_nothing(leaked: Agent, setting: str) -> None:
    leaked.git("config", setting, "true")
    leaked.git("config", "grep.patternType", "perl")
    leaked.put("notes/copy.md", f"moved: {KEY}\n")
    assert leaked.run("commit", "-qm", "copy").returncode == 0
