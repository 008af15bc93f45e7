"""`molt graph`, and the graph as `remember` writes it."""

from __future__ import annotations

import json

import pytest

INDEX = "memory/graph/index.md"


@pytest.fixture
def linked(agent, run):
    run("remember", "keeps memory", "--entity", "project:Molt")
    run("remember", "stores it", "--entity", "tool:Git", "--relation", "project--molt uses Git")
    return agent


def test_a_relation_stands_in_the_file_of_its_subject(linked, run) -> None:
    text = (linked / "memory/graph/entities/project--molt.md").read_text()
    assert "- uses [[tool--git]] (confidence: medium, since: " in text
    assert run("verify").status == 0
    assert "project--molt uses tool--git" in run("graph", "show", "molt").out


def test_the_generated_index_follows_each_write(linked, git) -> None:
    text = (linked / INDEX).read_text()
    assert "| project--molt | uses | tool--git | medium |" in text
    assert git(linked, "status", "--porcelain") == ""


def test_a_person_s_commit_is_in_the_index_once_somebody_looks(linked, run, git) -> None:
    path = linked / "memory/graph/entities/tool--git.md"
    path.write_text(path.read_text().replace("label: Git", "label: Git SCM"))
    git(linked, "commit", "-qam", "its full name")
    run("graph", "show")
    assert "| Git SCM |" in (linked / INDEX).read_text()


@pytest.mark.parametrize("label", ["OAuth PKCE", "OAuth2 PKCE flow", "oauth2 pkce"])
def test_a_similar_label_is_the_known_entity(agent, run, label: str) -> None:
    said = json.loads(run("remember", "for mobile", "--entity", f"concept:{label}", "--json").out)
    assert (said["id"], said["action"]) == ("entity:concept--oauth2-pkce", "EDIT")


def test_the_similarity_is_configured(agent, run, git) -> None:
    (agent / "molt.yaml").write_text("graph:\n  similarity: 1.0\n")
    git(agent, "commit", "-qam", "strict")
    said = json.loads(run("remember", "for mobile", "--entity", "concept:OAuth", "--json").out)
    assert said["id"] == "entity:concept--oauth"


@pytest.mark.parametrize(
    "relation",
    ["project--none uses tool--git", "uses", "molt uses nothing", "molt ? git", "Git uses Git"],
)
def test_a_relation_of_what_is_not_there_changes_nothing(linked, run, git, relation: str) -> None:
    before = git(linked, "rev-parse", "HEAD")
    said = run("remember", "x", "--relation", relation)
    assert (said.status, git(linked, "rev-parse", "HEAD")) == (2, before)
    assert said.err


def test_an_unknown_word_is_a_warning_until_it_is_added(linked, run) -> None:
    edge = "tool--git admires project--molt"
    assert "unknown relation 'admires'" in run("remember", "a", "--relation", edge).err
    assert run("graph", "relation", "add", "looks-up-to", "--meaning", "esteem").status == 0
    edge = "tool--git looks-up-to project--molt"
    assert run("remember", "b", "--relation", edge).err == ""
    assert "known already" in run("graph", "relation", "add", "looks up to").out


def test_a_relation_may_ride_along_with_an_episode(linked, run, git) -> None:
    run("remember", "first today")
    said = run("remember", "we moved", "--relation", "Git part-of Molt", "--confidence", "low")
    assert said.status == 0, said.err
    assert git(linked, "log", "-1", "--format=%s").startswith("[EDIT] memory/episodes/")
    assert "(confidence: low" in (linked / "memory/graph/entities/tool--git.md").read_text()


def test_neighbours_and_paths(linked, run) -> None:
    assert run("graph", "neighbors", "git").out == (
        "1  project--molt  project--molt uses tool--git "
        + run("graph", "path", "git", "molt").out.partition("tool--git ")[2]
    )
    told = json.loads(run("graph", "neighbors", "Molt", "--hops", "2", "--json").out)
    assert [one["id"] for one in told["neighbors"]] == ["tool--git"]
    assert run("graph", "path", "git", "OAuth2 PKCE").status == 4
    assert run("graph", "neighbors", "nobody").status == 4
    assert "concept--oauth2-pkce has no relations" in run("graph", "neighbors", "OAuth2 PKCE").err


@pytest.mark.parametrize("form", ["dot", "json", "mermaid", "graphml"])
def test_an_export_is_text(linked, run, form: str) -> None:
    assert "Molt" in run("graph", "export", "--format", form).out


def test_it_is_said_when_a_label_is_only_like_one(agent, run) -> None:
    like = run("remember", "for mobile", "--entity", "concept:OAuth PKCE")
    assert "'concept:OAuth PKCE' was taken for entity:concept--oauth2-pkce" in like.err
    assert run("remember", "for the web", "--entity", "concept:oauth2 pkce").err == ""


