"""Core memory by block and bullet: edits, budgets, what goes first, and the warning."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt import errors, tokens
from molt.cli import main
from molt.formats import bullets, ids, paths, times
from molt.formats import core as core_text
from molt.formats.meta import scores as score_file
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.write import core
from molt.memory.write.core import CoreOptions
from molt.repo.history import revisions

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
DAY = 86_400.0
ROOM = CoreOptions(make_room=True)
PLAIN = CoreOptions()
LONG = "the harbour gate opens at nine and the lighthouse keeper wants a call before each visit"


def text_of(ws) -> str:
    return Path(ws.repo.root, paths.CORE).read_text("utf-8")


def add(ws, block: str, line: str, options: CoreOptions = PLAIN):
    return core.edit_core(ws, core.add_bullet(block, line), NOW, options)


def fill(ws, block: str, count: int, start: int = 0) -> list[str]:
    """So many long bullets, added in one go."""
    rows = [f"{number} {LONG}" for number in range(start, start + count)]
    known = [one.text for one in bullets.bullets(text_of(ws), block)]
    core.edit_core(ws, core.set_block(block, (*known, *rows)), NOW, PLAIN)
    return [ids.bullet(block, row) for row in rows]


def score(ws, used: dict[str, int]) -> None:
    """Say by hand how many days ago bullets were used last."""
    entries = {
        name: {
            "base_relevance": 0.7,
            "type_weight": 1.5,
            "access_count": 1,
            "last_accessed": times.render_time(NOW.timestamp() - days * DAY),
        }
        for name, days in used.items()
    }
    text = score_file.render_scores({"version": 1, "entries": entries})
    Path(ws.repo.root, paths.SCORES).write_text(text)
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "used")


def test_a_bullet_is_added_replaced_and_removed(ws) -> None:
    added = add(ws, "identity", "Ada  Lovelace").made.added
    assert added == (ids.bullet("Identity", "Ada Lovelace"),)
    core.edit_core(ws, core.set_block(added[0], ["Ada King"]), NOW, PLAIN)
    assert [one.text for one in bullets.bullets(text_of(ws), "Identity")] == ["Ada King"]
    done = core.edit_core(ws, core.remove_bullet("ada k"), NOW, PLAIN)
    assert done.made.removed == (ids.bullet("Identity", "Ada King"),)
    assert bullets.core_bullets(text_of(ws)) == ()
    assert "<!-- ~500 tokens" in text_of(ws)


def test_a_block_is_set_and_keeps_its_comment(ws) -> None:
    add(ws, "Persona", "old")
    done = core.edit_core(ws, core.set_block("core:persona", ["short", "kind"]), NOW, PLAIN)
    assert [one.text for one in bullets.bullets(text_of(ws), "Persona")] == ["short", "kind"]
    assert done.made.removed == (ids.bullet("Persona", "old"),)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        pytest.param(core.add_bullet("Cellar", "x"), errors.Usage, id="block"),
        pytest.param(core.remove_bullet("nothing"), errors.NotFound, id="none"),
        pytest.param(core.remove_bullet("harbour"), errors.NeedsAnswer, id="several"),
    ],
)
def test_what_means_no_one_bullet_is_refused(ws, asked, error) -> None:
    fill(ws, "Persona", 2)
    before = text_of(ws)
    with pytest.raises(error):
        core.edit_core(ws, asked, NOW, PLAIN)
    assert text_of(ws) == before


def test_who_is_to_choose_a_bullet_sees_all_that_may_be_meant(ws) -> None:
    added = [add(ws, "Persona", f"harbour {number}").made.added[0] for number in range(9)]
    with pytest.raises(errors.NeedsAnswer) as told:
        core.edit_core(ws, core.remove_bullet("harbour"), NOW, PLAIN)
    rows = [f"{one}  harbour {number}" for number, one in enumerate(added)]
    assert told.value.hint.split("\n")[1:] == rows


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        (core.remove_bullet("persona"), "`molt core remove ID` takes out one of its bullets"),
        (core.set_block("Personas", ["kind"]), "the blocks are Identity, Active Context, Persona"),
    ],
)
def test_what_names_a_block_or_nearly_is_told_the_way_on(ws, asked, hint: str) -> None:
    add(ws, "Persona", "harbour")
    with pytest.raises(errors.NotFound) as told:
        core.edit_core(ws, asked, NOW, PLAIN)
    assert hint in str(told.value.hint)


def test_an_empty_bullet_is_none() -> None:
    with pytest.raises(errors.Usage):
        core.add_bullet("Identity", " \n")


def test_blocks_tell_their_budgets_and_bullets(ws) -> None:
    add(ws, "Critical Facts", "allergic to nuts")
    add(ws, "Active Context", "the move to Porto")
    found = core.read_core(ws, NOW.timestamp())
    assert [(one.title, one.budget) for one in found.blocks] == [
        *(("Identity", 500), ("Active Context", 1000)),
        *(("Persona", 500), ("Critical Facts", 1000)),
    ]
    shown = {item.text: item.pinned for one in found.blocks for item in one.items}
    assert shown == {"the move to Porto": False, "allergic to nuts": True}
    assert found.tokens == tokens.count_tokens(text_of(ws))


def test_what_does_not_fit_is_refused_with_what_would_go(ws) -> None:
    known = fill(ws, "Active Context", 130)
    score(ws, dict.fromkeys(known, 3) | {known[77]: 60})
    before = ws.repo.tip()
    with pytest.raises(errors.Refused) as refused:
        add(ws, "Identity", " ".join(["harbour"] * 250))
    assert f"`--make-room` moves the least relevant to the graph: {known[77]}" in refused.value.hint
    assert ws.repo.tip() == before


def test_room_is_made_from_the_least_relevant_in_the_same_commit(ws) -> None:
    known = fill(ws, "Active Context", 130)
    score(ws, dict.fromkeys(known, 3) | {known[77]: 60, known[12]: 40})
    before = ws.repo.tip()
    done = add(ws, "Identity", " ".join(["harbour"] * 200), ROOM)
    assert [old for old, _ in done.made.moved][:2] == [known[77], known[12]]
    assert {new for _, new in done.made.moved} == {"entity:concept--active-context"}
    note = Path(ws.repo.root, paths.ENTITIES, "concept--active-context.md").read_text("utf-8")
    assert f"- 77 {LONG} (source: {known[77]})" in note
    assert tokens.count_tokens(text_of(ws)) <= ws.config.core_cap
    assert ws.repo.run("rev-list", "--count", f"{before}..HEAD").strip() == "1"


def test_a_moved_bullet_goes_to_the_entity_that_it_names(ws) -> None:
    path = Path(ws.repo.root, paths.ENTITIES, "place--harbour-gate.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\nid: place--harbour-gate\ntype: place\nlabel: Harbour Gate\n---\n# x\n")
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "a place")
    fill(ws, "Active Context", 130)
    done = add(ws, "Identity", " ".join(["word"] * 200), ROOM)
    assert {new for _, new in done.made.moved} == {"entity:place--harbour-gate"}


def test_critical_facts_are_never_moved(ws) -> None:
    fill(ws, "Critical Facts", 130)
    with pytest.raises(errors.Refused, match="over its cap"):
        add(ws, "Identity", " ".join(["harbour"] * 400), ROOM)


def test_the_warning_names_the_block_that_grew(ws) -> None:
    assert add(ws, "Persona", "kind").made.warning == ""
    fill(ws, "Critical Facts", 100)
    done = add(ws, "Active Context", " ".join(["harbour"] * 300))
    assert "Active Context grew to" in done.made.warning
    assert "of its 1,000" in done.made.warning
    assert "Critical Facts" in core.read_core(ws, NOW.timestamp()).warning


def test_a_dry_run_shows_the_commit_and_changes_nothing(ws) -> None:
    before = (ws.repo.tip(), text_of(ws))
    done = add(ws, "Identity", "Ada", CoreOptions(dry_run=True))
    assert done.message.startswith(
        "[EDIT] MEMORY.md — identity: Ada".replace("identity", "Identity")
    )
    assert (ws.repo.tip(), text_of(ws)) == before


def test_what_is_written_holds_at_every_door(ws) -> None:
    for actor in ("bot:main", "manual"):
        mine = workspace.find(ws.repo.root, actor)
        add(mine, "Active Context", f"by {actor}")
    report = verify.judge_range(ws.repo, revisions.resolve_range(ws.repo, []))
    assert report.errors == ()


@pytest.mark.parametrize(
    ("row", "budget"),
    [
        pytest.param("<!-- ~1,000 tokens — what matters -->", 1000, id="seed"),
        pytest.param("<!-- 750 tokens -->", 750, id="bare"),
        pytest.param("<!-- about time -->", 0, id="words"),
        pytest.param("- 20 tokens", 0, id="bullet"),
        pytest.param("<!-- 99999999999999999999 tokens -->", 0, id="huge"),
    ],
)
def test_a_budget_is_read_from_the_comment(row: str, budget: int) -> None:
    (block,) = core_text.parse_blocks(f"# M\n\n## Identity\n{row}\n- a\n")
    assert block.budget == budget


def test_the_command_shows_and_edits(ws, capsys) -> None:
    at = ("--workspace", ws.repo.root)
    assert main(["core", "add", "Active Context", "the move to Porto", "--json", *at]) == 0
    (added,) = json.loads(capsys.readouterr().out)["added"]
    assert main(["core", "show", "active context", *at]) == 0
    assert f"{added}  1.00 active  the move to Porto" in capsys.readouterr().out
    assert main(["core", "set", "Persona", "short", "kind", *at]) == 0
    assert main(["core", "remove", added, *at]) == 0
    assert main(["core", "show", "cellar", *at]) == 4
    assert "porto" not in text_of(ws).lower()


def test_status_warns_of_a_core_that_is_nearly_full(ws, capsys) -> None:
    fill(ws, "Critical Facts", 130)
    assert main(["status", "--json", "--workspace", ws.repo.root]) == 0
    told = json.loads(capsys.readouterr().out)["core"]
    assert told["tokens"] > told["cap"] * 0.8
    assert "Critical Facts grew to" in told["warning"]
