"""What molt's own books keep where somebody forgets a word that is one of their own too."""

from __future__ import annotations

import pytest

from molt import trees
from molt.formats import paths
from molt.formats.meta import proposals, questions
from molt.formats.meta.proposals import Proposal
from molt.formats.meta.questions import GoldenQuestion
from molt.formats.reflections import histories
from molt.formats.reflections.histories import Digest, Evolution, Insight, ReflectionEntry
from molt.memory.forget import said_words
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
    edits = books.clean_books(tree, said_words.make_line_test(word))
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


FIELDS = (
    "Content",
    "Entities",
    "Trigger",
    "Status",
    "Core-worthy",
    "Suggested store",
    "From",
    "Id",
)
CHOICES = ("core", "no", "pending", "medium", "episodic", "subagent", "store", "Main", "append")


@pytest.mark.parametrize("word", [*FIELDS, *CHOICES, "manual", "Memory"])
def test_a_proposal_loses_no_key_and_no_choice(word: str) -> None:
    assert clean(paths.PROPOSALS, PROPOSED, word) == PROPOSED


@pytest.mark.parametrize("word", ["manual", "By", "Reflection", "log", "of", "rejected"])
def test_who_decided_and_how_stays_in_the_log(word: str) -> None:
    assert clean(histories.LOG, LOG, word) == LOG


ARC = histories.render_evolution(
    Evolution(("the gate",), (Insight("doors open inwards", "2026-02-03", "r-001"),), ("ten days",))
)
DIGEST = histories.render_digest(Digest("2026-01", ("3 commits",), ("a gate was painted",)))


@pytest.mark.parametrize("word", ["evolution", "Threads", "insights", "milestones"])
def test_the_long_arc_keeps_its_headings(word: str) -> None:
    assert clean(histories.EVOLUTION, ARC, word) == ARC


@pytest.mark.parametrize("word", ["summary", "notable", "events", "January", "2026"])
def test_a_digest_keeps_its_headings(word: str) -> None:
    assert clean(histories.ARCHIVE, DIGEST, word) == DIGEST


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        pytest.param(paths.PROPOSALS, PROPOSED, "green", id="content"),
        pytest.param(paths.PROPOSALS, PROPOSED, "painter", id="who"),
        pytest.param(paths.PROPOSALS, PROPOSED.replace("pending", "Quill"), "Quill", id="status"),
        pytest.param(
            paths.PROPOSALS, PROPOSED.replace("the door", "pending core"), "core", id="a-choice"
        ),
        pytest.param(histories.LOG, LOG.replace("manual", "Ada Quill"), "Quill", id="a-person"),
        pytest.param(histories.EVOLUTION, ARC, "inwards", id="insight"),
        pytest.param(histories.ARCHIVE, DIGEST, "painted", id="event"),
    ],
)
def test_what_was_said_goes_and_all_else_stays(path: str, text: str, word: str) -> None:
    left = clean(path, text, word)
    gone = [row for row in text.split("\n") if row not in left.split("\n")]
    assert gone
    assert all(word in row for row in gone)
    assert left.count("\n") == text.count("\n") - sum(word in row for row in text.split("\n"))
