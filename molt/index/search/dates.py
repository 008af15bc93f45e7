"""Dates that a query names, exact or relative, and how well the date of a memory fits.

No regular expressions: most queries name no date, and compiling patterns takes longer than
ranking.
"""

from __future__ import annotations

from itertools import pairwise

from molt.index.search import date_words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable

# People tell of a day on the day and in the days after it.
_AFTER = 7
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Words before a month without a number: "may" and "march" are verbs as well.
_BEFORE = frozenset(
    ("in", "since", "during", "last", "this", "of", "until", "early", "late", "mid")
)
_PARTS = {
    "early": (1, 10), "beginning": (1, 10), "start": (1, 10), "初": (1, 10), "上旬": (1, 10),
    "mid": (10, 20), "middle": (10, 20), "中旬": (10, 20),
    "late": (20, 31), "end": (20, 31), "底": (20, 31), "末": (20, 31), "下旬": (20, 31),
}  # fmt: skip
"""Days of a part of a month."""
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")
_UNITS = {"day": (1, 0), "week": (7, 3), "month": (30, 10)}
DAY, WEEK, MONTH, YEAR = "day", "week", "month", "year"
_WITHIN, _WEEKEND = "within", "weekend"
_RELATIVE = {
    "today": (DAY, 0),
    "tonight": (DAY, 0),
    "yesterday": (DAY, 1),
    "last night": (DAY, 1),
    "this week": (WEEK, 0),
    "last week": (WEEK, 1),
    "this month": (MONTH, 0),
    "last month": (MONTH, 1),
    "this year": (YEAR, 0),
    "last year": (YEAR, 1),
    "before yesterday": (DAY, 2),
    "last weekend": (_WEEKEND, 0),
    "the weekend": (_WEEKEND, 0),
    "past week": (_WITHIN, 7),
    "past month": (_WITHIN, 30),
    "past year": (_WITHIN, 365),
}
_CHINESE = {
    "今天": (DAY, 0),
    "今晚": (DAY, 0),
    "大前天": (DAY, 3),
    "昨天": (DAY, 1),
    "昨晚": (DAY, 1),
    "前天": (DAY, 2),
    "这周": (WEEK, 0),
    "本周": (WEEK, 0),
    "上周": (WEEK, 1),
    "上星期": (WEEK, 1),
    "上个星期": (WEEK, 1),
    "这个月": (MONTH, 0),
    "本月": (MONTH, 0),
    "上月": (MONTH, 1),
    "上个月": (MONTH, 1),
    "今年": (YEAR, 0),
    "去年": (YEAR, 1),
    "前年": (YEAR, 2),
    "周末": (_WEEKEND, 0),
    "上周末": (_WEEKEND, 0),
}


class Span(Value):
    """Days that a query names. A year of 0 means any year, a day of 0 the whole month, of which
    `part` has the first and last day that are meant most, and a month of 0 the whole year. With
    `since`, all days from there up to `until` are meant instead.
    """

    year: int = 0
    month: int = 0
    day: int = 0
    part: tuple[int, int] = (1, 31)
    since: str = ""
    until: str = ""


def fit(date: str, spans: tuple[Span, ...]) -> float:
    """How well a date (YYYY-MM-DD) fits the best of some spans, from 0 to 1."""
    return max((_fit_span(date, span) for span in spans), default=0.0)


def _fit_span(date: str, span: Span) -> float:
    import datetime

    if span.since:
        return float(span.since <= date <= span.until)
    year, month = int(date[:4]), int(date[5:7])
    if not span.day:
        near = span.part[0] <= int(date[8:10]) <= span.part[1]
        return (1.0 if near else 0.5) * (span.year in (0, year) and span.month in (0, month))
    try:
        named = datetime.date(span.year or year, span.month, span.day)
    except ValueError:
        return 0.0
    late = (datetime.date.fromisoformat(date) - named).days
    return 1.0 if late in (0, 1) else 0.5 if 0 < late <= _AFTER else 0.0


