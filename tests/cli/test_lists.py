"""A question for a list brings what belongs to the kind that it names, each with its place."""

from __future__ import annotations

import json

import pytest

SAID = {
    "rabbit": "Our rabbit Mopsy chewed through a cable.",
    "parrot": "妹妹养了一只鹦鹉，会说早上好。",
    "cello": "I have been learning the cello since spring.",
    "judo": "On Fridays I go to judo.",
    "grafana": "The dashboards are built with Grafana.",
    "postgres": "We use PostgreSQL for the billing service.",
    "project": "Project Lighthouse moves the archive.",
    "rent": "The landlord raised the rent by eight percent.",
    "lamp": "The kitchen lamp flickers when it rains.",
}


@pytest.fixture
def told(agent, run):
    """The lines that say each thing, by what it is called in `SAID`."""
    places = {}
    for name, text in SAID.items():
        code, out, _ = run("remember", text, "--json")
        assert code == 0
        places[name] = json.loads(out)["id"]
    return places


def test_what_is_related_or_tagged_by_hand_belongs(agent, run) -> None:
    assert run("remember", "A word for beasts", "--entity", "concept:animal")[0] == 0
    fact = ("remember", "Argo sleeps all day", "--entity", "concept:Argo")
    assert run(*fact, "--relation", "concept:Argo is-a concept:animal")[0] == 0
    assert run("remember", "Zorro eats hay", "--store", "episodic", "--tag", "animal")[0] == 0
    code, out, _ = run("search", "which animals do I have", "--json")
    found = [one["snippet"] for one in json.loads(out)["results"]]
    assert code == 0
    for name in ("Argo", "Zorro"):
        assert any(name in text for text in found), name


def test_words_that_narrow_a_list_are_asked_for(run, told) -> None:
    assert run("remember", "Vera keeps two ponies and a goat, goats are her joy.")[0] == 0
    code, out, _ = run("search", "which animals does Vera keep", "--json")
    assert code == 0
    assert "goat" in json.loads(out)["results"][0]["snippet"]


def test_a_kind_without_members_has_no_answer_of_its_own(run, told) -> None:
    code, out, _ = run("search", "which plants do I have", "--json")
    assert code in (0, 1)
    assert all(one["signals"]["graph"] == 0 for one in json.loads(out)["results"])
