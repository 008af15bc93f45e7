"""Days that a text names: written out, or by their distance from the day on which it was said."""

from __future__ import annotations

import re
from datetime import date, timedelta

from molt.formats import times
from molt.formats.prose import amounts
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Span = tuple[date, date]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|january|february|april|june|july|august|september"
    r"|october|november|december)\b\.?"
)
_YEAR = r"((?:19|20)\d\d)"
_TH = r"(?:st|nd|rd|th)?"
_HAN = r"(\d\d?|[一二三四五六七八九十]{1,3})"
_NO_MONTH = "[份底初末]?[前后内]|光|饼|球|薪"
_TO = r"\s*[-–—~至到]\s*"
_FORMS = (
    ("ymd", re.compile(rf"(?<!\d){_YEAR}[-/.](\d\d?)[-/.](\d\d?)(?!\d)")),
    ("ymd", re.compile(rf"(?<!\d){_YEAR}\s*年\s*{_HAN}\s*月\s*{_HAN}\s*[日号號]?")),
    ("ym", re.compile(rf"(?<!\d){_YEAR}\s*年\s*{_HAN}\s*月")),
    ("mdd", re.compile(rf"(?<![\d个個]){_HAN}\s*月\s*{_HAN}\s*[日号號]?{_TO}{_HAN}\s*[日号號]")),
    ("md", re.compile(rf"(?<![\d个個]){_HAN}\s*月\s*{_HAN}\s*[日号號]")),
    ("mddy", re.compile(rf"\b{_MONTH}\s+(\d\d?){_TH}{_TO}(\d\d?){_TH},?\s+{_YEAR}\b")),
    ("mdd", re.compile(rf"\b{_MONTH}\s+(\d\d?){_TH}{_TO}(\d\d?){_TH}\b(?!:)")),
    ("ddmy", re.compile(rf"\b(\d\d?){_TH}{_TO}(\d\d?){_TH}\s+{_MONTH},?\s+{_YEAR}\b")),
    ("ddm", re.compile(rf"\b(\d\d?){_TH}{_TO}(\d\d?){_TH}\s+{_MONTH}")),
    ("mdy", re.compile(rf"\b{_MONTH}\s+(\d\d?){_TH},?\s+{_YEAR}\b")),
    ("dmy", re.compile(rf"\b(\d\d?){_TH}\.?\s*(?:of\s+)?{_MONTH},?\s+{_YEAR}\b")),
    ("dmy", re.compile(rf"(?<![\d.])(\d\d?)\.(\d\d?)\.{_YEAR}(?!\d)")),
    ("dm", re.compile(rf"\b({'|'.join(amounts.ORDINALS)})\s+of\s+{_MONTH}")),
    ("my", re.compile(rf"\b{_MONTH}(?:\s+of)?,?\s+{_YEAR}\b")),
    ("md", re.compile(rf"\b{_MONTH}\s+(?:the\s+)?(\d\d?){_TH}\b(?!:)")),
    ("dm", re.compile(rf"\b(\d\d?){_TH}\.?\s*(?:of\s+)?{_MONTH}")),
    ("ym", re.compile(rf"(?<!\d){_YEAR}-(\d\d)(?![\d-])")),
    ("m", re.compile(rf"(?<![\d个個一二三四五六七八九十上下这本每几]){_HAN}\s*月(?!{_NO_MONTH})")),
    ("m", re.compile(rf"\b{_MONTH}(?!['’]?\w)")),
    ("y", re.compile(rf"(?<![\d.,:$€£#-]){_YEAR}(?![\d.,:]\d|\d|-\d)(?=\s*年|[^\w%]|$)")),
)  # fmt: skip
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(
    r"\b(last|past|previous|this|next|coming|on)?\s*"
    r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(last|this|next|on)\s+(mon|tues?|wed|thur?s?|fri|sat|sun)\b",
)
_END_OF = re.compile(
    r"\bend of (?:the |this )?(month|year)\b|(?<![\d一二三四五六七八九十个])(月底|月末|年底|年末)"
)
_MONTH_END = re.compile(rf"\bend of {_MONTH}(?:\s+{_YEAR})?|{_HAN}月[底末]")
_HAN_WEEKDAY = re.compile(r"(上+|下+|本|这)?个?(?:周|星期|礼拜)([一二三四五六日天])")
_AWAY = re.compile(
    r"\b(?:(in|within|for)\s+)?(?:(?:about|almost|nearly|over)\s+)?(?:the\s+)?"
    r"(?:(last|past|next|coming)\s+)?"
    r"(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of)"
    r"\s+(day|week|month|year)s?\b(?:'\s+time)?"
    r"(\s+(?:ago|before|earlier|later|after|from now|now))?",
)
_PASSED = ("ago", "before", "earlier", "now")
_FEW = {"a few": "3", "a couple of": "2", "an": "1", "a": "1"}
_MONTH_OF = re.compile(rf"\b{_MONTH}(?:\s+of)?\s+(last|this|next)\s+year\b", re.IGNORECASE)
_DAY_OF_MONTH = re.compile(r"\bthe (\d\d?)(?:st|nd|rd|th)\b(?!\s+(?:of|floor|day|time|step))")
_HAN_AWAY = re.compile(
    r"(\d{1,3}|[一二两三四五六七八九十]{1,2})个?(天|周|星期|礼拜|月|年)(以?前|之前|以?后|之后)"
)
_EVERY = re.compile(r"(?:\b(?:every|each)\s+(?:\w+\s+)?\w+day|\w+days|每[^，。；,.;]{0,5}.)$")
_NEAR = {
    "day before yesterday": (-2, -2), "yesterday": (-1, -1), "last night": (-1, -1),
    "day after tomorrow": (2, 2), "tomorrow": (1, 1), "today": (0, 0), "tonight": (0, 0),
    "this morning": (0, 0), "this afternoon": (0, 0), "this evening": (0, 0),
    "the other day": (-8, -1), "last weekend": (-9, -1), "next weekend": (1, 14),
    "this weekend": (-2, 7), "last week": (-14, -1), "this week": (-6, 6), "next week": (1, 14),
    "大前天": (-3, -3), "前天": (-2, -2), "昨天": (-1, -1), "昨晚": (-1, -1), "昨日": (-1, -1),
    "大后天": (3, 3), "后天": (2, 2), "明天": (1, 1), "明晚": (1, 1), "明日": (1, 1),
    "今天": (0, 0), "今晚": (0, 0), "今早": (0, 0), "今日": (0, 0),
    "上个周末": (-9, -1), "上周末": (-9, -1), "这周末": (-2, 7), "下周末": (1, 14),
    "上个星期": (-14, -1), "上星期": (-14, -1), "上周": (-14, -1),
    "这个星期": (-6, 6), "这周": (-6, 6), "本周": (-6, 6),
    "下个星期": (1, 14), "下星期": (1, 14), "下周": (1, 14),
}  # fmt: skip
_MONTHLY = {"last month": -1, "this month": 0, "next month": 1, "上个月": -1, "上月": -1}
_MONTHLY |= {"这个月": 0, "本月": 0, "下个月": 1, "下月": 1}
_YEARLY = {"last year": -1, "this year": 0, "next year": 1, "去年": -1, "今年": 0, "明年": 1}
_YEARLY |= {"前年": -2, "last summer": -1, "last winter": -1, "next summer": 1, "new year": 0}
_NEW_YEAR = ("new year", "元旦")
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "星期": 7, "礼拜": 7}
_UNITS |= {"月": 30, "年": 365}
_SLACK = {1: 0, 7: 3, 30: 16, 365: 183}
"""Days by which a distance told in a unit may be off."""
_WEEK = 8
"""A named day may lie in a span of so many days at most: who said "last week" named no day."""


