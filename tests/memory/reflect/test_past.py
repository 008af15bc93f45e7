"""What past reflections say for the next one: rejections, open questions, milestones."""

from __future__ import annotations

import json

import pytest
from materials import FILES, IDS, make_material

from molt.formats.reflections import plan, record
from molt.formats.reflections.histories import Evolution, ReflectionEntry
from molt.formats.reflections.plan import Operation
from molt.formats.reflections.record import ReflectionRecord
from molt.formats.reflections.summary import render_summary
from molt.memory.reflect import draft, idle, meta
from molt.memory.reflect.draft import Draft
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.reflect.material.notebook import NoteWindow

PKCE, LISBON, COFFEE, _ = IDS
TASTE = Operation(
    "add-fact", {"entity": "person--alex", "fact": "loves dark roast coffee"}, (COFFEE,)
)
ASK = Operation("question", {"text": "Is the flat in Berlin given up?"})
CORE = Operation(
    "rewrite-core",
    {
        "add": [{"block": "Persona", "text": "Loves dark roast coffee", "evidence": [COFFEE]}],
        "drop": [{"bullet": "Answer briefly"}],
    },
)


def decided(
    *items: tuple[Operation, str], status: str = "partial", why: str = ""
) -> ReflectionRecord:
    numbered = [
        plan.to_item(one.replace(n=number)).replace(decision=decision)
        for number, (one, decision) in enumerate(items, 1)
    ]
    return ReflectionRecord(
        "r-001", status, created="2026-02-01T03:00", reason=why, items=tuple(numbered)
    )


def make(material: ReflectionMaterial, *operations: Operation) -> Draft:
    return draft.make_draft(material, meta.review_past(material), operations, "host")


def after(*records: ReflectionRecord) -> ReflectionMaterial:
    return make_material(records=records)


@pytest.mark.parametrize(
    "fact",
    ["loves dark roast coffee", "Alex loves coffee of dark roast", "loves dark roasted coffee"],
)
def test_what_was_rejected_is_not_proposed_on_the_same_evidence(fact: str) -> None:
    past = decided((TASTE, "rejected"), why="nobody's business")
    again = TASTE.replace(args={"entity": "person:Alex", "fact": fact})
    found = make(after(past), again)
    assert found.operations == ()
    assert found.dropped[0][1] == "rejected in r-001 on the same evidence: nobody's business"


def test_new_evidence_or_another_claim_is_proposed() -> None:
    past = decided((TASTE, "rejected"))
    more = TASTE.replace(evidence=(COFFEE, LISBON))
    other = TASTE.replace(args={"entity": "person--alex", "fact": "does not drink milk"})
    assert len(make(after(past), more).operations) == 1
    assert len(make(after(past), other).operations) == 1


def test_of_a_rejected_rewrite_single_changes_are_not_proposed_again() -> None:
    fresh = {"block": "Active Context", "text": "Lives in Lisbon", "evidence": [LISBON]}
    again = CORE.replace(args={**CORE.args, "add": [*CORE.args["add"], fresh]})
    found = make(after(decided((CORE, "rejected"))), again)
    del fresh["evidence"]
    assert [one.args for one in found.operations] == [{"add": [fresh]}]
    assert found.operations[0].evidence == (LISBON,)
    assert len(found.dropped) == 2
    assert make(after(decided((CORE, "rejected"))), CORE).operations == ()


def test_what_was_approved_is_not_taken_for_rejected() -> None:
    guidance = meta.review_past(after(decided((TASTE, "approved"), (CORE, "dropped: outdated"))))
    assert guidance.rejected == ()


def test_all_of_a_rejected_reflection_was_rejected_with_its_questions() -> None:
    guidance = meta.review_past(after(decided((TASTE, ""), (ASK, ""), status="rejected", why="no")))
    assert [(one.operation.op, one.reason) for one in guidance.rejected] == [
        ("add-fact", "no"),
        ("question", "no"),
    ]
    assert guidance.open_questions == ()


def test_the_reason_of_an_item_stands_in_the_log() -> None:
    entry = ReflectionEntry("r-001", rejected=("1 (not that one)",))
    guidance = meta.review_past(
        make_material(records=(decided((TASTE, "rejected")),), log=(entry,))
    )
    assert guidance.rejected[0].reason == "not that one"


