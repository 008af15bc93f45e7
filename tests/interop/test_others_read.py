"""What molt writes is read by the libraries that others read it with."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import frontmatter
import pygit2
from hypothesis import given
from hypothesis import strategies as st

from molt.cli import main
from molt.formats import entity as entity_notes
from molt.formats import procedure as procedure_notes
from molt.formats.entity import Entity
from molt.formats.procedure import Procedure

LINE = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


def said(*args: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(list(args)) in (0, None)
    return out.getvalue()


def test_libgit2_reads_every_object_and_entry_that_a_write_leaves(tmp_path: Path) -> None:
    root = str(tmp_path / "agent")
    said("init", root)
    said("--workspace", root, "remember", "用户住在里斯本。", "--tag", "home")
    said("--workspace", root, "remember", "The user speaks Portuguese", "--entity", "person:Ada")
    repo = pygit2.Repository(root)
    assert repo.status() == {}
    head = repo.head.peel(pygit2.Commit)
    assert [len(commit.parents) for commit in repo.walk(head.id)] == [1, 1, 0]
    assert all(isinstance(repo[oid], pygit2.Object) for oid in repo)
    entity = head.tree["memory/graph/entities/person--ada.md"]
    assert isinstance(entity, pygit2.Blob)
    assert "The user speaks Portuguese" in entity.data.decode()
    repo.index.read()
    assert repo.index.write_tree() == head.tree.id


@given(LINE, st.lists(LINE, max_size=3, unique=True), st.booleans())
def test_the_front_matter_of_an_entity_is_yaml_to_others(
    label: str, aliases: list[str], pinned: bool
) -> None:
    entity = Entity(
        id="person--ada",
        type="person",
        label=label,
        aliases=tuple(aliases),
        created="2026-02-01",
        updated="2026-02-02",
        pinned=pinned,
    )
    read = frontmatter.loads(entity_notes.render_entity(entity))
    assert read["label"] == label
    assert read.get("aliases", []) == aliases
    assert bool(read.get("pinned")) is pinned
    assert str(read["updated"]) == "2026-02-02"


@given(LINE, LINE)
def test_the_front_matter_of_a_procedure_is_yaml_to_others(title: str, trigger: str) -> None:
    procedure = Procedure(id="procedure:deploy", label=title, trigger=trigger)
    read = frontmatter.loads(procedure_notes.render_procedure(procedure))
    assert (read["label"], read["type"]) == (title, "procedure")
