"""Large numbers of a question as notes write them."""

from __future__ import annotations

import pytest

from molt.index.search import amounts


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("which competitor raised seven million", "7m"),
        ("why did I report 21 million revenue", "21m"),
        ("who paid the 40 thousand euros?", "40k"),
        ("wer zahlte fünf Millionen", "5m"),
        ("two billion stars", "2bn"),
        ("网关为什么断了十四分钟", "14 分"),
        ("三百二十页的书在哪里", "320 页"),
        ("两个月以前", "2 个"),
    ],
)
def test_a_large_number_is_also_looked_for_in_short(query: str, said: str) -> None:
    assert said in amounts.list_forms(query)


@pytest.mark.parametrize(
    "query", ["seven ferries", "十分重要", "一起走", "a million ferries", "", "the million"]
)
def test_what_is_no_large_number_has_no_other_form(query: str) -> None:
    assert amounts.list_forms(query) == ()