def list_days(text: str) -> tuple[str, ...]:
    """The days with which headings and lines of a log begin (`## 2026-03-04`), as YYYY-MM-DD."""
    rows = (row.lstrip("#-*+> [(\t").lstrip()[:10] for row in text.split("\n"))
    return tuple(dict.fromkeys(row for row in rows if row[4:5] == "-" == row[7:8]))


def spans(query: str, today: Callable[[], str]) -> tuple[Span, ...]:
    """The days that a query names. `today` is called only if it names some by their distance."""
    lower = query.lower()
    plain = lower.replace("’", "'").replace("'s ", " ").replace(",", " ").replace("mid-", "mid ")
    words = [word.strip(".,;:!?\"'()[]").removesuffix("'s") for word in plain.split()]
    words = date_words.translate_days(words)
    found = [*_find_numeric(words), *_find_months(words)]
    # The year of "April of 2026" is no year as a whole.
    taken = {one.year for one in found}
    found += [one for one in _find_years(words) if one.year not in taken]
    if "月" in query or "年" in query:
        found += _find_ideographs(query)
    relative = [*_find_relative(words), *_find_ago(words), *_find_weekdays(words)]
    if not query.isascii():
        relative += _find_chinese(query)
    if relative:
        import datetime

        now = datetime.date.fromisoformat(today())
        found += [_span_before(now, *one) for one in relative]
    return tuple(found)


def _parse_number(word: str, low: int, high: int) -> int:
    """The number that a word stands for if it lies within bounds; else 0."""
    for end in ("st", "nd", "rd", "th"):
        word = word.removesuffix(end)
    fits = word.isascii() and word.isdigit() and len(word) <= 4 and low <= int(word) <= high
    return int(word) if fits else 0


def _parse_year(words: list[str], at: int) -> int:
    return _parse_number(words[at], 1900, 2099) if at < len(words) else 0


def _parse_month(word: str) -> int:
    """The number of a month by its name, or three or four letters of it; else 0."""
    if len(word) >= 3:
        for number, name in enumerate(_MONTHS, 1):
            if word == name or (len(word) <= 4 and word[:3] == name[:3] and name.startswith(word)):
                return number
    return 0


def _find_numeric(words: list[str]) -> list[Span]:
    """Dates in digits: 2024-01-16 (or without the day), 16.01.2024, 16/01/2024, 2024/1/16. If the
    first of two numbers could also be the month, both readings count.
    """
    found: list[Span] = []
    for word in words:
        mark = next((one for one in "-./" if one in word), "")
        parts = word.split(mark) if mark else []
        if len(parts) not in (2, 3) or (len(parts) == 2 and mark != "-"):
            continue
        if year := _parse_number(parts[0], 1900, 2099):
            found += _make_day(year, *parts[1:])
        elif len(parts) == 3 and (year := _parse_number(parts[2], 1900, 2099)):
            found += _make_day(year, parts[1], parts[0])
            if mark == "/" and parts[0] != parts[1]:
                found += _make_day(year, parts[0], parts[1])
    return found


def _make_day(year: int, month: str, day: str = "") -> list[Span]:
    number = _parse_number(month, 1, 12)
    last = _parse_number(day, 1, 31) if day else 0
    return [Span(year, number, last)] if number and (last or not day) else []


def _find_months(words: list[str]) -> list[Span]:
    found: list[Span] = []
    for at, word in enumerate(words):
        if month := _parse_month(word):
            before = at - 1 if at and words[at - 1] != "of" else at - 2
            day = _parse_number(words[before], 1, 31) if before >= 0 else 0
            late = 0 if day or at + 1 >= len(words) else _parse_number(words[at + 1], 1, 31)
            skip = 1 + bool(late or words[at + 1 : at + 2] == ["of"])
            year = _parse_year(words, at + skip)
            if day or late or year or (at and words[at - 1] in _BEFORE):
                found.append(Span(year, month, day or late, _find_part(words[:at])))
    return found


