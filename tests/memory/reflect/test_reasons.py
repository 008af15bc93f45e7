"""Why something was proposed, and why it was not taken."""

from __future__ import annotations

from datetime import timedelta

import pytest

from molt.cli import main
from molt.memory.reflect import meta
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve, reject
from molt.memory.reflect.decisions.approve import ApprovalChoice
from molt.memory.reflect.material import material
from molt.memory.workspace import Workspace

from .conftest import NOW, Propose

LATER = NOW + timedelta(days=1)


def decide(ws: Workspace) -> dict[int, str]:
    found = branch.find_reflection(ws, "r-001").record
    return {one.n: one.decision for one in found.items}


def rejected(ws: Workspace) -> dict[str, str]:
    read = material.read_material(ws, "2026-02-05", LATER.timestamp())
    return {one.operation.op: one.reason for one in meta.review_past(read).rejected}


def test_what_is_not_taken_keeps_the_reason(ws: Workspace, propose: Propose) -> None:
    propose()
    approve.approve_reflection(
        ws, "r-001", ApprovalChoice(without=(4,), why="we never release"), LATER
    )
    assert decide(ws)[4] == "rejected: we never release"
    assert rejected(ws) == {"upsert-procedure": "we never release"}


def test_a_reason_that_names_items_rejects_these_alone(ws: Workspace, propose: Propose) -> None:
    propose()
    reject.reject_reflection(ws, "r-001", "#4 is wrong, and #7 says nothing", LATER)
    assert [n for n, said in decide(ws).items() if said == "rejected"] == [4, 7]
    assert rejected(ws).keys() == {"upsert-procedure", "insight"}


def test_a_reason_that_names_nothing_rejects_all(ws: Workspace, propose: Propose) -> None:
    propose()
    reject.reject_reflection(ws, "r-001", "too early, see #99", LATER)
    assert set(decide(ws).values()) == {"rejected"}


def test_of_what_was_decided_nothing_is_to_be_replied(
    ws: Workspace,
    propose: Propose,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    propose()
    monkeypatch.chdir(ws.repo.root)
    assert main(["reflect", "approve", "r-001", "--except", "4", "--why", "never"]) == 0
    capsys.readouterr()
    assert main(["reflect", "show", "r-001"]) == 0
    said = capsys.readouterr().out
    assert "Reply" not in said
    assert "molt reflect approve" not in said
    assert "[rejected: never]" in said