def test_that_somebody_said_no_is_no_reason() -> None:
    entry = ReflectionEntry("r-001", "2026-02-01", "partial", rejected=("1 (rejected)",))
    past = make_material(records=(decided((TASTE, "rejected")),), log=(entry,))
    assert [one.reason for one in meta.review_past(past).rejected] == [""]


def test_a_reflection_without_proposals_says_what_it_has_read() -> None:
    none = make_material(fresh=(), memories={})
    assert "no episode yet" in "".join(idle.explain_idle(make(none)))
    (said,) = idle.explain_idle(make(make_material(records=(decided(),), fresh=())))
    assert said == "nothing to propose: no new episode since r-001"
    assert next(idle.explain_idle(make(make_material()))).startswith(
        "nothing to propose from 4 new episodes"
    )


def test_what_was_left_out_and_notes_that_wait_are_told() -> None:
    unborn = TASTE.replace(evidence=("episode:1999-01-01:10:00",))
    read = make_material(notes=NoteWindow((), (("memory/2026-01-05.md", "0" * 40),), 3, 2))
    said = list(idle.explain_idle(make(read, unborn)))
    assert said[1].startswith(f"left out: {unborn.op} ")
    assert "1999-01-01" in said[1]
    assert said[2] == "2 daily notes wait for later reflections"
    quiet = list(idle.explain_idle(make(read.replace(fresh=()))))
    assert quiet[0] == "nothing to propose from 1 daily note of 3"
    assert not any("--brief" in one for one in quiet)
    by_rules = list(idle.explain_idle(make(read).replace(engine="rules")))
    assert "`molt reflect --brief`" in by_rules[2]


def test_a_question_is_carried_until_it_is_answered_and_not_asked_twice() -> None:
    past = decided((ASK, "approved"))
    again = ASK.replace(args={"text": "Is the flat in Berlin given up now?"})
    found = make(after(past), again, TASTE)
    assert [one.op for one in found.operations] == ["add-fact"]
    assert found.dropped[0][1] == "asked already, as r-001#1"
    said = found.summary.section("questions")
    assert "Is the flat in Berlin given up?" in said
    assert "r-001#1" in said


def test_an_answer_in_the_record_or_in_an_episode_ends_a_question() -> None:
    past = decided((ASK, "approved"))
    text = record.set_answer(record.render_record(past), 1, "Yes", "2026-02-02")
    assert record.parse_record(text).items[0].more[-2:] == (
        ("answer", "Yes"),
        ("answered", "2026-02-02"),
    )
    assert meta.review_past(after(record.parse_record(text))).open_questions == ()
    day = "memory/episodes/2026-02-03.md"
    entry = "# 2026-02-03\n\n## 08:00 | fact | high | answers:r-001#1\nYes\n"
    material = make_material(FILES | {day: entry}, records=(past,))
    assert meta.review_past(material).open_questions == ()


def test_an_answer_that_is_given_again_replaces_the_old_one() -> None:
    text = record.render_record(decided((ASK, "approved"), (TASTE, "approved")))
    once = record.set_answer(text, 1, "Yes", "2026-02-02")
    twice = record.set_answer(once, 1, "No", "2026-02-03")
    assert dict(record.parse_record(twice).items[0].more)["answer"] == "No"
    assert record.set_answer(twice, 1, "No", "2026-02-03") == twice
    assert record.set_answer(text, 9, "Yes", "2026-02-02") == text


@pytest.mark.parametrize(
    ("number", "milestone"), [(10, True), (11, False), (25, True), (100, True)]
)
def test_some_reflections_take_stock(number: int, milestone: bool) -> None:
    log = (ReflectionEntry(f"r-{number - 1:03}", "2026-01-01", "approved", 3, 4),)
    material = make_material(log=log, evolution=Evolution(threads=("Moves often",)))
    found = make(material, TASTE)
    fields = dict(found.fields)
    assert ("milestone" in fields) is milestone
    if milestone:
        assert "3 of 4 proposals taken" in str(fields["milestone"])
        assert "Moves often" in str(fields["milestone"])
        assert "### Milestone" in render_summary(found.summary)


def test_the_same_material_gives_the_same_draft() -> None:
    made = [make(make_material(), TASTE, ASK, CORE) for _ in range(2)]
    assert made[0].operations == made[1].operations
    assert made[0].summary == made[1].summary
    assert json.dumps(made[0].fields) == json.dumps(made[1].fields)
