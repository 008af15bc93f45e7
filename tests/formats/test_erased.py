"""What reflections have left in writing, without some words."""

from __future__ import annotations

import pytest

from molt.formats.reflections import erased, plan, record
from molt.formats.reflections.plan import Operation


def says(text: str) -> bool:
    return "4711" in text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("a\n4711\nb\n", "a\nb\n", id="line"),
        pytest.param("- 4711\n  - from here\n- b\n", "- b\n", id="what-is-below"),
        pytest.param("- a\n  - 4711\n  - c\n", "- a\n  - c\n", id="a-part"),
        pytest.param("- 4711\n\n- b\n", "\n- b\n", id="blank-line"),
        pytest.param("a\r\n4711\r\n", "a\r\n", id="line-ends"),
        pytest.param("a\n", "a\n", id="nothing"),
    ],
)
def test_lines_that_say_it_are_cut(text: str, left: str) -> None:
    assert erased.cut_rows(text, says) == left


def make_record(**fields: object) -> str:
    said = ("Is it 4711?", 'He said "4711"', "Why?")
    every = [Operation("question", {"text": text}, n=n) for n, text in enumerate(said, 1)]
    items = tuple(plan.to_item(one).replace(decision="approved") for one in every)
    made = record.ReflectionRecord(
        "r-001",
        "approved",
        items=items,
        plan_hash=plan.hash_plan(every),
        fields=tuple(fields.items()),
    )
    return record.render_record(made)


def test_a_record_keeps_what_does_not_say_it_as_it_was_decided() -> None:
    text = make_record(dropped=[["4711", "no"], ["b", "no"]], told="4711", tokens=3)
    left = record.parse_record(erased.cut_record(text, says))
    assert "4711" not in erased.cut_record(text, says)
    assert left.items == record.parse_record(text).items[2:]
    assert dict(left.fields) == {"dropped": [["b", "no"]], "tokens": 3, "forgotten": 2}
    assert left.plan_hash == plan.hash_plan(filter(None, map(plan.from_item, left.items)))


def test_what_is_forgotten_later_is_counted_with_it() -> None:
    text = erased.cut_record(make_record(), says)
    left = record.parse_record(erased.cut_record(text, lambda text: "Why" in text))
    assert dict(left.fields) == {"forgotten": 3}


def test_a_record_that_says_nothing_of_it_stays_as_it_is() -> None:
    text = make_record().replace("\n---\n", "\n# by hand\n---\n")
    assert erased.cut_record(text, lambda text: "4712" in text) is text


@pytest.mark.parametrize("word", ["status", "approved", "items", "summary", "manual", "r-001"])
def test_what_molt_itself_writes_of_a_decision_is_said_by_nobody(word: str) -> None:
    text = make_record(told="of status: approved by manual, r-001, items, summary")
    text = text.replace('by: ""', "by: manual")
    left = record.parse_record(erased.cut_record(text, lambda row: word in row))
    before = record.parse_record(text)
    assert left.replace(summary=before.summary, fields=before.fields) == before


def test_a_person_who_decided_is_forgotten_by_name_and_no_actor() -> None:
    text = make_record().replace('by: ""', "by: Ada Quill")
    assert record.parse_record(text).by == "Ada Quill"
    assert record.parse_record(erased.cut_record(text, lambda row: "Quill" in row)).by == ""
    text = text.replace("Ada Quill", "manual")
    assert record.parse_record(erased.cut_record(text, lambda row: "manual" in row)).by == "manual"
