"""Dates that a query names, exact or relative, and how well the date of a memory fits."""

from __future__ import annotations

import re

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?"
    "|sun(?:day)?"
)
_YEAR = r"((?:19|20)\d\d)"
# People tell of a day on the day and in the days after it.
_AFTER = 7


class Span(Value):
    """Days that a query names; a year of 0 means any year, a day of 0 the whole month, a month of
    0 the whole year. With `since` the days from there up to `until` are meant instead.
    """

    year: int = 0
    month: int = 0
    day: int = 0
    since: str = ""
    until: str = ""


def fit(date: str, spans: tuple[Span, ...]) -> float:
    """How well a date (YYYY-MM-DD) fits the best of some spans, from 0 to 1."""
    return max((_fit(date, span) for span in spans), default=0.0)


def _fit(date: str, span: Span) -> float:
    if span.since:
        return float(span.since <= date <= span.until)
    year, month = int(date[:4]), int(date[5:7])
    if span.year and span.year != year and not span.day:
        return 0.0
    if not span.day:
        return float(not span.month or span.month == month)
    import datetime

    try:
        named = datetime.date(span.year or year, span.month, span.day)
    except ValueError:
        return 0.0
    late = (datetime.date(year, month, int(date[8:10])) - named).days
    return 1.0 if late in (0, 1) else 0.5 if 0 < late <= _AFTER else 0.0


def spans(query: str, today: Callable[[], str]) -> tuple[Span, ...]:
    """The days that a query names. `today` is asked for where it names them by distance."""
    import datetime

    text = query.lower()
    if not _hinted(text):
        return ()
    found = _exact(text)
    relative = _relative(text)
    if relative:
        now = datetime.date.fromisoformat(today())
        found += [_back(now, *one) for one in relative]
    return tuple(found)


_SIGNS = "天昨晚周星礼月年"
_WORDS = re.compile(f"[a-z]+|[0-9{_SIGNS}]")
_TIMES = frozenset(
    (
        *("today", "yesterday", "ago", "week", "month", "year", *_MONTHS, *_DAYS),
        *("january", "february", "march", "april", "june", "july", "august", "september"),
        *("sept", "october", "november", "december", "tues", "thurs", "monday", "tuesday"),
        *("wednesday", "thursday", "friday", "saturday", "sunday", *"0123456789", *_SIGNS),
    )
)


def _hinted(text: str) -> bool:
    """Whether a text may name a day: compiling the patterns takes longer than a search."""
    return not _TIMES.isdisjoint(_WORDS.findall(text))


def _exact(text: str) -> list[Span]:
    found: list[Span] = []
    for pattern, order in _PATTERNS:

        def take(match: re.Match[str], order: str = order) -> str:
            parts = dict(zip(order, match.groups(), strict=True))
            month = parts.get("m") or "0"
            number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
            if number <= 12:
                found.append(Span(int(parts.get("y") or 0), number, int(parts.get("d") or 0)))
            return " "

        # What one pattern took, a looser one must not take again.
        text = re.sub(pattern, take, text)
    return found


_PATTERNS = (
    (_YEAR + r"-(\d\d?)-(\d\d?)\b", "ymd"),
    (_YEAR + r"-(\d\d)\b", "ym"),
    (rf"(?:{_YEAR}\s*年)?\s*(\d\d?)\s*月\s*(\d\d?)\s*[日号]", "ymd"),
    (rf"(?:{_YEAR}\s*年)?\s*(\d\d?)\s*月(?:份)?", "ym"),
    (_YEAR + r"\s*年", "y"),
    (rf"\b(\d\d?)(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?,?(?: {_YEAR})?", "dmy"),
    (rf"\b({_MONTH})\b\.? (\d\d?)(?:st|nd|rd|th)?\b,?(?: {_YEAR})?", "mdy"),
    (rf"\b({_MONTH})\b\.?,?(?: of)? {_YEAR}\b", "my"),
    # Without a number a month must stand after a word of time: "may" is a verb as well.
    (rf"\b(?:in|since|during|last|this|of|until|early|late|mid) ({_MONTH})\b", "m"),
    (rf"\b(?:in|since|during|of) {_YEAR}\b", "y"),
)


_ENGLISH = (
    (r"\btoday\b", (0, 0)),
    (r"\byesterday\b", (1, 1)),
    (r"\bthis week\b", (-1, 7)),
    (r"\blast week\b|\ba week ago\b", (-2, 7)),
    (r"\bthis month\b", (-1, 30)),
    (r"\blast month\b|\ba month ago\b", (-2, 30)),
    (r"\bthis year\b", (-1, 365)),
    (r"\blast year\b|\ba year ago\b", (-2, 365)),
    (r"今天", (0, 0)),
    (r"昨天|昨晚", (1, 1)),
    (r"前天", (2, 2)),
    (r"这周|本周|这个?星期", (-1, 7)),
    (r"上周|上个?星期|上个?礼拜", (-2, 7)),
    (r"这个月|本月", (-1, 30)),
    (r"上个?月", (-2, 30)),
    (r"今年", (-1, 365)),
    (r"去年", (-2, 365)),
)
_AGO = r"\b(\d{1,3}|two|three|four|five|six|seven) (day|week|month)s? ago\b"
_NUMBERS = ("two", "three", "four", "five", "six", "seven")
_LAST_DAY = rf"\b(?:last|on|this past) ({_WEEKDAY})\b"


def _relative(text: str) -> list[tuple[int, int]]:
    """What is named by distance: (days ago, days ago), (-1 or -2, length) for this or the last
    week, month or year, (-3, weekday) for the last such day.
    """
    found = [meant for pattern, meant in _ENGLISH if re.search(pattern, text)]
    for count, unit in re.findall(_AGO, text):
        number = int(count) if count.isdigit() else _NUMBERS.index(count) + 2
        days = number * {"day": 1, "week": 7, "month": 30}[unit]
        slack = {"day": 0, "week": 3, "month": 10}[unit]
        found.append((days + slack, days - slack))
    found += [(-3, _DAYS.index(day[:3])) for day in re.findall(_LAST_DAY, text)]
    return found


def _back(now: datetime.date, first: int, second: int) -> Span:
    import datetime

    if first >= 0:
        return _between(now - datetime.timedelta(first), now - datetime.timedelta(second))
    if first == -3:
        ago = (now.weekday() - second - 1) % 7 + 1
        day = now - datetime.timedelta(ago)
        return _between(day, day)
    last = first == -2
    if second == 7:
        start = now - datetime.timedelta(now.weekday() + 7 * last)
        return _between(start, start + datetime.timedelta(6))
    if second == 30:
        month = (now.replace(day=1) - datetime.timedelta(1)) if last else now
        return Span(month.year, month.month)
    return Span(now.year - last)


def _between(first: datetime.date, last: datetime.date) -> Span:
    return Span(since=first.isoformat(), until=last.isoformat())
