"""A person answers what a reflection asked; a bot does not."""

from __future__ import annotations

import pytest

from molt import errors, trees
from molt.formats.reflections import record
from molt.memory import workspace
from molt.memory.reflect import meta
from molt.memory.reflect.decisions import answer, approve
from molt.memory.reflect.material import material
from molt.memory.workspace import Workspace

from .conftest import NOW, Propose


def read_episodes(ws: Workspace) -> str:
    return trees.read_text(ws.head(), "memory/episodes/2026-02-03.md")


def test_an_answer_before_the_decision_is_an_episode(ws: Workspace, propose: Propose) -> None:
    propose()
    done = answer.answer_question(ws, "6", "Yes,  they are one", NOW)
    assert done.made.ref == "r-001#6"
    assert "Is Lexi Alex? Yes, they are one\n" in read_episodes(ws)
    assert "source:user-explicit | origin:user | answers:r-001#6" in read_episodes(ws)
    assert answer.list_questions(ws) == ()
    approve.approve_reflection(ws, "r-001", approve.ALL, NOW)
    read = material.read_material(ws, "2026-02-04", NOW.timestamp())
    assert meta.review_past(read).open_questions == ()
    assert done.made.memory in [one.id for one in read.fresh]


def test_an_answer_after_the_approval_stands_in_the_record_too(
    ws: Workspace, propose: Propose
) -> None:
    propose()
    approve.approve_reflection(ws, "r-001", approve.ALL, NOW)
    assert [one.ref for one in answer.list_questions(ws)] == ["r-001#6"]
    done = answer.answer_question(ws, "r-001#6", "No", NOW)
    text = trees.read_text(ws.head(), record.record_path("r-001"))
    assert dict(record.parse_record(text).items[5].more)["answer"] == "No"
    changed = ws.repo.run("show", "--format=", "--name-only", done.oid or "").split()
    assert {"memory/episodes/2026-02-03.md", "memory/meta/reflections/r-001.md"} <= set(changed)
    assert answer.list_questions(ws) == ()


@pytest.mark.parametrize("name", ["r-001#5", "99", "r-009#1", "the flat", "r-001#", "#"])
def test_what_was_not_asked_is_not_answered(ws: Workspace, propose: Propose, name: str) -> None:
    propose()
    with pytest.raises(errors.NotFound):
        answer.answer_question(ws, name, "Yes", NOW)


def test_a_bot_does_not_answer_for_the_user(
    ws: Workspace, propose: Propose, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose()
    before = ws.repo.tip()
    with pytest.raises(errors.Usage):
        answer.answer_question(ws, "6", " ?! ", NOW)
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    with pytest.raises(errors.Refused):
        answer.answer_question(workspace.find(ws.repo.root), "6", "Yes", NOW)
    assert ws.repo.tip() == before
