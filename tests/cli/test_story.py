"""What is told of a memory by words, and of what a sub-agent has proposed."""

from __future__ import annotations

import json


def test_words_that_one_memory_alone_says_tell_its_story(agent, run) -> None:
    named = run("why", "concept--oauth2-pkce").out
    assert run("why", "tokens Ed25519").out == named
    assert run("why", "nobody says this").status == 4


def test_words_that_several_say_name_them_with_the_line_that_goes_on(agent, run) -> None:
    run("remember", "the harbour gate closes at ten", "--store", "episodic")
    said = run("why", "harbour gate")
    assert said.status == 4
    assert "2 memories say 'harbour gate'" in said.err
    assert "opens at nine" in said.err
    line = said.err.split("`")[1]
    assert line.startswith("molt why ")
    assert run(*line.split()[1:]).status == 0


def test_words_that_were_forgotten_for_good_are_not_listed(agent, run) -> None:
    run("remember", "the harbour gate closes at ten", "--store", "episodic")
    run("--actor", "manual", "forget", "harbour gate", "--permanently", "--yes")
    assert "nine" not in run("why", "harbour gate").err


def test_blame_of_what_was_proposed_says_who_did_who_took_it_and_why(agent, run) -> None:
    words = ("propose", "Zorg sells it", "--trigger", "Ada asked", "--store", "episodic")
    run("--actor", "subagent:coder", *words)
    run("review", "accept", "1")
    (found, *_) = json.loads(run("search", "Zorg", "--json").out)["results"]
    head = run("blame", found["path"]).out
    (row,) = [row for row in head.splitlines() if "proposed by coder" in row]
    assert "[Ada asked]" in row
    assert "accepted by bot:main in " in row
    assert "molt review" not in row


def test_a_purge_is_planned_where_its_tool_is_not_installed(agent, run, monkeypatch) -> None:
    monkeypatch.setattr("molt.repo.rewrite.util.find_spec", lambda name: None)
    monkeypatch.setattr("molt.repo.rewrite.shutil.which", lambda name: None)
    asked = ("--actor", "manual", "purge", "harbour gate")
    said = run(*asked, "--dry-run")
    assert (said.status, "hold it" in said.out) == (0, True)
    assert "git-filter-repo is not installed: `pip install git-filter-repo`" in said.err
    assert run(*asked, "--confirm", "harbour gate").status == 1


def test_who_purges_without_a_terminal_is_told_the_line_that_goes_on(agent, run) -> None:
    said = run("--actor", "manual", "purge", "harbour gate")
    assert said.status == 3
    assert "--confirm TEXT" in said.err
    assert "{" not in said.out + said.err
    asked = json.loads(run("--actor", "manual", "purge", "harbour gate", "--json").out)
    assert asked["error"]["kind"] == "needs-answer"