def test_the_story_of_a_subject_tells_its_relations(linked, run) -> None:
    assert "stores it" in run("why", "entity:project--molt").out


def test_a_label_with_spaces_stands_in_quotes(linked, run) -> None:
    assert run("remember", "x", "--relation", "Molt uses 'oauth2 pkce'").status == 0
    assert "project--molt uses concept--oauth2-pkce" in run("graph", "show", "molt").out


def test_a_word_of_no_letters_is_none(agent, run) -> None:
    assert run("graph", "relation", "add", "→").status == 2


def test_a_superseded_fact_stays_struck_through(agent, run) -> None:
    words = ("--entity", "concept:OAuth2 PKCE", "--supersedes", "signs tokens with Ed25519")
    assert run("remember", "signs tokens with RSA", *words).status == 0
    text = run("get", "entity:concept--oauth2-pkce").out
    assert "- ~~signs tokens with Ed25519 (source: agent)~~ (until 20" in text
    assert "; now: signs tokens with RSA (source: agent))\n- signs tokens with RSA" in text
    again = run("remember", "signs with nothing", *words)
    assert again.status == 2
    assert "to supersede" in again.err


@pytest.mark.parametrize(("entity", "status"), [((), 4), (("--entity", "tool:Unknown"), 2)])
def test_only_what_is_there_can_be_superseded(agent, run, git, entity, status: int) -> None:
    before = git(agent, "rev-parse", "HEAD")
    assert run("remember", "a", *entity, "--supersedes", "b").status == status
    assert git(agent, "rev-parse", "HEAD") == before


@pytest.mark.parametrize(("words", "choices"), [("graph", "neighbors"), ("graph relation", "add")])
def test_a_group_without_a_command_names_those_that_there_are(agent, run, words, choices) -> None:
    done = run(*words.split())
    first, hint, *rest = done.err.splitlines()
    assert done.status == 2
    assert first.startswith("molt: missing command. Choose from: ")
    assert choices in first
    assert hint.strip() == f"`molt {words} --help`"
    assert rest == []


def test_a_refusal_names_what_there_is(agent, run) -> None:
    done = run("remember", "x", "--type", "banana")
    assert done.status == 2
    assert "unknown type 'banana'; one of decision, fact" in done.err


def test_two_entities_become_one(linked, run) -> None:
    run("remember", "made by Linus", "--entity", "tool:The Git Tool Suite")
    done = run("graph", "merge", "Git", "tool--the-git-tool-suite", "--json")
    assert done.status == 0
    assert json.loads(done.out)["id"] == "entity:tool--git"
    assert "made by Linus" in run("get", "entity:tool--the-git-tool-suite").out
    assert run("verify").status == 0


def test_a_rename_shows_what_it_would_do(linked, run, git) -> None:
    before = git(linked, "rev-parse", "HEAD")
    shown = run("graph", "rename", "Git", "Git SCM", "--dry-run").out
    assert "[RENAME] memory/graph/entities/tool--git-scm.md — renamed to Git SCM" in shown
    assert git(linked, "rev-parse", "HEAD") == before
    assert run("graph", "rename", "Git", "Git SCM").status == 0
    assert "project--molt uses tool--git-scm" in run("graph", "show", "molt").out
    assert run("graph", "rename", "molt", "Git SCM").status == 0
    taken = run("graph", "rename", "project--git-scm", 'tool:"Git SCM"')
    assert (taken.status, "molt graph merge" in taken.err) == (2, True)


def test_links_in_what_was_said_are_left_and_named(linked, run) -> None:
    run("remember", "spoke of [[tool--git]]", "--store", "episodic")
    told = run("graph", "rename", "Git", "Git SCM")
    assert "keep the old name" in told.err


def test_a_label_that_may_be_another_s_is_a_question_until_they_are_merged(agent, run) -> None:
    run("remember", "runs containers", "--entity", "tool:Kubernetes")
    asked = run("remember", "has pods", "--entity", "tool:Kubernets")
    assert "may be tool--kubernetes: if it is, `molt graph merge" in asked.err
    assert "- Same as [[tool--kubernetes]]?" in run("get", "entity:tool--kubernets").out
    assert run("graph", "merge", "tool--kubernetes", "tool--kubernets").status == 0
    text = run("get", "entity:tool--kubernetes").out
    assert ("has pods" in text, "Same as" in text) == (True, False)
    assert run("remember", "has nodes", "--entity", "tool:Kubernets").err == ""


def test_a_name_that_another_type_has_is_told(linked, run) -> None:
    said = run("graph", "rename", "molt", "Git")
    assert said.status == 0
    assert "tool--git is called so too" in said.err