def _find_part(before: list[str]) -> tuple[int, int]:
    """The part of a month that the words before it name: early, late in, at the end of."""
    *_, two, one = ("", "", *before)
    word = one if one in ("early", "mid", "late") else two * (one in ("of", "in"))
    # What ends in April does so on any day of it.
    known = one == "of" or word in ("early", "mid", "late")
    return _PARTS.get(word, (1, 31)) if known else (1, 31)


def _find_years(words: list[str]) -> list[Span]:
    """Years that stand alone after a word of time, such as "in 2023"."""
    pairs = pairwise(words)
    years = (_parse_number(word, 1900, 2099) for before, word in pairs if before in _BEFORE)
    return [Span(year) for year in years if year]


def _find_ideographs(query: str) -> list[Span]:
    import re

    number = rf"(\d\d?|[{_DIGITS[1:]}]{{1,3}})"
    years = rf"((?:19|20)\d\d|[{_DIGITS}]{{4}})\s*年"
    parts = "(初|上旬|中旬|下旬|底|末)?"
    pattern = rf"(?:{years}\s*)?{number}\s*月(?:份)?{parts}(?:\s*{number}\s*[日号號])?|{years}"
    found: list[Span] = []
    for *first, part, day, alone in re.findall(pattern, query):
        year, month, on, only = map(_read_numeral, (*first, day, alone))
        if month <= 12:
            found.append(Span(year or only, month, on, _PARTS.get(part, (1, 31))))
    return found


_DIGITS = "〇一二三四五六七八九十"


def _read_numeral(text: str) -> int:
    """A number in Arabic or in Chinese digits (二十一, 二〇二四); 0 for anything else."""
    if text.isdecimal() or not text:
        return int(text or 0)
    tens, ten, ones = text.partition("十")
    if not ten:
        return int("".join(str(_DIGITS.index(char)) for char in text))
    head = _DIGITS.index(tens) if tens in _DIGITS and tens else 1
    return 10 * head + (_DIGITS.index(ones) if ones and ones in _DIGITS else 0)


def _find_chinese(query: str) -> list[tuple[str, int]]:
    """Days by their distance in Chinese: 昨天, 三天前, 最近三天, 上周五."""
    names = [name for name in _CHINESE if name in query]
    # 前天 is no part of 大前天.
    found = [_CHINESE[one] for one in names if not any(one != o and one in o for o in names)]
    if not any(unit in query for unit in (*_HAN_UNITS, "礼拜")):
        # To compile a pattern takes longer than all else here.
        return found
    import re

    counted = r"(\d{1,3}|[一两二三四五六七八九十]{1,3})个?(天|周|星期|月)"
    for recent, count, unit, ago in re.findall(rf"(最近|过去|近)?{counted}(前)?", query):
        days, slack = _UNITS[_HAN_UNITS[unit]]
        many = _read_numeral(count.replace("两", "二")) * days
        if ago or recent:
            found.append((f"around {slack}" if ago else _WITHIN, many))
    if "月" in query and (named := re.search(r"上个?月(\d\d?)[日号]", query)):
        found = [one for one in found if one != (MONTH, 1)]
        found.append((f"{MONTH} {named[1]}", 1))
    for last, day in re.findall(r"(上个?)?(?:周|星期|礼拜)([一二三四五六日天])", query):
        number = "一二三四五六日".index(day.replace("天", "日"))
        found = [one for one in found if not (last and one == (WEEK, 1))]
        found.append(("weekday before" if last else "weekday", number))
    return found


_HAN_UNITS = {"天": "day", "周": "week", "星期": "week", "月": "month"}


def _find_relative(words: list[str]) -> list[tuple[str, int]]:
    names = [*words, *(f"{one} {two}" for one, two in pairwise(words))]
    if "before yesterday" in names:
        names.remove("yesterday")
    return [_RELATIVE[name] for name in names if name in _RELATIVE]


