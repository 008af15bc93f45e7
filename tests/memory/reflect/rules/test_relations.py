"""What a sentence says between two things becomes an edge, once."""

from __future__ import annotations

import pytest
from told import make_told, propose

from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules.consolidate import consolidate

NOTE = "---\nid: {stem}\ntype: {kind}\nlabel: {label}\n---\n# {label}\n{more}"


def note(stem: str, label: str, more: str = "") -> str:
    return NOTE.format(stem=stem, kind=stem.partition("--")[0], label=label, more=more)


def list_edges(found: tuple[Operation, ...]) -> list[tuple[str, str, str]]:
    every = (one for one in found if one.op == "add-relation")
    return [(one.text("from"), one.text("relation"), one.text("to")) for one in every]


@pytest.fixture
def known() -> dict[str, str]:
    return {
        "project--halcyon": note("project--halcyon", "Halcyon"),
        "tool--redis": note("tool--redis", "Redis"),
    }


def test_two_known_things_are_related_by_the_words_between(known: dict[str, str]) -> None:
    assert list_edges(propose("In March Halcyon uses Redis.", **known)) == [
        ("project--halcyon", "uses", "tool--redis")
    ]


def test_a_relation_that_is_there_is_not_told_again(known: dict[str, str]) -> None:
    known["project--halcyon"] += "\n## Relations\n- uses → [[tool--redis]]\n"
    assert list_edges(propose("In March Halcyon uses Redis.", **known)) == []


def test_whom_somebody_calls_a_friend_is_related() -> None:
    material = make_told("Ann: I had lunch with my friend Priya.")
    found = consolidate(material.replace(relations=frozenset({"relates-to"})))
    assert list_edges(found) == [("person:Ann", "relates-to", "person:Priya")]


def test_a_word_that_the_workspace_does_not_know_is_no_relation() -> None:
    assert list_edges(propose("Ann: I had lunch with my friend Priya.")) == []
