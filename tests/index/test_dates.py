"""The days that people name in questions."""

from __future__ import annotations

import pytest

from molt.index.search import dates

SUNDAY = "2026-11-22"


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("what did I do last Tuesday?", "2026-11-17", "2026-11-17"),
        ("last monday's meeting", "2026-11-16", "2026-11-16"),
        ("who came the day before yesterday", "2026-11-20", "2026-11-20"),
        ("what happened in the last 3 days", "2026-11-19", "2026-11-22"),
        ("notes of the past two weeks", "2026-11-08", "2026-11-22"),
        ("the past week", "2026-11-15", "2026-11-22"),
        ("where was I last weekend", "2026-11-14", "2026-11-15"),
        ("上周三做了什么", "2026-11-11", "2026-11-11"),
        ("大前天吃了什么", "2026-11-19", "2026-11-19"),
        ("前天吃了什么", "2026-11-20", "2026-11-20"),
        ("最近三天的进展", "2026-11-19", "2026-11-22"),
        ("上周末去了哪里", "2026-11-14", "2026-11-15"),
        ("上个月5号的会议", "2026-10-05", "2026-10-05"),
        ("前年的旅行", "2024-01-01", "2024-12-31"),
    ],
)
def test_days_by_distance_are_read(query: str, first: str, last: str) -> None:
    assert dates.find_days(query, lambda: SUNDAY) == (first, last)


@pytest.mark.parametrize("query", ["who may go", "the last resort", "最近怎么样", "a week is long"])
def test_what_names_no_day_has_none(query: str) -> None:
    assert dates.spans(query, lambda: SUNDAY) == ()


def test_the_days_of_a_log_are_those_that_its_lines_begin_with() -> None:
    text = "# Sleep\n\n## 2026-03-04 (EST)\n- 23:00 well\n- 2026-03-05: badly\nsince 2026-01-01"
    assert dates.list_days(text) == ("2026-03-04", "2026-03-05")


@pytest.mark.parametrize(
    ("query", "year"),
    [
        ("what happened on November 22?", 2026),
        ("what happened on November 23?", 2025),
        ("what happened on 1 April?", 2026),
        ("4月1日发生了什么", 2026),
        ("12月1日发生了什么", 2025),
        ("what happened in April", 0),
        ("on 3 March 2021", 2021),
    ],
)
def test_a_day_without_its_year_is_the_last_there_was(query: str, year: int) -> None:
    (span,) = dates.spans(query, lambda: SUNDAY)
    assert dates.date_span(span, lambda: SUNDAY) == span.replace(year=year)
