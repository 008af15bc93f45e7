"""Notes in prose as what a reflection reads, and as evidence."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from molt import errors
from molt.cli import main
from molt.formats.prose import notes
from molt.formats.reflections.plan import Operation
from molt.memory.answers import get
from molt.memory.reflect import draft
from molt.memory.reflect import quotes as evidence
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve
from molt.memory.reflect.decisions.approve import ApprovalChoice
from molt.memory.reflect.material import material, notebook
from molt.memory.reflect.schedule import due
from molt.memory.workspace import Workspace

from .conftest import NOW, commit_files

PATH = "memory/2026-01-20.md"
NOTE = """# 2026-01-20

## Decisions
- The harbour project uses SQLite for its tide tables

## Lessons learned
- Always lower the mast before the bridge
"""
LATER = datetime(2026, 2, 4, 3, tzinfo=UTC)


def name(text: str, path: str = PATH) -> str:
    return notes.name_piece(path, text)


SQLITE = name("The harbour project uses SQLite for its tide tables")


def read(ws: Workspace) -> notebook.NoteWindow:
    return material.read_material(ws, "2026-02-03", NOW.timestamp()).notes


def reflect(ws: Workspace, when: datetime = NOW) -> branch.KnownReflection | None:
    """A night whose plan quotes all that is new in the notes."""
    rows = [
        {"block": "Active Context", "text": one.text, "evidence": [one.id]}
        for one in read(ws).pieces
    ]
    operations = [{"op": "rewrite-core", "add": rows}] if rows else []
    plan = json.dumps({"operations": operations})
    made = draft.draft_reflection(ws, when.strftime("%Y-%m-%d"), when.timestamp(), plan=plan)
    return branch.write_branch(ws, made, when)


def take(ws: Workspace, found: branch.KnownReflection | None) -> None:
    assert found is not None
    approve.approve_reflection(ws, found.id, ApprovalChoice(), NOW)


def test_notes_are_read_and_become_proposals(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    made = reflect(ws)
    assert made is not None
    named = {memory for item in made.record.items for memory in item.evidence}
    assert name("Always lower the mast before the bridge") in named
    assert "1 daily note" in made.record.summary.intro


def test_without_a_model_notes_are_left_to_one(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), engine="rules")
    assert made.operations == ()
    assert "notes" not in dict(made.fields)
    assert made.material.notes.pieces == ()


def test_what_was_read_is_not_read_again(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    take(ws, reflect(ws))
    assert read(ws).pieces == ()
    assert reflect(ws, LATER) is None


def test_of_a_note_that_has_grown_only_what_is_new_is_read(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    take(ws, reflect(ws))
    commit_files(ws, {PATH: f"{NOTE}- Never sail without a chart of the shoals\n"})
    assert [one.text for one in read(ws).pieces] == ["Never sail without a chart of the shoals"]


def test_older_notes_wait_for_the_next_reflection(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "NOTES", 2)
    days = [f"memory/2026-01-1{day}.md" for day in range(5)]
    said = ("gulls", "masts", "ropes", "sails", "tides")
    commit_files(
        ws,
        {
            path: f"## Lessons learned\n- Never trust {word} in the harbour after a storm\n"
            for path, word in zip(days, said, strict=True)
        },
    )
    first = read(ws)
    assert ([path for path, _ in first.read], first.left) == ([days[4], days[3]], 3)
    made = reflect(ws)
    assert made is not None
    assert "Of 5 daily notes 2 are read now" in made.record.summary.intro
    take(ws, made)
    assert [path for path, _ in read(ws).read] == [days[2], days[1]]


@pytest.mark.parametrize(
    "text",
    [
        "# Session\n\n- **Session Key**: agent:main\n\n- The user always wants tea\n",
        "---\nscope: private\n---\n## Decisions\n- The harbour uses SQLite for tables\n",
        "---\norigin: web\n---\n## Decisions\n- The harbour uses SQLite for tables\n",
        "## Log\n" + "".join(f"2026-01-25 10:00:0{at} the user likes tea\n" for at in range(9)),
    ],
    ids=["dump", "private", "outside", "log"],
)
def test_what_nobody_chose_or_not_all_may_see_is_not_read(ws: Workspace, text: str) -> None:
    commit_files(ws, {"memory/2026-01-25.md": text})
    assert read(ws).pieces == ()


def test_a_line_of_many_notes_is_routine(ws: Workspace) -> None:
    days = {
        f"memory/2026-01-1{day}.md": f"- Checked {day} mails, all is well\n" for day in range(4)
    }
    commit_files(ws, {**days, PATH: NOTE})
    assert {one.path for one in read(ws).pieces} == {PATH}


def check(ws: Workspace, fact: str, memory: str = SQLITE) -> str:
    read_ = material.read_material(ws, "2026-02-03", NOW.timestamp())
    args = {"entity": "project:Harbour project", "fact": fact}
    found = evidence.check_operations(read_, [Operation("add-fact", args, (memory,))])
    return found.dropped[0][1] if found.dropped else ""


def test_a_piece_of_a_note_is_evidence(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    assert check(ws, "uses SQLite for its tide tables") == ""
    assert "Postgres" in check(ws, "uses Postgres for its tide tables")


def test_an_edited_note_says_no_longer_what_it_said(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE.replace("SQLite", "DuckDB")})
    assert "edited since" in check(ws, "uses SQLite for its tide tables")
    assert "there is no memory" in check(ws, "uses SQLite", name("SQLite", "memory/none.md"))


def test_evidence_of_a_private_note_is_not_told_to_all(ws: Workspace) -> None:
    commit_files(ws, {PATH: f"---\nscope: private\n---\n{NOTE}"})
    assert "alone" in check(ws, "uses SQLite for its tide tables")


def test_the_sections_of_notes_count_for_the_threshold(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    few = ws.replace(config=ws.config.replace(reflection_threshold=3))
    assert due.find_due(few).is_due
    made = reflect(ws)
    take(ws, made)
    assert due.find_due(few).fresh == 0


def test_get_gives_the_lines_of_a_piece(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    found = get.get_passage(ws, SQLITE)
    assert (found.path, found.start, found.end) == (PATH, 4, 4)
    commit_files(ws, {PATH: NOTE.replace("SQLite", "DuckDB")})
    with pytest.raises(errors.NotFound, match="edited since"):
        get.get_passage(ws, SQLITE)


def test_why_tells_who_wrote_a_piece_and_what_rests_on_it(
    ws: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_files(ws, {PATH: NOTE}, "written")
    take(ws, reflect(ws))
    commit_files(ws, {PATH: NOTE.replace("SQLite", "DuckDB")}, "mended")
    monkeypatch.chdir(ws.repo.root)
    capsys.readouterr()
    assert main(["why", SQLITE]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "written" in said[0]
    assert any("MEMORY.md" in row for row in said[1:-1])
    assert "mended" in said[-1]


def test_a_plan_may_cite_a_line_of_a_note(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    text = (
        '{"operations": [{"op": "add-fact", "entity": "project:Harbour project",'
        ' "fact": "uses SQLite for its tide tables", "evidence": ["2026-01-20#L4"]}]}'
    )
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=text)
    assert made.operations[0].evidence == (SQLITE,)


def test_the_brief_shows_new_lines_with_their_ids(ws: Workspace) -> None:
    commit_files(ws, {PATH: NOTE})
    told = draft.brief_reflection(ws, "2026-02-03", NOW.timestamp()).material
    assert f"[{SQLITE}] The harbour project uses SQLite" in told
    assert "### 2026-01-20 2026-01-20 > Decisions" in told


def test_what_a_brief_has_no_room_for_does_not_count_as_read(ws: Workspace) -> None:
    words = "gull-mast-rope-sail-tide-boat-lamp-crab"
    days = {
        f"memory/2026-01-{day:02}.md": "".join(f"- {words} {day} {at}x{at}\n" for at in range(120))
        for day in range(1, 13)
    }
    commit_files(ws, dict(days))
    told = draft.brief_reflection(ws, "2026-02-03", NOW.timestamp()).material
    assert "further lines" not in told
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan='{"operations": []}')
    assert 0 < len(made.material.notes.read) < len(days)
    assert len(material.read_material(ws, "2026-02-03", 0.0, skipped=()).notes.read) == len(days)
