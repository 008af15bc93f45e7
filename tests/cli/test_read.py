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
