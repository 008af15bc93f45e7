"""Whom a memory is for, and who is shown it."""

from __future__ import annotations

import json

import pytest

DAY = "2026-03-01"
HEAD = "fact | confidence:high | tags:[] | source:conversation"
LOG = f"""# {DAY} — Episode Log

Orchard prose of nobody in particular.

## 08:00 | {HEAD}
The open orchard fact.

## 08:01 | {HEAD} | scope:private
The private orchard fact.

## 08:02 | {HEAD} | scope:project:molt
The molt orchard fact.

## 08:03 | {HEAD} | scope:group
The group orchard fact.

## 08:04 | {HEAD} | scope:what is this?
The odd orchard fact.
"""
NOTE = (
    "---\nid: {0}\ntype: concept\nlabel: {1}\nscope: {2}\n---\n# {1}\n\n## Facts\n- {1} orchard\n"
)
EVERY = {"open", "private", "molt", "group", "odd"}


@pytest.fixture
def grown(agent, git):
    def write(path: str, text: str) -> None:
        (agent / path).parent.mkdir(parents=True, exist_ok=True)
        (agent / path).write_text(text)

    write(f"memory/episodes/{DAY}.md", LOG)
    write(
        "memory/graph/entities/concept--pear.md",
        NOTE.format("concept--pear", "Pear", "project:molt"),
    )
    write("memory/vault/deed.md", "---\nid: deed\nlabel: Deed\n---\n# Deed\n\nThe vault orchard.\n")
    text = (agent / "MEMORY.md").read_text()
    write("MEMORY.md", text + "\n## Critical Facts\n- The core orchard\n")
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "grown")
    return agent


def seen(run, *options: str, by: str = "search") -> set[str]:
    said = run(by, "orchard fact", "--limit", "50", "--json", *options)
    assert said.status == 0, said.err
    words = {word for one in json.loads(said.out)["results"] for word in one["snippet"].split()}
    known = {*EVERY, "vault", "core", "Pear", "prose"}
    return words & known


@pytest.mark.parametrize("by", ["search", "recall"])
def test_the_owner_sees_everything_but_other_projects(grown, run, by) -> None:
    everything = {*EVERY, "vault", "core", "Pear", "prose"}
    assert seen(run, by=by) == everything
    assert seen(run, "--scope", "project:molt", by=by) == everything - {"group"}
    assert seen(run, "--scope", "project:other", by=by) == everything - {"group", "molt", "Pear"}
    assert seen(run, "--audience", "private", by=by) == everything


@pytest.mark.parametrize("by", ["search", "recall"])
def test_an_audience_sees_what_is_for_it_and_what_is_for_anybody(grown, run, by) -> None:
    assert seen(run, "--audience", "group", by=by) == {"open", "group", "prose"}
    told = seen(run, "--audience", "group", "--scope", "project:molt", by=by)
    assert told == {"open", "group", "molt", "Pear", "prose"}
    assert seen(run, "--audience", "other", "--scope", "private", by=by) == {"open", "prose"}


def test_what_says_nothing_may_be_for_some_alone(grown, run, git) -> None:
    text = (grown / "molt.yaml").read_text()
    (grown / "molt.yaml").write_text(f"{text}\nscope:\n  default: family\n  core: family\n")
    git(grown, "commit", "-qam", "scope")
    assert seen(run, "--audience", "group") == {"group"}
    assert seen(run, "--audience", "family") == {"open", "prose", "core"}


def test_a_recalled_block_holds_nothing_for_others(grown, run) -> None:
    said = run("recall", "what do you know about the pear and the orchard?", "--audience", "group")
    assert "open orchard" in said.out
    for word in ("private", "molt orchard", "odd", "vault", "core orchard", "Pear"):
        assert word not in said.out


def test_core_memory_is_given_to_no_other_audience(grown, run) -> None:
    own = run("context").out
    assert "The core orchard" in own
    assert "The core orchard" not in run("context", "--audience", "group").out


def test_a_scope_that_is_none_is_refused(grown, run) -> None:
    said = run("search", "orchard", "--scope", "what is this?")
    assert (said.status, "is no scope" in said.err) == (2, True)


def test_what_is_remembered_for_some_is_shown_to_them(agent, run) -> None:
    def keep(text: str, *options: str):
        said = run("remember", text, "--json", *options)
        assert said.status == 0, said.err
        return json.loads(said.out)

    told = keep("the cedar key is under the mat", "--store", "episodic", "--scope", "Private")
    assert told["scope"] == "private"
    keep("cedar is a tree", "--entity", "concept:Cedar", "--scope", "project:molt")
    again = keep("the cedar key is under the mat", "--store", "episodic")
    assert not again["again"]
    assert run("verify").status == 0
    found = json.loads(run("search", "cedar", "--audience", "group", "--json").out)["results"]
    assert [one["id"] for one in found if "cedar" in one["snippet"]] == [again["id"]]
    text = (agent / "memory/graph/entities/concept--cedar.md").read_text()
    assert 'scope: "project:molt"\n' in text


def test_one_memory_is_for_one_scope(agent, run) -> None:
    run("remember", "cedar is a tree", "--entity", "concept:Cedar")
    more = ("remember", "cedar smells", "--entity", "concept:Cedar", "--scope", "private")
    assert (run(*more).status, "has no scope" in run(*more).err) == (2, True)
    core = run("remember", "I am allergic to cedar", "--store", "core", "--scope", "group")
    assert (core.status, "scope.core" in core.err) == (2, True)
    assert run("remember", "x", "--scope", "what is this?").status == 2


def test_the_context_says_that_core_memory_is_left_out(agent, run) -> None:
    assert "MEMORY.md is left out: it is for private" in run("context", "--audience", "group").err
    assert "left out" not in run("context").err
