"""What molt's own books keep where somebody forgets a word that is one of their own too."""

from __future__ import annotations

import pytest

from molt import trees
from molt.formats import paths
from molt.formats.meta import proposals, questions
from molt.formats.meta.proposals import Proposal
from molt.formats.meta.questions import GoldenQuestion
from molt.formats.reflections import histories
from molt.formats.reflections.histories import ReflectionEntry
from molt.memory.forget import matches
from molt.memory.visible import books

LOG = histories.render_log(
    (
        ReflectionEntry("r-001", "2026-02-03", "approved", 1, 2, "manual"),
        ReflectionEntry("r-002", "2026-02-04", "rejected", 0, 1, "manual"),
    )
)
PROPOSED = proposals.append_proposal(None, Proposal("subagent:painter", "the door is green"))
ASKED = questions.add_question("", GoldenQuestion("door", "Which colour is it?", ("green",)))


def clean(path: str, text: str, word: str) -> str:
    tree = trees.Overlay(trees.EMPTY, {path: text.encode()})
    edits = books.clean_books(tree, matches.make_line_test(word))
    return (edits.get(path) or text.encode()).decode()


@pytest.mark.parametrize("word", ["approved", "r-001", "2026-02-03"])
def test_that_a_reflection_was_decided_stays_in_the_log(word: str) -> None:
    assert histories.listed_ids(clean(histories.LOG, LOG, word)) == histories.listed_ids(LOG)


def test_a_proposal_keeps_its_number() -> None:
    left = clean(paths.PROPOSALS, PROPOSED, "proposal")
    assert [one.number for one in proposals.parse_proposals(left)] == [1]


@pytest.mark.parametrize("word", ["question", "expect", "id"])
def test_a_question_is_none_of_its_keys(word: str) -> None:
    left = clean(paths.QUESTIONS, ASKED, word)
    assert questions.parse_questions(left) == questions.parse_questions(ASKED)


def test_a_comment_that_says_it_goes_and_the_question_below_stays() -> None:
    text = (
        "questions:\n# the code is 4711\n  - id: door\n    question: Which?\n    expect: [green]\n"
    )
    left = clean(paths.QUESTIONS, text, "4711")
    assert left == text.replace("# the code is 4711\n", "")
