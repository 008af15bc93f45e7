"""Entities that get another name, and entities that turn out to be one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors, trees
from molt.formats import entity as entity_notes
from molt.formats import paths
from molt.memory.answers import get
from molt.memory.checks import verify
from molt.memory.graph import graph, links, resolve, unite
from molt.memory.workspace import Workspace
from molt.memory.write import entities
from molt.memory.write import remember as writing
from molt.memory.write.route import Route
from molt.trees import DictTree, Overlay

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = "2026-03-01"
FOLDER = "memory/graph/entities/"
ADA = """---
id: person--ada
type: person
label: Ada
aliases: [A. L.]
tags: [maths]
created: 2026-01-02
updated: 2026-01-02
pinned: false
nickname: Countess
---
# Ada

## Summary
Writes programs.

## Facts
- Born in London
- ~~Lives in Paris~~ (until 2026-01-05; now: Lives in Rome)

## Timeline
- 2026-01-02: met

## Relations
- uses [[tool--git]] (confidence: high)
- knows [[person--ada-lovelace]]
"""
LOVELACE = """---
id: person--ada-lovelace
type: person
label: Ada Lovelace
created: 2026-01-01
updated: 2026-01-03
pinned: true
nickname: Enchantress
---
# Ada Lovelace

## Summary
Wrote the first program.

## Facts
- Born in London
- Worked with Babbage

## Letters
She wrote many.