class NamedDate(Value):
    """A date that a text writes out, with its place; a part that is not written is 0."""

    year: int
    month: int
    day: int
    start: int = 0
    end: int = 0


class RelativeDay(Value):
    """Words that name a day by its distance from another, where they stand, and the first and last
    day that they mean.
    """

    words: str
    start: int
    end: int
    first: date
    last: date


def read_dates(text: str) -> tuple[NamedDate, ...]:
    """Return the dates that a text writes out, in order, with months and years that stand alone."""
    found: list[NamedDate] = []
    taken = bytearray(len(text))
    for form, pattern in _FORMS:
        for one in pattern.finditer(text):
            if any(taken[one.start() : one.end()]):
                continue
            said = zip(form, one.groups(), strict=True)
            parts = [(key, _read_part(key, word)) for key, word in said]
            known = dict(parts)
            if known.get("m", 1) > 12 or any(key == "d" and not 0 < at < 32 for key, at in parts):
                continue
            days = [at for key, at in parts if key == "d"] or [0]
            head = (known.get("y", 0), known.get("m", 0))
            found += (NamedDate(*head, day, *one.span()) for day in days)
            taken[one.start() : one.end()] = b"1" * (one.end() - one.start())
    return tuple(sorted(found, key=lambda one: one.start))


def _read_part(key: str, said: str) -> int:
    if key == "m" and said[0].isascii() and said[0].isalpha():
        return _MONTHS.index(said[:3].lower()) + 1
    ordinals = amounts.ORDINALS
    return ordinals.index(said) + 1 if said in ordinals else amounts.read_numeral(said)


