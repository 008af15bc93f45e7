"""What notes call by another word than questions do, and questions that rules answer."""

from __future__ import annotations

import pytest

from molt.index.search import attributes


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Where does Vera live?", "address"),
        ("who is Vera's husband", "spouse"),
        ("what does the ferry cost", "fee"),
        ("May I open the lock at night?", "permission"),
        ("how much does Vera earn a month", "income"),
        ("wer ist unser Ansprechpartner", "kontakt"),
        ("¿cuánto cuesta el pan?", "precio"),
        ("où habite Vera", "adresse"),
        ("薇拉住在哪里", "地址"),
        ("薇拉讨厌什么", "避免"),
        ("薇拉的座右铭是什么", "motto"),
        ("网关为什么重启", "gateway"),
        ("薇拉討厭什麼", "避免"),
    ],
)
def test_notes_have_another_word_for_what_is_asked(query: str, said: str) -> None:
    assert said in attributes.list_other_words(query)


@pytest.mark.parametrize("query", ["when does the museum open", "船什么时候开", "", "delivery"])
def test_other_questions_are_taken_by_their_words(query: str) -> None:
    assert attributes.list_other_words(query) == ()


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ("- **Location:** Hamburg", True),
        ("Address: 5 Mill Lane", True),
        ("| Location | Hamburg |", True),
        ("- the location is not known", False),
        ("Name: Vera", False),
    ],
)
def test_a_field_has_what_is_asked_under_its_name(row: str, holds: bool) -> None:
    fields = attributes.find_fields("where does Vera live")
    assert fields is not None
    assert bool(fields.match(row)) is holds


def test_what_is_called_the_same_in_notes_has_no_field() -> None:
    assert attributes.find_fields("who steers the ferry") is None


def test_a_word_that_is_asked_for_is_not_looked_for_twice() -> None:
    assert "address" not in attributes.list_other_words("at which address does Vera live")


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("May I push to main?", True),
        ("how do I restart the relay", True),
        ("¿puedo abrir la puerta?", True),
        ("可以强推吗", True),
        ("怎麼重啟服務", True),
        ("what did the maybe say", False),
        ("mustard in the larder", False),
        ("船长是谁", False),
    ],
)
def test_a_question_may_ask_for_a_rule(query: str, rule: bool) -> None:
    assert attributes.asks_rule(query) is rule
