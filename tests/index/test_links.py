"""The graph in the index: what a text names, and what a search makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from molt import trees
from molt.index import db as dbs
from molt.index.fill import sync
from molt.index.search import candidates, entities
from molt.index.search.entities import EdgeRow
from molt.index.search.filters import Filters

FOLDER = "memory/graph/entities/"


def entity(stem: str, label: str, *edges: str, aliases: str = "", fact: str = "") -> bytes:
    front = f"---\nid: {stem}\ntype: {stem.partition('--')[0]}\nlabel: {label}\n"
    rows = "".join(f"- {edge}\n" for edge in edges)
    text = f"{front}aliases: [{aliases}]\n---\n# {label}\n\n## Facts\n- {fact or label}\n"
    return f"{text}\n## Relations\n{rows}".encode()


FILES = {
    f"{FOLDER}{stem}.md": entity(stem, *more, aliases=aliases)
    for stem, aliases, *more in (
        ("concept--oauth2", "", "OAuth2"),
        ("concept--oauth2-pkce", "proof key", "OAuth2 PKCE"),
        ("person--ada", "", "Ada", "develops [[project--molt]] (since: 2026-01-15)"),
        ("person--xiaoming", "小明", "Xiao Ming"),
        ("person--it", "", "It"),
        ("project--molt", "", "Molt", "uses [[tool--git]]", "chose [[concept--oauth2-pkce]]"),
        ("tool--git", "", "Git", "part-of [[tool--gone]]"),
    )
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[dbs.Db]:
    made = dbs.open(str(tmp_path / "i.sqlite"), "none:0")
    sync.freshen(made, sync.Source(trees.DictTree(FILES)), budget_ms=0, provider=None)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        pytest.param("what did Ada do?", ["person--ada"], id="label"),
        pytest.param("ada's gate, and git.", ["person--ada", "tool--git"], id="two"),
        pytest.param("is a Proof Key safe", ["concept--oauth2-pkce"], id="alias"),
        pytest.param("entity:tool--git", ["tool--git"], id="id"),
        pytest.param("why OAuth2 PKCE?", ["concept--oauth2-pkce"], id="the longer name"),
        pytest.param("why OAuth2?", ["concept--oauth2"], id="the shorter name"),
        pytest.param("你对小明了解多少", ["person--xiaoming"], id="no spaces"),
        pytest.param("is it so?", [], id="a word that says nothing"),
        pytest.param("the gate — ", [], id="none"),
        pytest.param("", [], id="empty"),
    ],
)
def test_a_text_names_entities(index: dbs.Db, text: str, stems: list[str]) -> None:
    assert list(entities.find_mentioned(index, text)) == stems


def test_relations_of_both_directions_lead_to_what_is_there(index: dbs.Db) -> None:
    assert entities.edges_of(index, ["project--molt"]) == [
        EdgeRow("project--molt", "uses", "tool--git", ""),
        EdgeRow("project--molt", "chose", "concept--oauth2-pkce", ""),
        EdgeRow("person--ada", "develops", "project--molt", "since: 2026-01-15"),
    ]
    assert [edge.source for edge in entities.edges_of(index, ["tool--git"])] == ["project--molt"]


def test_a_file_that_goes_takes_its_names_along(index: dbs.Db) -> None:
    left = {path: data for path, data in FILES.items() if "molt" not in path}
    sync.freshen(index, sync.Source(trees.DictTree(left)), budget_ms=0, provider=None)
    assert entities.find_mentioned(index, "Molt") == ()
    assert entities.edges_of(index, ["person--ada", "tool--git"]) == []


def test_a_file_below_a_folder_of_entities_is_none(tmp_path: Path) -> None:
    made = dbs.open(str(tmp_path / "other.sqlite"), "none:0")
    tree = trees.DictTree({f"{FOLDER}old/person--ada.md": entity("person--ada", "Ada")})
    sync.freshen(made, sync.Source(tree), budget_ms=0, provider=None)
    assert entities.find_mentioned(made, "Ada") == ()
    made.close()


def test_a_search_lifts_what_it_names_and_what_is_related_to_that(index: dbs.Db) -> None:
    found = {one.memory_id: one for one in candidates.find_candidates(index, "Molt gate", limit=20)}
    graph = {name.partition(":")[2]: one.graph for name, one in found.items()}
    assert graph == {
        "project--molt": 1.0,
        "tool--git": 0.5,
        "person--ada": 0.5,
        "concept--oauth2-pkce": 0.5,
    }
    assert max(found.values(), key=lambda one: one.score).memory_id == "entity:project--molt"


def test_what_the_graph_adds_passes_the_filters(index: dbs.Db) -> None:
    only = Filters(path=f"{FOLDER}tool--")
    found = candidates.find_candidates(index, "Molt gate", limit=20, filters=only)
    assert [one.memory_id for one in found] in ([], ["entity:tool--git"])


def test_without_a_name_the_graph_adds_nothing(index: dbs.Db) -> None:
    found = candidates.find_candidates(index, "develops", limit=20)
    assert {one.graph for one in found} == {0.0}
