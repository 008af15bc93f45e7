"""`molt bisect`: what a person reads of the commit that changed an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def lost(run: Run, agent: Path) -> Path:
    words = ("Who prefers short answers?", "--expect", "Ada", "--id", "short")
    run("question", "add", *words)
    run("--actor", "manual", "core", "remove", "Ada prefers short answers")
    run("remember", "the ferry leaves at noon")
    return agent


def test_a_golden_question_leads_to_the_commit(run: Run, lost: Path) -> None:
    done = run("bisect", "short", "--bad-now")
    assert done.status == 0, done.err
    assert "MEMORY.md — " in done.out.splitlines()[0]
    assert "by manual, in MEMORY.md\nlost: Ada\n" in done.out
    assert "`molt why core:" in done.out


def test_a_text_with_its_answer_does_too(run: Run, lost: Path) -> None:
    told = json.loads(run("--json", "bisect", "Who prefers short answers?", "--expect", "Ada").out)
    assert told["answers"]["after"]["ranks"] == [["Ada", 0]]
    assert told["files"][0] == "MEMORY.md"


def test_a_question_that_is_none_and_two_ends_are_refused(run: Run, lost: Path) -> None:
    assert run("bisect", "other").status == 4
    assert run("bisect", "short", "--bad-now", "--bad", "HEAD~1").status == 2
