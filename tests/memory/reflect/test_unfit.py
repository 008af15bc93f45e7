"""What was forgotten, and what is a secret, does not stop a night and is not told again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from molt.formats.prose import notes
from molt.formats.reflections import record
from molt.formats.reflections.record import ReflectionItem
from molt.memory import workspace
from molt.memory.forget import forget
from molt.memory.forget.matches import Wanted
from molt.memory.reflect import draft
from molt.memory.reflect.branches import branch
from molt.memory.reflect.branches.branch import KnownReflection
from molt.memory.reflect.material.material import read_material
from molt.memory.workspace import Workspace
from molt.memory.write import remember
from molt.memory.write import route as routing

from .conftest import ENTRY, NOW, commit_files

SAID = "My locker code is 4711."
NOTE = "memory/2026-01-20.md"
KEY = "sk-proj-" + "Zx81kQ0vTn4LmW7yRb2Jc9Hd5Fg3Se6Ua0Po8Iq4Kd"


@pytest.fixture
def buried(ws: Workspace) -> Workspace:
    """A workspace in which something was said, and forgotten."""
    mine = workspace.find(ws.repo.root, "manual")
    remember.remember_text(mine, routing.route_text(SAID, store="episodic"), NOW)
    forget.forget_matches(mine, Wanted("locker code"), NOW, forget.ForgetOptions())
    return ws


def reflect(ws: Workspace, operations: Sequence[Mapping[str, object]]) -> KnownReflection:
    plan = json.dumps({"operations": operations})
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=plan)
    found = branch.write_branch(ws, made, NOW)
    assert found is not None
    return found


def read_args(item: ReflectionItem) -> dict[str, Any]:
    args = dict(item.more)["args"]
    assert isinstance(args, dict)
    return args


def test_a_bullet_that_was_forgotten_leaves_the_other_ones(buried: Workspace) -> None:
    rows = [
        {"block": "Identity", "text": text, "evidence": [ENTRY]}
        for text in ("Alex moved to Rome", "the locker code is 4711")
    ]
    found = reflect(buried, [{"op": "rewrite-core", "add": rows}])
    (item,) = found.record.items
    assert [row["text"] for row in read_args(item)["add"]] == ["Alex moved to Rome"]
    assert "4711" not in found.text
    assert "forgotten on 2026-02-03" in found.text


def test_a_fact_that_was_forgotten_leaves_the_other_ones(buried: Workspace) -> None:
    facts = ["uses git", "the locker code is 4711"]
    one = {"op": "upsert-entity", "entity": "person--alex", "facts": facts, "evidence": [ENTRY]}
    found = reflect(buried, [one])
    assert read_args(found.record.items[0])["facts"] == ["uses git"]


def test_a_question_that_was_forgotten_goes_whole(buried: Workspace) -> None:
    asked = {"op": "question", "text": "Is the locker code 4711?", "evidence": [ENTRY]}
    kept = {"op": "add-fact", "entity": "person--alex", "fact": "uses git", "evidence": [ENTRY]}
    found = reflect(buried, [asked, kept])
    assert [item.op for item in found.record.items] == ["add-fact"]
    assert "4711" not in found.text


@pytest.mark.parametrize("said", ["The locker code is 4711", f"The API key is {KEY}"])
def test_a_note_that_says_it_is_read_without_that_line(buried: Workspace, said: str) -> None:
    path = f"{buried.repo.root}/{NOTE}"
    lesson = "Always lower the mast before the bridge"
    text = f"## Lessons learned\n- {lesson}\n- Never forget that: {said}\n"
    commit_note(buried, path, text)
    pieces = read_material(buried, "2026-02-03", NOW.timestamp()).notes.pieces
    assert [one.text for one in pieces] == [lesson]


def commit_note(ws: Workspace, path: str, text: str) -> None:
    """Commit a note as it stands, whatever the hooks would say of it."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    ws.repo.git("add", path).require()
    ws.repo.git("commit", "-q", "--no-verify", "-m", "[CREATE] memory/* — note").require()


def test_the_words_that_a_proposal_is_from_are_not_quoted_then(ws: Workspace) -> None:
    text = f"The harbour project uses SQLite, and its key is {KEY}"
    commit_note(ws, f"{ws.repo.root}/{NOTE}", f"- {text}\n")
    one = {
        "op": "add-fact",
        "entity": "project:Harbour project",
        "fact": "uses SQLite",
        "evidence": [notes.name_piece(NOTE, text)],
    }
    found = reflect(ws, [one])
    assert KEY not in found.text
    assert "uses SQLite" in record.render_record(found.record)
    commit_files(ws, {"memory/2026-01-21.md": "- Rain\n"})
