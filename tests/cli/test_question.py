"""`molt question`: added, listed, run, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def asked(run: Run, agent: Path) -> Path:
    words = (
        "When does the harbour gate open?",
        "--expect",
        "nine",
        "--id",
        "gate",
        "--tag",
        "port",
    )
    assert run("question", "add", *words).status == 0
    return agent


def test_a_question_is_written_and_listed(run: Run, asked: Path) -> None:
    assert run("question", "list").out.splitlines() == [
        "gate  When does the harbour gate open?",
        "    in the first 5: nine",
    ]
    assert json.loads(run("--json", "question", "list").out)[0]["expect"] == ["nine"]


def test_a_run_shows_what_is_answered(run: Run, asked: Path) -> None:
    done = run("question", "run")
    assert done.status == 0
    assert "pass  gate  When does the harbour gate open?  (result 1 of 5)" in done.out
    assert done.out.endswith("1 of 1 question answered\n")


def test_a_run_fails_with_what_is_missing(run: Run, asked: Path) -> None:
    run("question", "add", "Who signs tokens?", "--expect", "Bob", "--top", "3", "--id", "keys")
    done = run("question", "run")
    assert done.status == 1
    assert "FAIL  keys  Who signs tokens?  (not found)\n      missing: Bob\n" in done.out
    told = json.loads(run("--json", "question", "run").out)
    assert (told["passed"], told["asked"]) == (1, 2)
    assert [one["passed"] for one in told["answers"]] == [True, False]
    assert run("question", "run", "gate").status == 0
    assert run("question", "run", "--tag", "port").status == 0


def test_the_memory_of_then_is_asked(run: Run, asked: Path) -> None:
    assert run("question", "run", "--at", "HEAD").status == 0
    first = run("log", "--json").out.splitlines()[-1]
    assert run("question", "run", "--at", json.loads(first)["commit"]).status == 1


def test_a_question_is_removed_by_a_person(run: Run, asked: Path) -> None:
    refused = run("question", "remove", "gate")
    assert refused.status == 1
    (call,) = [word for word in refused.err.split("`") if word.startswith("molt ")]
    assert run(*call.split()[1:]).status == 0
    assert run("question", "list").out == ""


def test_a_question_needs_an_answer(run: Run, agent: Path) -> None:
    done = run("question", "add", "Why?")
    assert done.status == 2
    assert "--expect WORDS" in done.err


def test_a_file_that_cannot_be_read_is_said(run: Run, asked: Path) -> None:
    Path(asked, "memory/meta/questions.yaml").write_text("- [", encoding="utf-8")
    done = run("question", "run")
    assert done.status == 1
    assert "questions.yaml: line 1" in done.err
