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


def test_review_lists_what_waits_and_decides(agent, run) -> None:
    run("--actor", "subagent:a", "propose", "the release date is day 1")
    run("--actor", "subagent:b", "propose", "the release date is day 2")
    said = run("review")
    assert said.status == 0
    assert "#2  p-" in said.out
    assert "⚠️ CONFLICT with #1: the release date is day 1" in said.out
    assert "`molt review`" in run("status").out
    assert run("review", "accept", "1").status == 3
    assert run("review", "resolve", "1").status == 2
    told = json.loads(run("review", "resolve", "1", "--prefer", "--json").out)
    assert told["decision"] == "accepted"
    assert [one["number"] for one in told["proposals"]] == [1, 2]
    assert told["gave_way"] == [told["proposals"][1]["id"]]
    assert run("review").out == "nothing waits\n"
    assert json.loads(run("--json", "review", "list").out) == {"mode": "batch", "proposals": []}


def test_what_gives_way_is_not_called_accepted(agent, run) -> None:
    run("--actor", "subagent:a", "propose", "the release date is day 1")
    run("--actor", "subagent:b", "propose", "the release date is day 2")
    said = run("review", "resolve", "1", "--prefer").out
    assert said.startswith("accepted #1, turned down #2  ")


def test_a_rejection_wants_a_reason(agent, run) -> None:
    run("--actor", "subagent:a", "propose", "a thing")
    assert run("review", "reject", "1").status == 2
    assert run("review", "reject", "1", "--why", "no", "--dry-run").out.startswith("[REJECT]")
    assert run("review", "reject", "1", "--why", "no").out.startswith("rejected #1")


def test_several_are_decided_on_at_once_and_what_contradicts_is_left(agent, run) -> None:
    for text in ("the tram is late", "release date is day 1", "release date is day 2", "tea at 4"):
        assert run("--actor", "subagent:a", "propose", text).status == 0
    said = run("review", "accept", "all")
    assert [row.split()[:2] for row in said.out.splitlines()] == [
        ["accepted", "#1"],
        ["accepted", "#4"],
    ]
    assert said.status == 3
    assert "#2 contradicts #3" in said.err
    assert "`molt review resolve 3 --prefer`" in said.err
    said = run("review", "reject", "2-3", "--why", "both are old", "--json")
    assert [json.loads(row)["proposals"][0]["number"] for row in said.out.splitlines()] == [2, 3]
    assert run("review", "accept", "7-9").status == 4
    assert run("review", "defer", "1", "4").status == 4
