"""Days that a text names: written out, or told by their distance from the day it was said."""

from __future__ import annotations

import re
from datetime import date, timedelta

from molt.formats import times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"((?:19|20)\d\d)"
_FORMS = (
    ("ymd", re.compile(rf"(?<!\d){_YEAR}[-/.](\d\d?)[-/.](\d\d?)(?!\d)")),
    ("ymd", re.compile(rf"(?<!\d){_YEAR}\s*年\s*(\d\d?)\s*月\s*(\d\d?)\s*[日号]?")),
    ("ym", re.compile(rf"(?<!\d){_YEAR}\s*年\s*(\d\d?)\s*月")),
    ("md", re.compile(r"(?<!\d)(\d\d?)\s*月\s*(\d\d?)\s*[日号]")),
    ("mdy", re.compile(rf"\b{_MONTH}\s+(\d\d?)(?:st|nd|rd|th)?,?\s+{_YEAR}\b", re.I)),
    ("dmy", re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b", re.I)),
    ("my", re.compile(rf"\b{_MONTH}(?:\s+of)?,?\s+{_YEAR}\b", re.I)),
    ("md", re.compile(rf"\b{_MONTH}\s+(\d\d?)(?:st|nd|rd|th)?\b(?!:)", re.I)),
    ("dm", re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}", re.I)),
    ("ym", re.compile(rf"(?<!\d){_YEAR}-(\d\d)(?![\d-])")),
    ("y", re.compile(rf"(?<![\d.,]){_YEAR}(?![\d.,]\d|\d)\s*年?")),
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(
    r"\b(last|past|previous|this|next|coming|on)?\s*\b(mon|tues?|wednes|thurs?|fri|satur|sun)day\b",
    re.I,
)
_ZH_WEEKDAY = re.compile(r"(上+|下+|本|这)?(?:个)?(?:周|星期|礼拜)([一二三四五六日天末])")
_COUNTS = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_AWAY = re.compile(
    r"\b(?:(in)\s+)?(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few"
    r"|a couple of)"
    r"\s+(day|week|month|year)s?\b(\s+(?:ago|before|earlier|later|from now))?",
    re.I,
)
_MONTH_OF = re.compile(rf"\b{_MONTH}(?:\s+of)?\s+(last|this|next)\s+year\b")
_DAY_OF_MONTH = re.compile(r"\bon the (\d\d?)(?:st|nd|rd|th)\b(?!\s+(?:of|floor|day))")
_ZH_AWAY = re.compile(r"(\d{1,3}|[一二两三四五六七八九十])个?(天|周|星期|礼拜|月|年)(以?前|以?后)")
_NEAR = {
    "today": (0, 0),
    "tonight": (0, 0),
    "this morning": (0, 0),
    "this afternoon": (0, 0),
    "this evening": (0, 0),
    "yesterday": (-1, -1),
    "last night": (-1, -1),
    "day before yesterday": (-2, -2),
    "the other day": (-8, -1),
    "tomorrow": (1, 1),
    "day after tomorrow": (2, 2),
    "last week": (-14, -1),
    "last weekend": (-9, -1),
    "this week": (-6, 6),
    "this weekend": (-2, 7),
    "weekend": (-9, 8),
    "next week": (1, 14),
    "next weekend": (1, 14),
    "recently": (-8, 0),
    "今天": (0, 0),
    "今晚": (0, 0),
    "今早": (0, 0),
    "昨天": (-1, -1),
    "昨晚": (-1, -1),
    "前天": (-2, -2),
    "大前天": (-3, -3),
    "明天": (1, 1),
    "明晚": (1, 1),
    "后天": (2, 2),
    "大后天": (3, 3),
    "上周": (-14, -1),
    "上星期": (-14, -1),
    "上个星期": (-14, -1),
    "上个周末": (-9, -1),
    "周末": (-9, 8),
    "这周": (-6, 6),
    "本周": (-6, 6),
    "下周": (1, 14),
    "下星期": (1, 14),
    "下个星期": (1, 14),
}
_MONTHLY = {
    "last month": -1,
    "this month": 0,
    "next month": 1,
    "上个月": -1,
    "上月": -1,
    "这个月": 0,
    "本月": 0,
    "下个月": 1,
    "下月": 1,
}
_YEARLY = {
    "last year": -1,
    "this year": 0,
    "next year": 1,
    "去年": -1,
    "今年": 0,
    "明年": 1,
    "前年": -2,
    "last summer": -1,
    "last winter": -1,
    "next summer": 1,
}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "星期": 7, "礼拜": 7}
_UNITS |= {"月": 30, "年": 365}
_SLACK = {1: 0, 7: 3, 30: 16, 365: 183}
"""Days by which a distance told in a unit may be off."""
_WEEK = 8
"""A named day may lie in a span of so many days at most: who said "last week" named no year."""


class NamedDate(Value):
    """A date that a text writes out, with its place; a part that is not written is 0."""

    year: int
    month: int
    day: int
    start: int = 0
    end: int = 0


def read_dates(text: str) -> tuple[NamedDate, ...]:
    """The dates that a text writes out, in order."""
    found: list[NamedDate] = []
    taken = bytearray(len(text))
    for form, pattern in _FORMS:
        for one in pattern.finditer(text):
            if any(taken[one.start() : one.end()]):
                continue
            parts = {"y": 0, "m": 0, "d": 0}
            for key, value in zip(form, one.groups(), strict=True):
                parts[key] = int(value) if value.isdigit() else _MONTHS.index(value[:3].lower()) + 1
            if parts["m"] <= 12 and parts["d"] <= 31:
                found.append(NamedDate(parts["y"], parts["m"], parts["d"], *one.span()))
                taken[one.start() : one.end()] = b"1" * (one.end() - one.start())
    return tuple(sorted(found, key=lambda one: one.start))


def cut_dates(text: str) -> str:
    """The text without the dates that it writes out."""
    found = read_dates(text)
    starts = (0, *(one.end for one in found))
    ends = (*(one.start for one in found), len(text))
    return " ".join(text[start:end] for start, end in zip(starts, ends, strict=True))


class KnownDays:
    """The days that evidence bears out: those of its texts, and those on which they were said."""

    def __init__(self) -> None:
        self.spans: list[tuple[date, date]] = []

    def add_text(self, text: str, said: str) -> None:
        """Take in a text that was said on a day (`YYYY-MM-DD`, empty where that is not known)."""
        day = _read_day(said)
        near = _list_named(text, day)
        # What happened yesterday did not happen today.
        elsewhere = day and any(last < day and (last - first).days < _WEEK for first, last in near)
        self.spans += near if elsewhere or not day else [(day, day), *near]

    def add_named(self, text: str, said: str) -> None:
        """Take in the days alone that a text names, and not the one on which it was said."""
        self.spans += _list_named(text, _read_day(said))

    def bears(self, one: NamedDate) -> bool:
        """Whether the evidence supports a date, as exactly as it is named."""
        years = (one.year,) if one.year else sorted({span[0].year for span in self.spans})
        wanted = [span for year in years if (span := _span_of(one.replace(year=year)))]
        most = _WEEK if one.day else 40 if one.month else 400
        return any(
            low <= last and first <= high and (high - low).days <= most
            for first, last in wanted
            for low, high in self.spans
        )


def _read_day(said: str) -> date | None:
    return date.fromisoformat(said) if times.is_date(said) else None


def _list_named(text: str, day: date | None) -> list[tuple[date, date]]:
    """The days that a text names, from the day on which it was said."""
    found = list(_list_relative(text, day)) if day else []
    for one in read_dates(text):
        years = (one.year,) if one.year else _list_years(day)
        found += (span for year in years if (span := _span_of(one.replace(year=year))))
    return found


def _list_years(day: date | None) -> tuple[int, ...]:
    return (day.year - 1, day.year, day.year + 1) if day else ()


def _span_of(one: NamedDate) -> tuple[date, date] | None:
    """The first and the last day of a date with a year; None if there is no such date."""
    try:
        first = date(one.year, one.month or 1, one.day or 1)
        if one.day:
            return first, first
        last = date(one.year + (not one.month or one.month == 12), one.month % 12 + 1, 1)
        return first, (last if one.month else date(one.year + 1, 1, 1)) - timedelta(1)
    except (ValueError, OverflowError):
        return None


def _list_relative(text: str, day: date) -> Iterator[tuple[date, date]]:
    low = " ".join(text.lower().split())
    for name, (first, last) in _NEAR.items():
        if name in low:
            yield _shift(day, first, last)
    for name, months in _MONTHLY.items():
        if name in low:
            at = day.year * 12 + day.month - 1 + months
            span = _span_of(NamedDate(at // 12, at % 12 + 1, 0))
            yield from (span,) if span else ()
    for name, years in _YEARLY.items():
        span = _span_of(NamedDate(day.year + years, 0, 0)) if name in low else None
        yield from (span,) if span else ()
    yield from _list_months(low, day)
    yield from _list_away(low, day)
    yield from _list_days_of_month(low, day)
    yield from _list_weekdays(low, day)


def _list_months(low: str, day: date) -> Iterator[tuple[date, date]]:
    """`August last year` is a month."""
    for one in _MONTH_OF.finditer(low):
        years = {"last": -1, "this": 0, "next": 1}[one.group(2)]
        month = _MONTHS.index(one.group(1)[:3]) + 1
        span = _span_of(NamedDate(day.year + years, month, 0))
        yield from (span,) if span else ()


def _list_days_of_month(low: str, day: date) -> Iterator[tuple[date, date]]:
    """`On the 11th` is that day of this month, of the last one or of the next."""
    for one in _DAY_OF_MONTH.finditer(low):
        for months in (-1, 0, 1):
            at = day.year * 12 + day.month - 1 + months
            span = _span_of(NamedDate(at // 12, at % 12 + 1, int(one.group(1))))
            yield from (span,) if span else ()


def _shift(day: date, first: int, last: int) -> tuple[date, date]:
    # A day near the ends of the calendar has no neighbours there.
    low, high = date.min.toordinal(), date.max.toordinal()
    start, stop = (min(max(day.toordinal() + step, low), high) for step in (first, last))
    return date.fromordinal(start), date.fromordinal(stop)


def _list_away(low: str, day: date) -> Iterator[tuple[date, date]]:
    """The spans that lie some days, weeks, months or years before or after a day."""
    for one in _AWAY.finditer(low):
        ahead, count, unit, way = one.groups()
        if ahead or way:
            late = bool(ahead) or "later" in way or "now" in way
            yield _shift_by(day, _read_count(count), unit, late=late)
    for one in _ZH_AWAY.finditer(low):
        count, unit, way = one.groups()
        many = int(count) if count.isdigit() else "零一二三四五六七八九十".find(count)
        yield _shift_by(day, 2 if count == "两" else many, unit, late="后" in way)


def _read_count(count: str) -> int:
    if count.isdigit():
        return int(count)
    few = {"a few": 3, "a couple of": 2, "an": 1, "a": 1}
    return few.get(count) or _COUNTS.index(count)


def _shift_by(day: date, count: int, unit: str, *, late: bool) -> tuple[date, date]:
    days = _UNITS[unit]
    middle, slack = count * days * (1 if late else -1), _SLACK[days]
    return _shift(day, middle - slack, middle + slack)


def _list_weekdays(low: str, day: date) -> Iterator[tuple[date, date]]:
    """The days of a week that a text names: the nearest ones on the side that it means."""
    found = [
        (one.group(1) or "", _WEEKDAYS.index(one.group(2)[:3])) for one in _WEEKDAY.finditer(low)
    ]
    for one in _ZH_WEEKDAY.finditer(low):
        where, sign = one.groups()
        number = "一二三四五六日".find(sign.replace("天", "日").replace("末", "六"))
        if where:
            # Unlike `next Friday`, this names the week: 下下周三 is two weeks ahead.
            weeks = len(where) * {"上": -1, "下": 1}.get(where[0], 0)
            away = 7 * weeks + number - day.weekday()
            yield _shift(day, away, away)
        else:
            found.append(("", number))
    for where, number in found:
        before = (day.weekday() - number - 1) % 7 + 1
        late = (number - day.weekday() - 1) % 7 + 1
        past, ahead = (-before, -before - 7), (late, late + 7)
        wanted = (
            past
            if where in ("last", "past", "previous")
            else ahead
            if where in ("next", "coming")
            else (*past[:1], *ahead[:1], 0 if before == 7 else -before)
        )
        for days in wanted:
            yield _shift(day, days, days)