## Relations
- uses [[tool--git]]
- knows [[person--ada]]
"""
GIT = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n\n## Facts\n- [[person--ada]] uses it\n"
FILES = {
    f"{FOLDER}person--ada.md": ADA,
    f"{FOLDER}person--ada-lovelace.md": LOVELACE,
    f"{FOLDER}tool--git.md": GIT,
    "MEMORY.md": "# M\n\n## Identity\n- knows [[person--ada|Ada]] and [[person--ada-smith]]\n",
    "memory/procedures/deploy.md": "# Deploy\n\nAsk [[graph/entities/person--ada#Facts]].\n",
    "memory/episodes/2026-01-02.md": "# 2026-01-02\n\n## 10:00 | fact\nMet [[person--ada]].\n",
    "memory/vault/will.md": "# Will\n\nFor entity:person--ada.\n",
    "AGENTS.md": "# Agents\n\nAda is [[person--ada]].\n",
}
TREE = DictTree({path: text.encode() for path, text in FILES.items()})


def by_bot(path: str) -> bool:
    return unite.may_point_links(path, person=False)


def by_person(path: str) -> bool:
    return unite.may_point_links(path, person=True)


def text_of(tree: trees.Tree, path: str) -> str:
    return trees.read_text(tree, path)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[[a--b]]", "[[c--d]]"),
        ("[[a--b|B]] [[a--b#Facts]]", "[[c--d|B]] [[c--d#Facts]]"),
        ("[[x/a--b]] [[a--b.md]]", "[[x/c--d]] [[c--d.md]]"),
        ("see entity:a--b.", "see entity:c--d."),
        ("[[a--bc]] [[xa--b]] entity:a--b-c xentity:a--b", None),
        ("a--b, [a--b], [[a--b", None),
        ("[[x|a--b]]", None),
    ],
)
def test_links_lead_elsewhere(text: str, after: str | None) -> None:
    assert links.point_links(text, "a--b", "c--d") == (text if after is None else after)


@given(st.text(alphabet="ab-[]|#/:. \nentity", max_size=200))
def test_no_link_is_left(text: str) -> None:
    after = links.point_links(text, "a--b", "c--d")
    assert links.point_links(after, "a--b", "x--y") == after
    assert after.replace("c--d", "a--b") == text or "c--d" in text


def test_an_entity_is_renamed() -> None:
    made = unite.rename_entity(TREE, "person--ada", "Ada King", DAY, may_edit=by_bot)
    tree = Overlay(TREE, made.edits)
    assert made.id == "entity:person--ada-king"
    one = entity_notes.parse_entity(text_of(tree, made.path), "person--ada-king")
    assert (one.id, one.label, one.updated) == ("person--ada-king", "Ada King", DAY)
    assert one.aliases == ("A. L.", "Ada", "person--ada")
    assert "\n# Ada King\n" in text_of(tree, made.path)
    assert tree.entry(f"{FOLDER}person--ada.md") is None
    assert "[[person--ada-king|Ada]] and [[person--ada-smith]]" in text_of(tree, "MEMORY.md")
    assert "graph/entities/person--ada-king#Facts" in text_of(tree, "memory/procedures/deploy.md")
    assert "knows [[person--ada-king]]" in text_of(tree, f"{FOLDER}person--ada-lovelace.md")
    assert set(made.left) == {"memory/episodes/2026-01-02.md", "memory/vault/will.md", "AGENTS.md"}


def test_links_of_the_vault_follow_a_person() -> None:
    made = unite.rename_entity(TREE, "person--ada", "Ada King", DAY, may_edit=by_person)
    assert "memory/vault/will.md" in made.followed
    assert set(made.left) == {"AGENTS.md", "memory/episodes/2026-01-02.md"}


def test_the_old_names_lead_to_it() -> None:
    made = unite.rename_entity(TREE, "person--ada", "Ada King", DAY, may_edit=by_bot)
    known = graph.load(Overlay(TREE, made.edits))
    for name in ("Ada King", "Ada", "A. L.", "person--ada", "entity:person--ada"):
        assert resolve.resolve_entity(known, name) == "person--ada-king"


def test_a_label_that_gives_the_same_name_moves_nothing() -> None:
    made = unite.rename_entity(TREE, "tool--git", "GIT", DAY, may_edit=by_bot)
    assert list(made.edits) == [f"{FOLDER}tool--git.md"]
    one = entity_notes.parse_entity(text_of(Overlay(TREE, made.edits), made.path), "tool--git")
    assert (one.label, one.aliases) == ("GIT", ())


def test_a_type_moves_the_file() -> None:
    made = unite.rename_entity(TREE, "tool--git", "concept: Git", DAY, may_edit=by_bot)
    assert made.path == f"{FOLDER}concept--git.md"
    assert "type: concept" in text_of(Overlay(TREE, made.edits), made.path)


def test_a_name_that_is_taken_is_no_name() -> None:
    with pytest.raises(errors.Usage, match="there already"):
        unite.rename_entity(TREE, "person--ada", "Ada Lovelace", DAY, may_edit=by_bot)
    with pytest.raises(errors.Usage, match="no name"):
        unite.rename_entity(TREE, "person--ada", "--", DAY, may_edit=by_bot)


def test_entities_become_one() -> None:
    made = unite.merge_entity(TREE, "person--ada-lovelace", "person--ada", DAY, may_edit=by_bot)
    tree = Overlay(TREE, made.edits)
    text = text_of(tree, made.path)
    one = entity_notes.parse_entity(text, "person--ada-lovelace")
    assert (one.id, one.label, one.pinned) == ("person--ada-lovelace", "Ada Lovelace", True)
    assert set(one.aliases) == {"Ada", "A. L.", "person--ada"}
    assert (one.created, one.updated, one.tags) == ("2026-01-01", DAY, ("maths",))
    assert sorted(one.facts) == [
        "Born in London",
        "Worked with Babbage",
        "~~Lives in Paris~~ (until 2026-01-05; now: Lives in Rome)",
    ]
    assert [(edge.word, edge.target) for edge in one.relations] == [("uses", "tool--git")]
    assert "Writes programs." in text
    assert "Wrote the first program." in text
    assert "She wrote many." in text
    assert "nickname: Enchantress" in text
    assert "Countess" not in text
    assert "<<<<" not in text
    assert "[[person--ada-lovelace]] uses it" in text_of(tree, f"{FOLDER}tool--git.md")
    assert tree.entry(f"{FOLDER}person--ada.md") is None


def test_to_merge_an_entity_with_itself_is_refused() -> None:
    with pytest.raises(errors.Usage, match="the same entity"):
        unite.merge_entity(TREE, "tool--git", "tool--git", DAY, may_edit=by_bot)


def test_the_form_in_comments_gets_front_matter() -> None:
    path = f"{FOLDER}person--bo.md"
    old = "# Bo\n<!-- Type: person | Created: 2026-01-01 -->\n\n## Facts\n- tall\n"
    tree = Overlay(TREE, {path: old.encode()})
    made = unite.merge_entity(tree, "person--bo", "person--ada", DAY, may_edit=by_bot)
    one = entity_notes.parse_entity(text_of(Overlay(tree, made.edits), path), "person--bo")
    assert (one.type, one.label, one.created) == ("person", "Bo", "2026-01-01")
    assert "tall" in one.facts
    assert "Born in London" in one.facts


def test_scores_add_up() -> None:
    entries = {
        "entity:person--ada": {"access_count": 3, "last_accessed": "2026-02-01T00:00:00Z"},
        "entity:person--ada-lovelace": {
            "access_count": 2,
            "last_accessed": "2026-01-01T00:00:00Z",
            "pinned": True,
        },
    }
    data = json.dumps({"version": 1, "entries": entries}).encode()
    tree = Overlay(TREE, {paths.SCORES: data})
    made = unite.merge_entity(tree, "person--ada-lovelace", "person--ada", DAY, may_edit=by_bot)
    after = json.loads(made.edits[paths.SCORES] or b"")["entries"]
    assert after == {
        "entity:person--ada-lovelace": {
            "access_count": 5,
            "last_accessed": "2026-02-01T00:00:00Z",
            "pinned": True,
        }
    }


def test_damaged_scores_stop_nothing() -> None:
    tree = Overlay(TREE, {paths.SCORES: b'{"entries": {"entity:tool--git": '})
    made = unite.rename_entity(tree, "tool--git", "Hg", DAY, may_edit=by_bot)
    assert paths.SCORES not in made.edits


def remember(ws: Workspace, text: str, entity: str = "", *relations: str) -> None:
    store = "semantic" if entity else "episodic"
    writing.remember_text(ws, Route(store, text, entity=entity, relations=relations), NOW)


def test_in_a_workspace_it_is_one_commit_each(ws: Workspace) -> None:
    remember(ws, "a version control system", "tool:Git")
    remember(ws, "writes code", "person:Ada", "person--ada uses tool--git")
    remember(ws, "wrote the first program", "person:Ada Lovelace")
    remember(ws, "spoke with [[person--ada]]")
    done = entities.merge_entities(ws, "Ada Lovelace", ["person--ada"], NOW)
    assert done.oid is not None
    assert done.message.startswith("[MERGE] memory/graph/entities/person--ada-lovelace.md")
    renamed = entities.rename_entity(ws, "Git", "Git VCS", NOW)
    assert renamed.message.startswith("[RENAME] memory/graph/entities/tool--git-vcs.md")
    assert renamed.made.left == ()
    found = get.get_passage(ws, "entity:person--ada")
    assert found.path == f"{FOLDER}person--ada-lovelace.md"
    assert "[[tool--git-vcs]]" in found.text
    assert not Path(ws.repo.root, FOLDER, "tool--git.md").exists()
    assert not verify.verify_commits(ws.repo).findings


def test_nothing_is_written_in_a_dry_run(ws: Workspace) -> None:
    remember(ws, "a version control system", "tool:Git")
    done = entities.rename_entity(ws, "Git", "Mercurial", NOW, dry_run=True)
    assert done.oid is None
    assert "renamed to Mercurial" in done.message
    assert Path(ws.repo.root, FOLDER, "tool--git.md").exists()


def test_what_is_meant_must_be_there(ws: Workspace) -> None:
    remember(ws, "a version control system", "tool:Git")
    with pytest.raises(errors.NotFound):
        entities.merge_entities(ws, "Git", ["Mercurial"], NOW)
