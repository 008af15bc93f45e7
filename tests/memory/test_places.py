"""More folders to search, named by a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import config, errors
from molt.memory import workspace
from molt.memory.search import places, search

NOTE = "# Kiln\n\nIt is fired with beech wood.\n"


@pytest.fixture
def mine(ws):
    full = Path(ws.repo.root, "skills/kiln.md")
    full.parent.mkdir()
    full.write_text(NOTE)
    return workspace.find(ws.repo.root, "manual")


def settings(mine) -> tuple[str, ...]:
    return workspace.find(mine.repo.root).config.search_extra_paths


def test_a_folder_is_searched_from_then_on(mine) -> None:
    done = places.add_places(mine, ["skills/", "./skills"])
    assert done.made == settings(mine) == ("skills",)
    (one,) = search.search(workspace.find(mine.repo.root), "beech wood").results
    assert (one.path, one.source) == ("skills/kiln.md", "extra")
    again = places.add_places(mine, ["skills"])
    assert (again.made, again.oid) == ((), None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("core:\n  cap: 9\n", "core:\n  cap: 9\nsearch:\n  extra_paths: [skills]\n"),
        ("search:\n  limit: 3\n", "search:\n  extra_paths: [skills]\n  limit: 3\n"),
        ("search:\n  extra_paths: [a]\n", "search:\n  extra_paths: [a, skills]\n"),
        ("search:\n  extra_paths:\n  - a\n", "search:\n  extra_paths:\n  - a\n  - skills\n"),
        ("search:\r\n  limit: 3\r\n", "search:\r\n  extra_paths: [skills]\r\n  limit: 3\r\n"),
    ],
    ids=["no section", "no key", "a list", "rows", "other ends"],
)
def test_all_else_stays_as_it_is(mine, before: str, after: str) -> None:
    assert (
        places._edit(before, (*config.parse(before)[0].search_extra_paths, "skills"), ("skills",))
        == after
    )


def test_what_cannot_be_edited_is_told_how(mine, git) -> None:
    Path(mine.repo.root, "molt.yaml").write_text("search: {limit: 5}\n")
    git(mine.repo.root, "commit", "-qam", "[EDIT] molt.yaml — less", "-m", "Actor: manual")
    with pytest.raises(errors.Failed) as caught:
        places.add_places(mine, ["skills"])
    assert "extra_paths: [skills]" in caught.value.hint


def test_names_that_yaml_reads_otherwise_are_quoted(mine) -> None:
    names = ("2024", "yes", "a, b", "#x", "日記")
    for name in names:
        Path(mine.repo.root, name).mkdir()
        Path(mine.repo.root, name, "a.md").write_text(NOTE)
    places.add_places(mine, names)
    assert settings(mine) == names


def test_a_folder_without_notes_and_a_bot_are_refused(mine) -> None:
    with pytest.raises(errors.NotFound):
        places.add_places(mine, ["nowhere"])
    with pytest.raises(errors.Refused):
        places.add_places(mine.replace(named="bot:x"), ["skills"])


def test_a_place_outside_waits_for_consent(mine, tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "else/a.md").write_text(NOTE)
    places.add_places(mine, [str(tmp_path / "else")])
    found = workspace.find(mine.repo.root)
    assert [one.name for one in found.missing] == ["extra_paths"]
    assert search.search(found, "beech wood").results == ()