class KnownDays:
    """The days that some texts name, and those on which they were said."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._weekdays: set[int] = set()
        self._said: list[date] = []

    def add_text(self, text: str, said: str) -> None:
        """Take in a text that was said on a day (`YYYY-MM-DD`, empty where that is not known)."""
        day = date.fromisoformat(said) if times.is_date(said) else None
        self._weekdays |= {number for _, number in _find_weekdays(text.lower())}
        if day is not None:
            self._said.append(day)
            self.spans.append((day, day))
            self.spans += ((one.first, one.last) for one in list_relative(text, day))
        self.spans += (span for one in read_dates(text) for span in _list_spans(one, day))
        for end in _MONTH_END.finditer(text):
            year, month = int(end[2] or 0), _read_part("m", end[1] or end[3])
            self.spans += ((last, last) for _, last in _list_spans(NamedDate(year, month, 0), day))

    def bears(self, one: NamedDate) -> bool:
        """Return whether the texts support a date, as exactly as it is named."""
        years = (one.year,) if one.year else sorted({span[0].year for span in self.spans})
        wanted = [span for year in years if (span := _span_of(one.replace(year=year)))]
        return any(self._overlap(span, _WEEK if one.day else 40 if one.month else 400)
                   for span in wanted)  # fmt: skip

    def list_strange(self, text: str, today: str) -> list[str]:
        """Return the words of a text that name a day by its distance, counted from the days on
        which the texts were said (or from `today`), and none of those that they name.
        """
        known: dict[tuple[int, int, str], bool] = {}
        days = self._said or ([date.fromisoformat(today)] if times.is_date(today) else [])
        for day in days:
            for one in list_relative(text, day):
                key = (one.start, one.end, one.words)
                known[key] = known.get(key, False) or self._overlap((one.first, one.last), 400)
        # What comes every week is no day of its own: that weekday is named.
        low = text.lower()
        often = (one[0] for one, at in _find_weekdays(low)
                 if at not in self._weekdays and _EVERY.search(low, 0, one.end()))  # fmt: skip
        return [*often, *(words for (_, _, words), fits in known.items() if not fits)]

    def _overlap(self, wanted: Span, most: int) -> bool:
        first, last = wanted
        return any(low <= last and first <= high and (high - low).days <= most
                   for low, high in self.spans)  # fmt: skip


def _list_spans(one: NamedDate, day: date | None) -> list[Span]:
    """Return the spans of a date, in each year near to a day where it names none."""
    years = (one.year,) if one.year else (day.year - 1, day.year, day.year + 1) if day else ()
    return [span for year in years if (span := _span_of(one.replace(year=year)))]


def _span_of(one: NamedDate) -> Span | None:
    """Return the first and the last day of a date with a year; None if there is no such date."""
    try:
        first = date(one.year, one.month or 1, one.day or 1)
        if one.day:
            return first, first
        last = date(one.year + (not one.month or one.month == 12), one.month % 12 + 1, 1)
        return first, (last if one.month else date(one.year + 1, 1, 1)) - timedelta(1)
    except (ValueError, OverflowError):
        return None


def names_relative(text: str) -> bool:
    """Return whether a text names a day by its distance from another."""
    return next(list_relative(text, _ANY_DAY), None) is not None


_ANY_DAY = date(2000, 1, 1)


def list_relative(text: str, day: date) -> Iterator[RelativeDay]:
    """Yield the words of a text that name days by their distance from a day."""
    low = text.lower()
    taken: list[tuple[int, int]] = []
    for (words, start, end), spans in _list_near(low, day):
        if not any(start < stop and begin < end for begin, stop in taken):
            taken.append((start, end))
            yield from (RelativeDay(words, start, end, *span) for span in spans)
    for one, spans in (*_list_away(low, day), *_list_weekdays(low, day), *_list_ends(low, day)):
        if not any(one.start() < stop and begin < one.end() and one[0].strip() in low[begin:stop]
                   for begin, stop in taken):  # fmt: skip
            for span in spans:
                yield RelativeDay(one[0].strip(), *one.span(), *span)


def _list_ends(low: str, day: date) -> Iterator[tuple[re.Match[str], list[Span]]]:
    """Yield the last days of a month or a year that is only called so: 月底, `end of the year`."""
    for one in _END_OF.finditer(low):
        month = one[1] == "month" or (one[2] or "").startswith("月")
        spans = _find_month(day, 0) if month else _list_meant("this year", day)
        yield one, [(last, last) for _, last in spans]


def _list_near(low: str, day: date) -> Iterator[tuple[tuple[str, int, int], list[Span]]]:
    months = ((one[0], *one.span()) for one in _MONTH_OF.finditer(low))
    for name, start, end in months:
        year = day.year + {"last": -1, "this": 0, "next": 1}[name.split()[-2]]
        span = _span_of(NamedDate(year, _MONTHS.index(name[:3]) + 1, 0))
        yield (name, start, end), [span] if span else []
    for name in (*_NEAR, *_MONTHLY, *_YEARLY, *_NEW_YEAR):
        for start in _find_all(low, name):
            yield (name, start, start + len(name)), list(_list_meant(name, day))


def _find_all(low: str, name: str) -> Iterator[int]:
    at = low.find(name)
    while at >= 0:
        end = at + len(name)
        inside = name.isascii() and (low[at - 1 : at].isalpha() or low[end : end + 1].isalpha())
        # 上周三 and 下周五 name their day themselves.
        named = name[-1] in "周期" and low[end : end + 1] in tuple("一二三四五六日天")
        if not inside and not named:
            yield at
        at = low.find(name, end)


def _list_meant(name: str, day: date) -> Iterator[Span]:
    if name in _NEW_YEAR:
        for year in (day.year, day.year + 1):
            yield from filter(None, [_span_of(NamedDate(year, 1, 1))])
    elif name in _NEAR:
        yield _shift(day, *_NEAR[name])
    elif name in _MONTHLY:
        yield from _find_month(day, _MONTHLY[name])
    else:
        yield from filter(None, [_span_of(NamedDate(day.year + _YEARLY[name], 0, 0))])


def _find_month(day: date, months: int, number: int = 0) -> Iterator[Span]:
    at = day.year * 12 + day.month - 1 + months
    yield from filter(None, [_span_of(NamedDate(at // 12, at % 12 + 1, number))])


def _shift(day: date, first: int, last: int) -> Span:
    # A day near the ends of the calendar has no neighbours there.
    low, high = date.min.toordinal(), date.max.toordinal()
    start, stop = (min(max(day.toordinal() + step, low), high) for step in (first, last))
    return date.fromordinal(start), date.fromordinal(stop)


def _list_away(low: str, day: date) -> Iterator[tuple[re.Match[str], list[Span]]]:
    """Yield what lies some days, weeks, months or years before or after a day, and days of this,
    the last or the next month that are named by their number alone.
    """
    for one in _AWAY.finditer(low):
        ahead, side, count, unit, way = one.groups()
        # "Has had for years" began that long ago.
        since = ahead == "for" and not side and unit in ("month", "year")
        if (ahead and ahead != "for") or since or way or (side and count not in ("a", "an")):
            back = since or side in ("last", "past") or (way or "").strip() in _PASSED
            number = amounts.read_amounts(_FEW.get(count, count))[0].value
            yield one, [_shift_by(day, int(number), unit, late=not back)]
    for one in _HAN_AWAY.finditer(low):
        count, unit, way = one.groups()
        yield one, [_shift_by(day, amounts.read_numeral(count), unit, late="后" in way)]
    for one in _DAY_OF_MONTH.finditer(low):
        yield one, [near for step in (-1, 0, 1) for near in _find_month(day, step, int(one[1]))]


def _shift_by(day: date, count: int, unit: str, *, late: bool) -> Span:
    days = _UNITS[unit]
    middle, slack = count * days * (1 if late else -1), _SLACK[days]
    return _shift(day, middle - slack, middle + slack)


def _list_weekdays(low: str, day: date) -> Iterator[tuple[re.Match[str], list[Span]]]:
    """Yield the days of a week that a text names: the nearest ones on the side that it means."""
    for one, number in _find_weekdays(low):
        where = one[1] or ("" if one.re is _HAN_WEEKDAY else one[3] or "")
        # Unlike `next Friday`, this names the week: 下下周三 is two weeks ahead.
        away = 7 * len(where) * {"上": -1, "下": 1}.get(where[:1], 0) + number - day.weekday()
        near = [away] if where and not where.isascii() else _find_weekday(day, where, number)
        yield one, [_shift(day, at, at) for at in near]


def _find_weekdays(low: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield each weekday that a text names, with its number."""
    for one in _WEEKDAY.finditer(low):
        yield one, _WEEKDAYS.index((one[2] or one[4])[:3])
    for one in _HAN_WEEKDAY.finditer(low):
        yield one, "一二三四五六日".index(one[2].replace("天", "日"))


def _find_weekday(day: date, where: str, number: int) -> Iterable[int]:
    before, late = (day.weekday() - number - 1) % 7 + 1, (number - day.weekday() - 1) % 7 + 1
    if where in ("last", "past", "previous"):
        return (-before, *((-before - 7,) if before < 4 else ()))
    if where in ("next", "coming"):
        return (late, *((late + 7,) if late < 7 else ()))
    return (-before, late, *((0,) if before == 7 else ()))


def is_day_name(word: str) -> bool:
    """Return whether a word is the name of a month or of a day of the week."""
    low = word.lower()
    month = re.fullmatch(_MONTH, low.capitalize())
    return low in _WEEKDAYS or bool(month or _WEEKDAY.fullmatch(low))