def _find_ago(words: list[str]) -> list[tuple[str, int]]:
    """Days by their distance: so many days, weeks or months ago, the longer the less exact; or the
    last so many of them.
    """
    found: list[tuple[str, int]] = []
    for at, word in enumerate(words):
        unit = words[at - 1].removesuffix("s") if at >= 2 else ""
        if word == "ago" and unit in _UNITS and (many := _count_units(words[at - 2])):
            days, slack = _UNITS[unit]
            found.append((f"around {slack}", many * days))
        unit = word.removesuffix("s")
        if at >= 2 and words[at - 2] in ("last", "past") and unit in _UNITS:
            found.append((_WITHIN, _count_units(words[at - 1]) * _UNITS[unit][0]))
    return [one for one in found if one[1]]


def _count_units(word: str) -> int:
    """The number that a word stands for; 0 for none."""
    if word in _NUMBERS:
        return _NUMBERS.index(word) + 1
    return int(word == "a") or _parse_number(word, 1, 999)


def _find_weekdays(words: list[str]) -> list[tuple[str, int]]:
    pairs = pairwise(words)
    return [("weekday", _DAYS.index(day)) for before, day in pairs
            if before in ("last", "on", "past", "this") and day in _DAYS]  # fmt: skip


def find_days(text: str, today: Callable[[], str]) -> tuple[str, str] | None:
    """The first and the last day (`YYYY-MM-DD`) that a text means where people would say a day: an
    ISO date, `yesterday`, `last week`, `16.01.2024`, `三月二十日`; None if it means none. A month
    without a year is the latest one that has begun.
    """
    import calendar

    named = spans(text, today)
    if not named:
        return None
    one = named[0]
    if one.since:
        return one.since, one.until
    now = today()
    year = one.year or (int(now[:4]) - (f"{one.month:02d}" > now[5:7]))
    first = f"{year:04d}-{one.month or 1:02d}-{one.day or one.part[0]:02d}"
    month = one.month or 12
    last = one.day or min(one.part[1], calendar.monthrange(year, month)[1])
    return first, f"{year:04d}-{month:02d}-{last:02d}"


def date_span(span: Span, today: Callable[[], str]) -> Span:
    """A day without a year as the latest such day; any other span unchanged."""
    if span.since or span.year or not span.day:
        return span
    now = today()
    late = f"{span.month:02d}-{span.day:02d}" > now[5:10]
    return span.replace(year=int(now[:4]) - late)


def _span_before(now: datetime.date, unit: str, count: int) -> Span:
    """The span `count` units before a day; for a weekday, the last one before it."""
    import datetime

    if unit == YEAR:
        return Span(now.year - count)
    if unit == MONTH:
        month = now.replace(day=1) - datetime.timedelta(1) if count else now
        return Span(month.year, month.month)
    if unit.startswith(MONTH):
        month = now.replace(day=1) - datetime.timedelta(1)
        return Span(month.year, month.month, int(unit.partition(" ")[2]))
    if unit in (_WITHIN, _WEEKEND):
        # The last weekend is that before this week.
        back = count if unit == _WITHIN else now.weekday() + 2
        first = now - datetime.timedelta(back)
        end = now if unit == _WITHIN else first + datetime.timedelta(1)
        return Span(since=first.isoformat(), until=end.isoformat())
    slack = 0
    if unit == "weekday before":
        # 上周三 is the Wednesday of the week before this one.
        count = now.weekday() - count + 7
        unit = DAY
    if unit == WEEK:
        first = now - datetime.timedelta(now.weekday() + 7 * count)
        return Span(since=first.isoformat(), until=(first + datetime.timedelta(6)).isoformat())
    if unit == "weekday":
        count = (now.weekday() - count - 1) % 7 + 1
    elif unit != DAY:
        slack = int(unit.partition(" ")[2])
    first, last = (now - datetime.timedelta(count + step) for step in (slack, -slack))
    return Span(since=first.isoformat(), until=last.isoformat())
