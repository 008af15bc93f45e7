"""Decay in a search: what is seen, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.cli import main
from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.memory import workspace
from molt.memory.search import search
from molt.memory.search.visible import Sight

NOW = 1_770_000_000.0
DAY = 86_400.0
AGES = {"new": 0, "fading": 30, "dormant": 70, "archived": 200}


def filled(ws: workspace.Workspace, ages: dict[str, int], text: str = "harbour gate") -> None:
    """One entity for each age, all with the same words, committed by a person."""
    entries = {}
    root = Path(ws.repo.root)
    folder = root / "memory/graph/entities"
    folder.mkdir(parents=True, exist_ok=True)
    for name, days in ages.items():
        stem = f"concept--{name}"
        front = f"---\nid: {stem}\ntype: concept\nlabel: {name}\n---\n"
        (folder / f"{stem}.md").write_text(f"{front}# {name}\n\n## Facts\n- {text}\n")
        entries[f"entity:{stem}"] = {
            "base_relevance": 1.0,
            "type_weight": 1.0,
            "access_count": 1,
            "last_accessed": times.render_time(NOW - days * DAY),
        }
    scores = score_file.render_scores({"version": 1, "entries": entries})
    (root / "memory/meta/decay-scores.json").write_text(scores)
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "many")


def names(ws: workspace.Workspace, sight: Sight | None) -> list[str]:
    found = search.search(ws, "harbour gate", search.SearchOptions(sight=sight)).results
    return [one.id.rpartition("--")[2] for one in found]


@pytest.mark.parametrize(
    ("sight", "seen"),
    [
        pytest.param(Sight(NOW), ["new", "fading"], id="plain"),
        pytest.param(Sight(NOW, dormant=True), ["new", "fading", "dormant"], id="all"),
        pytest.param(Sight(NOW, archived=True), list(AGES), id="archived"),
        pytest.param(
            Sight(NOW - 30 * DAY), ["new", "fading", "dormant", "archived"][:3], id="then"
        ),
        pytest.param(Sight(NOW + 400 * DAY), [], id="much later"),
    ],
)
def test_a_search_sees_what_has_not_faded_out_of_sight(ws, sight, seen) -> None:
    filled(ws, AGES)
    assert names(ws, sight) == seen


def test_without_a_time_nothing_has_faded(ws) -> None:
    filled(ws, AGES)
    assert sorted(names(ws, None)) == sorted(AGES)


def test_the_dormant_are_found_where_nothing_else_is(ws) -> None:
    filled(ws, {"dormant": 70, "archived": 200})
    assert names(ws, Sight(NOW)) == ["dormant"]


def test_the_factor_is_told_and_is_in_the_score(ws) -> None:
    filled(ws, AGES)
    plain = {one.id: one.score for one in search.search(ws, "harbour gate").results}
    for one in search.search(
        ws, "harbour gate", search.SearchOptions(sight=Sight(NOW, archived=True))
    ).results:
        assert one.score == pytest.approx(plain[one.id] * one.signals["decay"])
        assert (one.signals["decay"] == 1.0) == one.id.endswith("new")


def test_old_memories_that_were_just_imported_are_at_full_rank(ws) -> None:
    path = Path(ws.repo.root, "memory/episodes/2019-05-01.md")
    path.parent.mkdir(parents=True)
    path.write_text(
        "# 2019-05-01 — Episode Log\n\n## 10:00 | fact | confidence:high | tags:[a]\n"
        "the harbour gate opens at nine\n"
    )
    (found,) = search.search(ws, "harbour gate", search.SearchOptions(sight=Sight(NOW))).results
    assert (found.id, found.signals["decay"]) == ("episode:2019-05-01:10:00", 1.0)


def test_prose_does_not_fade(ws) -> None:
    Path(ws.repo.root, "memory/notes.md").write_text("the harbour gate\n")
    filled(ws, {"archived": 200})
    assert [
        one.path
        for one in search.search(ws, "harbour gate", search.SearchOptions(sight=Sight(NOW))).results
    ] == ["memory/notes.md"]


def test_the_command_looks_from_now(ws, capsys) -> None:
    filled(ws, {"long-ago": 40_000})
    at = ("--workspace", ws.repo.root)
    assert main(["search", "harbour gate", *at]) == 0
    assert "long-ago" not in capsys.readouterr().out
    for flag, seen in (("--all", False), ("--archived", True)):
        main(["search", "harbour gate", flag, *at])
        assert ("long-ago" in capsys.readouterr().out) is seen
