"""`molt propose` as a host calls it."""

from __future__ import annotations

import json

import pytest


def test_the_actor_may_come_from_git_or_the_environment(agent, run, git, monkeypatch) -> None:
    git(agent, "config", "molt.actor", "subagent:coder")
    assert run("propose", "a thing").out.startswith("#1  p-")
    monkeypatch.setenv("MOLT_ACTOR", "subagent:researcher")
    assert run("propose", "another thing").status == 0
    text = (agent / "memory/meta/pending-memories.md").read_text("utf-8")
    assert [row for row in text.splitlines() if "**From**" in row] == [
        "- **From**: coder", "- **From**: researcher",
    ]  # fmt: skip


def test_without_a_name_it_says_how_to_give_one(agent, run) -> None:
    said = run("propose", "a thing")
    assert said.status == 2
    assert "--actor subagent:NAME" in said.err


def test_json_tells_number_id_and_conflict(agent, run) -> None:
    for number, flag in ((1, ""), (2, "⚠️ CONFLICT with #1")):
        text = f"release date is day {number}"
        said = json.loads(run("--actor", "subagent:a", "propose", text, "--json").out)
        assert (said["number"], said["conflict"]) == (number, flag)
        assert said["id"].startswith("p-")
        assert said["commit"]


@pytest.mark.parametrize("option", ["--store", "--confidence"])
def test_a_choice_outside_the_format_is_a_mistake(agent, run, option: str) -> None:
    assert run("--actor", "subagent:a", "propose", "a", option, "x").status == 2


def test_a_secret_is_refused_with_its_finding(agent, run) -> None:
    said = run("--actor", "subagent:a", "propose", "key ghp_" + "a1" * 20, "--json")
    error = json.loads(said.out)["error"]
    assert error["kind"] == "refused"
    assert {one["code"] for one in error["findings"]} == {"SEC001"}
