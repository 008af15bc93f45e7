"""The gate in an approval: what it holds, what a person overrules, and what history says of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import questions
from molt.formats.meta.questions import GoldenQuestion
from molt.formats.reflections import record
from molt.memory.checks import verify
from molt.memory.reflect.decisions import approve
from molt.memory.reflect.decisions.approve import ApprovalChoice
from molt.memory.workspace import Workspace

from .conftest import NOW, commit_files

LATER = NOW + timedelta(days=1)
HOME = GoldenQuestion("home", "Where does Alex live?", ("lives in Berlin",))
CHESS = GoldenQuestion("chess", "What does Alex play?", ("chess",))
GIT = GoldenQuestion("git", "Which tool keeps files?", ("Git",), ("entity:tool--git",))


@pytest.fixture
def asked(ws: Workspace, propose: Any) -> Workspace:
    text = questions.render_questions((HOME, CHESS, GIT))
    commit_files(ws, {paths.QUESTIONS: text})
    propose()
    return ws


def approve_all(ws: Workspace, **choice: Any) -> Any:
    return approve.approve_reflection(ws, "r-001", ApprovalChoice(**choice), LATER)


def test_an_answer_that_gets_worse_holds_all_of_it(asked: Workspace) -> None:
    before = asked.repo.run("for-each-ref")
    with pytest.raises(errors.Refused, match="the gate holds") as caught:
        approve_all(asked)
    assert [getattr(one, "code", "") for one in caught.value.findings] == ["question"]
    assert "--despite home" in caught.value.hint
    assert asked.repo.run("for-each-ref") == before
    assert asked.repo.run("status", "--porcelain") == ""


def test_a_dry_run_is_held_too(asked: Workspace) -> None:
    with pytest.raises(errors.Refused, match="the gate holds"):
        approve_all(asked, dry_run=True)


def test_the_rest_goes_through_without_what_does_it(asked: Workspace) -> None:
    done = approve_all(asked, without=(2,))
    assert (done.made.asked, done.made.better, done.made.overruled) == (3, ("git",), ())


def test_what_is_overruled_is_in_history_and_in_the_record(asked: Workspace, git: Any) -> None:
    done = approve_all(asked, despite=("home", "chess"))
    assert done.made.overruled == (("Despite", "home"),)
    for rev in ("HEAD", "HEAD^2"):
        said = git(asked.repo.root, "log", "-1", "--format=%(trailers:key=Despite)", rev)
        assert said.strip() == "Despite: home"
    text = trees.read_text(asked.head(), record.record_path("r-001"))
    assert record.parse_record(text).reason == "Despite: home"
    assert verify.verify_commits(asked.repo).errors == ()


def test_edits_that_are_not_committed_are_not_asked_twice(asked: Workspace) -> None:
    core = Path(asked.repo.root, paths.CORE)
    core.write_text(core.read_text() + "\nA draft of mine.\n", encoding="utf-8")
    approve_all(asked, without=(2,))
    assert core.read_text().endswith("A draft of mine.\n")


def test_the_questions_of_today_are_asked(asked: Workspace, git: Any) -> None:
    commit_files(asked, {paths.QUESTIONS: questions.render_questions((CHESS,))})
    assert approve_all(asked).made.asked == 1
