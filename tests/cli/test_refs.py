"""Whatever an answer gives is taken by the commands that read: ids, citations, labels."""

from __future__ import annotations

import json
import re

import pytest

from molt.formats.prose.citations import CitedPlace, parse_citation


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("memory/dog.md#L3-L9", CitedPlace("memory/dog.md", 3, 9)),
        ("memory/dog.md#L3-9", CitedPlace("memory/dog.md", 3, 9)),
        ("memory/dog.md#L3", CitedPlace("memory/dog.md", 3, 3)),
        ("2026-02-03#L7", CitedPlace("memory/episodes/2026-02-03.md", 7, 7, "2026-02-03")),
        ("2026-02-03", CitedPlace("memory/episodes/2026-02-03.md", 0, 0, "2026-02-03")),
        ("memory/dog.md", None),
        ("memory/dog.md#L9-L3", None),
        ("memory/dog.md#L0", None),
        ("memory/dog.md#Lx", None),
        ("core:identity#12345678", None),
        ("episode:2026-02-03:10:00", None),
        ("", None),
    ],
)
def test_a_citation_is_taken_apart(text: str, place: CitedPlace | None) -> None:
    assert parse_citation(text) == place


@pytest.mark.parametrize("query", ["harbour gate", "Ed25519 tokens"])
def test_what_a_search_cites_is_read_used_and_explained(agent, run, query: str) -> None:
    (first, *_) = json.loads(run("search", query, "--json").out)["results"]
    words = first["snippet"].rpartition("\n")[2].removeprefix("- ")
    for ref in (first["citation"], first["id"]):
        assert words in run("get", ref).out
        assert json.loads(run("touch", ref, "--json").out) == {
            "touched": [first["id"]],
            "lasting": [],
        }
        assert run("why", ref) == run("why", first["id"])
        assert run("why", ref).out


@pytest.mark.parametrize("path", ["memory/notes/pier.md", "PIER.md"])
def test_a_note_without_a_score_can_be_named_as_used(agent, run, path: str) -> None:
    (agent / path).parent.mkdir(exist_ok=True)
    (agent / path).write_text("# Pier\n\nThe zinc pier burned down\x0cin a storm.\n")
    (first, *_) = json.loads(run("search", "zinc pier burned", "--json").out)["results"]
    for ref in (path, first["citation"]):
        said = run("touch", ref)
        assert (said.status, said.out) == (0, "")
        assert f"{ref} has no score, so it does not fade" in said.err
        assert json.loads(run("touch", ref, "--json").out) == {"touched": [], "lasting": [ref]}
    assert run("touch", f"{path}#L4-L4").status == 4


def test_a_day_and_a_line_of_a_recalled_block_are_an_entry(agent, run) -> None:
    block = run("recall", "when does the harbour gate open?").out
    found = re.search(r"(?m)^### (\d{4}-\d\d-\d\d)\n- L(\d+) ", block)
    assert found
    ref = f"{found[1]}#L{found[2]}"
    assert "harbour gate opens at nine" in run("get", ref).out
    assert run("get", ref).out == run("get", f"{found[1]}#L{int(found[2]) + 1}").out
    assert "harbour" in run("get", found[1]).out
    assert run("touch", ref).out.startswith("used: episode:")


def test_a_day_in_an_adopted_folder_is_found(agent, run) -> None:
    (agent / "memory/2020-05-04.md").write_text("# Notes\n\nthe old pier burned down\n")
    assert "old pier" in run("get", "2020-05-04").out
    assert run("get", "2020-05-04#L3").out == "the old pier burned down\n"


@pytest.mark.parametrize("name", ["OAuth2 PKCE", "oauth2 pkce", "concept--oauth2-pkce"])
def test_a_label_is_as_good_as_an_id(agent, run, name: str) -> None:
    whole = run("get", "entity:concept--oauth2-pkce").out
    assert whole
    assert run("get", name).out == whole
    assert run("touch", name).out == "used: entity:concept--oauth2-pkce\n"
    assert run("why", name).out == run("why", "entity:concept--oauth2-pkce").out


@pytest.mark.parametrize("ref", ["No Such Label", "1999-01-01", "MEMORY.md#L9999", "../x.md#L1"])
def test_what_means_nothing_is_refused(agent, run, ref: str) -> None:
    said = run("get", ref)
    assert said.status in (2, 4)
    assert said.out == ""
    assert run("touch", ref).status == 4
    assert run("why", ref).status == 4


def test_lines_of_a_citation_are_no_more_than_it_says(agent, run) -> None:
    (agent / "memory/notes").mkdir()
    (agent / "memory/notes/tide.md").write_text("# Tide\n\none\n\ntwo\n\nthree\n")
    assert run("get", "memory/notes/tide.md#L3-L5").out == "one\n\ntwo\n"
    assert run("get", "memory/notes/tide.md#L5-L99").out == "two\n\nthree\n"
    assert run("get", "memory/notes/tide.md#L5").out == "two\n"


NOTE = "memory/notes/pier.md"


@pytest.fixture
def below(agent, git, monkeypatch):
    """A folder of the workspace with a note, as the current one."""
    (agent / NOTE).parent.mkdir()
    (agent / NOTE).write_text("# Pier\n\nit burned down\n")
    git(agent, "add", NOTE)
    git(agent, "commit", "-qm", "a note of the pier")
    monkeypatch.chdir((agent / NOTE).parent)
    return agent


@pytest.mark.parametrize("command", ["get", "blame", "why"])
def test_a_file_is_named_from_the_current_folder_or_from_the_top(below, run, command) -> None:
    told = run(command, NOTE)
    assert (told.status, bool(told.out)) == (0, True)
    for name in ("pier.md", "./pier.md", f"../../{NOTE}", str(below / NOTE)):
        assert run(command, name) == told
    assert run(command, "../../../elsewhere.md").status != 0


def test_a_citation_of_a_file_is_named_so_too(below, run) -> None:
    assert run("get", "pier.md#L3").out == "it burned down\n" == run("get", f"{NOTE}#L3").out


def test_what_is_no_file_is_meant_in_every_folder(below, run) -> None:
    (below / "memory/notes/OAuth2 PKCE").mkdir()
    assert "Ed25519" in run("get", "OAuth2 PKCE").out
    assert "Ed25519" in run("get", "entity:concept--oauth2-pkce").out


def test_a_critical_file_is_acknowledged_from_any_folder(below, run, git) -> None:
    for name in ("../../SOUL.md", "SOUL.md"):
        (below / "SOUL.md").write_text(f"of {name}\n")
        git(below, "commit", "-qam", "softer")
        assert run("ack", name).out == "acknowledged SOUL.md\n"
    assert run("alerts").err == "molt: no alerts\n"


def test_a_file_is_put_back_from_any_folder(below, run, git) -> None:
    (below / NOTE).unlink()
    git(below, "commit", "-qam", "gone")
    assert run("revert", "pier.md", "--to", "HEAD^", "--yes").status == 0
    assert (below / NOTE).exists()
    assert run("revert", NOTE, "--to", "HEAD^", "--yes").status == 0
    assert not (below / NOTE).exists()
