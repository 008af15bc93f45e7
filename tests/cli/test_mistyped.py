"""What a call that makes no sense is told."""

from __future__ import annotations

import pytest

from molt.cli import app
from molt.cli.commands import COMMANDS


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("delete", "did you mean 'forget'? "),
        ("undo", "did you mean 'revert'? "),
        ("show", "did you mean 'get'? "),
        ("ask", "did you mean 'recall'? "),
        ("pull", "did you mean 'sync'? "),
        ("serach", "did you mean 'search'? "),
        ("remmeber", "did you mean 'remember'? "),
        ("help", ""),
        ("diff", ""),
    ],
)
def test_a_command_that_is_none_names_what_is_meant_or_nothing(run, word, meant) -> None:
    said = run(word)
    assert said.status == 2
    assert said.err == f"molt: no command {word!r}\n  {meant}`molt --help` lists them\n"


def test_what_a_word_is_taken_for_is_a_command_and_no_command_is_taken_for_another() -> None:
    for word, meant in app.MEANT.items():
        assert word not in COMMANDS
        assert meant.split()[0] in COMMANDS


@pytest.mark.parametrize("args", [("search", "x", "--limit", "ten"), ("log", "--limit", "1.5")])
def test_what_is_no_number_is_called_so(agent, run, args) -> None:
    said = run(*args)
    assert said.status == 2
    assert f"{args[-1]!r} is no whole number" in said.err


@pytest.mark.parametrize("text", ["- a bullet", "-5 degrees"])
def test_a_text_that_begins_like_an_option_is_told_how_it_is_said(agent, run, text) -> None:
    said = run("remember", text)
    assert (said.status, "comes behind `--`" in said.err) == (2, True)
    assert run("remember", "--store", "episodic", "--", text).status == 0


def test_a_workspace_is_not_made_of_a_file(agent, run) -> None:
    said = run("init", "SOUL.md")
    assert (said.status, said.out) == (2, "")
    assert "SOUL.md is no folder" in said.err


def test_a_reflection_that_is_not_there_is_looked_up_where_all_are(agent, run) -> None:
    said = run("revert", "--reflection", "r-009", "--yes")
    assert (said.status, "`molt reflect list`" in said.err) == (4, True)


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("core", "list"), "did you mean `molt core show`? `molt core --help`"),
        (("graph", "bogus"), "it has "),
    ],
)
def test_a_group_without_the_command_names_what_it_has(agent, run, args, meant) -> None:
    said = run(*args)
    assert (said.status, said.out) == (2, "")
    assert f"no such command '{args[1]}'\n  {meant}" in said.err


@pytest.mark.parametrize(
    "args",
    [
        ("index",),
        ("index", "--status"),
        ("core", "show"),
        ("touch", "core"),
        ("import", "--dry-run", "../note.md"),
        ("export", "--to", "basic-memory", "../out", "--dry-run"),
        ("status",),
        ("search", "gate"),
        ("remember", "the tram is late"),
        ("remember", "the tram is late", "--brief"),
        ("log",),
        ("why", "core"),
        ("alerts",),
        ("audit", "verify"),
        ("blame", "MEMORY.md"),
        ("review",),
        ("keys", "list"),
        ("graph", "show"),
        ("reflect", "list"),
        ("question", "list"),
        ("procedure", "list"),
        ("pin", "core", "--dry-run"),
        ("session", "start"),
        ("sync",),
    ],
)
def test_settings_that_are_not_in_force_are_told_once(agent, run, git, args) -> None:
    (agent.parent / "note.md").write_text("A note.\n")
    settings = agent / "molt.yaml"
    settings.write_text(f"{settings.read_text()}\nsearch:\n  limit: 3\nsearch:\n  limit: 4\n")
    git(agent, "commit", "-qanm", "twice", "--no-verify")
    said = run(*args)
    assert f"{said.out}{said.err}".count("molt.yaml: line 11: the key") == 1
