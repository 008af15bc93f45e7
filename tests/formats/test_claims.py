"""Which two sentences cannot both hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats.prose import claims

OTHERWISE = (
    ("Project deadline is March 15", "The project deadline is March 30."),
    ("项目截止日期是三月十五日", "项目截止日期 是 三月三十日"),
    ("we deploy on Fridays", "we do not deploy on Fridays"),
    ("The api uses Redis", "The API no longer uses Redis"),
    ("Ada works at Siemens", "Ada works at Bosch"),
    ("The budget was raised to 500 euros", "the budget was raised to 700 euros"),
    ("The release can't be moved", "The release can be moved"),
    ("server listens on port 80", "server listens on port 81"),
    ("meeting at 10:30 in room blue", "meeting at 11:00 in room blue"),
    ("用户不喜欢咖啡", "用户喜欢咖啡"),
    ("我们使用 Redis 缓存会话", "我们不再使用 Redis 缓存会话"),
)
BESIDE = (
    ("Project deadline is March 15", "the project deadline is march 15."),
    ("Project deadline is March 15", "Project budget is March 30"),
    ("the port of the API is 81", "the port of the API is 81 in production"),
    ("tests come first", "tests come last"),
    ("The api uses Redis", "The API uses Postgres"),
    ("Ada works at Siemens", "Ada works at Siemens since 2020"),
    ("Ada Lovelace is tall", "Ada Lovelace is a nurse"),
    ("Ada met Bob", "Ada met Carol"),
    ("we do not deploy on Fridays", "we deploy on Mondays"),
    ("Molt is written in Python (source: plan.md)", "Molt is written in Python (origin: web)"),
    ("我们使用 Redis 缓存会话", "我们使用 Redis 缓存页面"),
)


@pytest.mark.parametrize(("one", "other"), OTHERWISE)
def test_what_says_otherwise_is_told(one: str, other: str) -> None:
    first, second = claims.parse_claim(one), claims.parse_claim(other)
    assert claims.contradicts(first, second)
    assert claims.contradicts(second, first)


@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_what_can_hold_beside_it_is_not(one: str, other: str) -> None:
    first, second = claims.parse_claim(one), claims.parse_claim(other)
    assert not claims.contradicts(first, second)
    assert not claims.contradicts(second, first)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("owner: Ada", "owner: Bob", True),
        ("the owner is not Ada", "the owner is Bob", False),
        ("the owner is not Ada", "the owner is Ada", True),
        ("负责人不是张三", "负责人是张三", True),
        ("Ada is tall", "Ada is a nurse", False),
        ("ada is tall", "ada is a nurse", False),
    ],
)
def test_of_one_thing_a_short_attribute_tells_enough(one: str, other: str, told: bool) -> None:
    first, second = claims.parse_claim(one), claims.parse_claim(other)
    assert claims.contradicts(first, second, subjects=["ada"], related=True) == told


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_are_compared_alike_both_ways(one: str, other: str) -> None:
    first, second = claims.parse_claim(one), claims.parse_claim(other)
    assert not claims.contradicts(first, first, related=True)
    there = claims.contradicts(first, second, related=True)
    assert there == claims.contradicts(second, first, related=True)
