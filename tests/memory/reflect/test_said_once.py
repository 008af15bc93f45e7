"""Of a claim in Chinese one memory says all, and a day is that of what it is told of."""

from __future__ import annotations

import pytest

from molt.memory.reflect.evidence import clauses_zh, dated, said_days, turns

PHONE = "我的手机是星河5，性能特别强。就是电池续航感觉有点弱，一天充两次电。"


@pytest.mark.parametrize(
    ("claim", "said", "subject"),
    [
        ("一天充两次电", PHONE, "星河5"),
        ("性能很强", PHONE, "星河5"),
        ("林月在成都当医生", "我有一个姐姐叫林月。她在成都当医生。", "林月"),
        ("的老家在广州", "我表哥的老家在广州。", "表哥"),
        ("参加了灯会", "上周我参加了灯会。", "用户"),
    ],
)
def test_one_sentence_says_it(claim: str, said: str, subject: str) -> None:
    assert not clauses_zh.find_unborne(claim, said, subject)


@pytest.mark.parametrize(
    ("claim", "said", "subject"),
    [
        pytest.param("电池续航很强", PHONE, "星河5", id="of-another-thing"),
        pytest.param("手机的电池续航", PHONE, "星河5", id="two-sentences"),
        pytest.param("的老家在广州", "我表哥的老家在广州。", "用户", id="of-the-cousin"),
        pytest.param("参加了灯会", "我将要参加灯会。", "用户", id="still-to-come"),
    ],
)
def test_no_sentence_says_it(claim: str, said: str, subject: str) -> None:
    assert clauses_zh.find_unborne(claim, said, subject)


@pytest.mark.parametrize(
    ("claim", "bears"),
    [
        ("went to Lund on 2026-03-14", True),
        ("went to Lund on 2026-03-18", False),
        ("baked bread on 2026-03-18", True),
    ],
)
def test_a_day_is_of_the_sentence_that_names_it(claim: str, bears: bool) -> None:
    said = "Last weekend we went to Lund. I baked bread."
    assert bears == (not said_days.find_other_day(claim, (said,), ("2026-03-18",)))


@pytest.mark.parametrize(
    ("said", "day"),
    [("下周五", "2024-04-12"), ("上周五", "2024-03-29"), ("本周五", "2024-04-05")],
)
def test_a_week_that_is_named_is_that_one(said: str, day: str) -> None:
    known = dated.KnownDays()
    known.add_named(said, "2024-04-02")
    assert [str(first) for first, last in known.spans if first == last] == [day]


def test_who_speaks_is_unnamed_where_nobody_is_told() -> None:
    assert turns.speaks_unnamed("我用的手机是星河5。")
    assert not turns.speaks_unnamed("Ann: I moved.")
