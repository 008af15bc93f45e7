"""Commands that read."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("limit", [1, 2])
def test_a_search_gives_no_more_results_than_its_limit(agent, run, limit: int) -> None:
    said = run("search", "harbour gate", "--limit", str(limit), "--json")
    assert len(json.loads(said.out)["results"]) == limit


def test_the_limit_of_the_configuration_holds_without_one(agent, run, git) -> None:
    (agent / "molt.yaml").write_text("search: {limit: 1}\n")
    git(agent, "commit", "-qam", "fewer results")
    assert len(json.loads(run("search", "harbour gate", "--json").out)["results"]) == 1


def test_a_type_is_all_that_a_search_gives(agent, run) -> None:
    run("remember", "the harbour gate stays shut on Sunday", "--type", "decision")
    found = json.loads(run("search", "harbour gate", "--type", "decision", "--json").out)
    assert [one["snippet"] for one in found["results"]] == ["the harbour gate stays shut on Sunday"]


def test_what_scores_less_is_left_out(agent, run) -> None:
    every = json.loads(run("search", "harbour gate", "--json").out)["results"]
    least = every[0]["score"]
    kept = json.loads(run("search", "harbour gate", "--min-score", str(least), "--json").out)
    assert [one["id"] for one in kept["results"]] == [every[0]["id"]]
    assert len(every) > 1
    assert run("search", "harbour gate", "--min-score", "-1").status == 2


def test_a_search_and_a_read_of_the_past(agent, run) -> None:
    run("remember", "the harbour gate opens at ten now")
    found = json.loads(run("search", "harbour gate", "--at", "HEAD~1", "--json").out)
    assert "ten" not in str(found["results"])
    assert found["at"]
    assert run("get", "MEMORY.md", "--at", "HEAD~3").out != run("get", "MEMORY.md").out
    assert run("search", "harbour gate", "--at", "nope").status == 4


def test_recall_gives_a_block_for_a_prompt(agent, run) -> None:
    said = run("recall", "What do you know about OAuth2 PKCE?")
    assert said.out.startswith("## Entity\n\n- ")
    assert "signs tokens with Ed25519" in said.out
    assert said.err == ""


def test_recall_tells_what_it_did_as_json(agent, run) -> None:
    said = json.loads(run("recall", "when does the harbour gate open?", "--json").out)
    assert said["type"] == "when"
    assert {"question", "entities", "context", "provider", "model", "fallback", "stale"} <= {*said}
    assert {"id", "path", "start_line", "end_line"} == {*said["citations"][0]}
    assert said["results"] == json.loads(run("search", said["question"], "--json").out)["results"]


@pytest.mark.parametrize(("option", "value"), [("--hops", "3"), ("--max-tokens", "0")])
def test_recall_refuses_what_makes_no_sense(agent, run, option: str, value: str) -> None:
    assert run("recall", "harbour", option, value).status == 2


def test_recall_says_when_nothing_fits(agent, run) -> None:
    said = run("recall", "harbour", "--max-tokens", "3")
    assert (said.status, said.out) == (0, "")
    assert "no memory fits into 3 tokens: raise --max-tokens" in said.err
