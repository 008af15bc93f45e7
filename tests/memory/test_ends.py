"""The last day on which something holds, as people say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from molt import errors
from molt.memory import ends

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("", ""),
        ("2026-12-31", "2026-12-31"),
        ("2020-01-01", "2020-01-01"),
        ("today", "2026-11-23"),
        ("Tomorrow", "2026-11-24"),
        ("后天", "2026-11-25"),
        ("2 weeks", "2026-12-07"),
        ("in two weeks", "2026-12-07"),
        ("for a year", "2027-11-23"),
        ("3 months from now", "2027-02-23"),
        ("两周后", "2026-12-07"),
        ("3天", "2026-11-26"),
        ("一个月", "2026-12-23"),
        ("friday", "2026-11-27"),
        ("monday", "2026-11-30"),
        ("next friday", "2026-12-04"),
        ("下周五", "2026-12-04"),
        ("周日", "2026-11-29"),
        ("this week", "2026-11-29"),
        ("next week", "2026-12-06"),
        ("the end of the month", "2026-11-30"),
        ("next month", "2026-12-31"),
        ("下个月", "2026-12-31"),
        ("明年", "2027-12-31"),
        ("31.12.2026", "2026-12-31"),
    ],
)
def test_a_last_day_is_to_come(said: str, day: str) -> None:
    assert ends.find_last_day(said, "UTC", MONDAY) == day


def test_a_month_without_such_a_day_ends_with_its_last() -> None:
    last = datetime(2026, 1, 31, tzinfo=UTC).timestamp()

    assert ends.find_last_day("a month", "UTC", last) == "2026-02-28"


@pytest.mark.parametrize("said", ["soonish", "yesterday", "0 wks", "march 20 2020"])
def test_what_is_past_or_none_is_a_mistake(said: str) -> None:
    with pytest.raises(errors.Usage) as raised:
        ends.find_last_day(said, "UTC", MONDAY)
    assert "2026-12-23" in str(raised.value) + str(getattr(raised.value, "hint", ""))
