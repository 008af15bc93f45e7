"""Why something was proposed, and why it was not taken."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from molt.cli import main
from molt.memory.reflect import evidence, meta, rules
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve, reject
from molt.memory.reflect.decisions.approve import ApprovalChoice
from molt.memory.reflect.material import material
from molt.memory.reflect.summary import reasons
from molt.memory.workspace import Workspace

from .conftest import NOW, Propose

LATER = NOW + timedelta(days=1)
RULES = Path(rules.__file__).parent
CHECKS = Path(evidence.__file__).parent


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("named in 3 episodes", "有3条记录提到"),
        ("the note of 2026-01-20 calls it a lesson", "2026-01-20的笔记称之为教训"),
        ("said by Mara Voss", "Mara Voss说过"),
        ("a model said this", "a model said this"),
        ("the evidence does not say '小船'", "依据没有提到“小船”"),
        ("the evidence does not say 'first' of \"Ann's\"", "依据没有说“Ann's”是“first”"),
        ("quoted instead: it is said to somebody", "改为引用：这是对别人说的"),
        ("memory has it already", "记忆里已经有了"),
        ("rejected in r-001 on the same evidence: 不对", "r-001里同样的依据已被拒绝：不对"),
    ],
)
def test_a_reason_of_a_rule_is_told_in_the_language_of_the_summary(text: str, said: str) -> None:
    assert reasons.translate_reason(text, "zh") == said
    assert reasons.translate_reason(text, "en") == text


def test_every_plain_reason_of_the_rules_has_its_translation() -> None:
    found = [
        said
        for path in sorted(RULES.rglob("*.py"))
        for said in re.findall(r'(?:reason|why) = "([^"{]+)"', path.read_text("utf-8"))
    ]
    assert len(found) > 8
    assert [said for said in found if reasons.translate_reason(said, "zh") == said] == []


def test_every_plain_reason_to_leave_something_out_has_its_translation() -> None:
    found = [
        said
        for path in sorted(CHECKS.rglob("*.py"))
        for said in re.findall(
            r'(?:return|Unproved\(|_[A-Z]+ =) ?"([a-z]+ [^"{]+)"', path.read_text("utf-8")
        )
    ]
    assert len(found) > 15
    assert [said for said in found if reasons.translate_reason(said, "zh") == said] == []


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
    assert "In a shell" not in said
    assert "[rejected: never]" in said
