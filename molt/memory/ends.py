"""The last day on which something holds, as people say it: what is to come, never what was."""

from __future__ import annotations

from molt import errors
from molt.formats import times
from molt.memory import days

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    import re

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMERALS = "一二三四五六七八九十"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEAR = {"today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2}
_NEAR |= {"今天": 0, "今晚": 0, "明天": 1, "明晚": 1, "后天": 2, "後天": 2}
_UNITS = {"天": "day", "日": "day", "周": "week", "週": "week", "星期": "week", "礼拜": "week"}
_UNITS |= {"禮拜": "week", "月": "month", "年": "year"}
_AWAY = rf"(?:in |for )?(\d{{1,3}}|an?|{'|'.join(_NUMBERS)}) (day|week|month|year)s?(?: from now)?"
_HAN = "|".join(_UNITS)
_HAN_AWAY = rf"(\d{{1,3}}|[{_NUMERALS}两兩]) ?[个個]?({_HAN})(?:之?[后後]|以[后後]|内|內)?"
_WHOLE = r"(?:the )?(?:end of )?(?:the )?(this |next |)(week|month|year)"
_HAN_WHOLE = rf"([这這本今下明])[个個]?({_HAN})(?:底|末)?"
_WEEKDAY = rf"(?:on )?(this |next |)({'|'.join(_WEEKDAYS)})"
_HAN_WEEKDAY = r"([这這本下]?)[个個]?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])"
_HAN_NEXT = frozenset("下明")


def find_last_day(text: str, zone: str, now: float) -> str:
    """The last day (YYYY-MM-DD) that a text means in a zone, counted from the second `now`: an ISO
    date or time stays as it is, `2 weeks` and `Friday` are to come, and a week, a month or a year
    ends with its last day. Empty for an empty text. Raises Usage for what is no date, or a day
    that is past where the text does not name it as it is.
    """
    said = " ".join(text.lower().split())
    if not said or (times.is_date(said[:10]) and said[10:11] in ("", "t", " ")):
        return text
    from datetime import date

    today = date.fromisoformat(days.day(now, zone))
    for find in (_find_near, _find_away, _find_whole, _find_weekday):
        if found := find(said, today):
            return found.isoformat()
    try:
        last = days.find_days(text, zone, now)[1]
    except errors.Usage as error:
        raise errors.Usage(f"{text!r} is no date", _such_as(today)) from error
    if last < today.isoformat():
        raise errors.Usage(f"{text!r} was {last}", _such_as(today))
    return last


def _match(pattern: str, said: str) -> re.Match[str] | None:
    # A command that is given no last day compiles none of the patterns.
    import re

    return re.fullmatch(pattern, said)


def _such_as(today: datetime.date) -> str:
    return f"write the last day as {_add(today, 'month', 1)}, tomorrow, friday or 2 weeks"


def _find_near(said: str, today: datetime.date) -> datetime.date | None:
    return _add(today, "day", _NEAR[said]) if said in _NEAR else None


def _find_away(said: str, today: datetime.date) -> datetime.date | None:
    """So many days, weeks, months or years from today."""
    if found := _match(_AWAY, said):
        count = found[1]
        number = int(count) if count.isdecimal() else _count(_NUMBERS, count)
        return _add(today, found[2], number)
    if found := _match(_HAN_AWAY, said):
        count = found[1]
        number = (
            int(count)
            if count.isdecimal()
            else _count(_NUMERALS, "二" if count in "两兩" else count)
        )
        return _add(today, _UNITS[found[2]], number)
    return None


def _count(words: tuple[str, ...] | str, word: str) -> int:
    return words.index(word) + 1 if word in words else 1


def _find_whole(said: str, today: datetime.date) -> datetime.date | None:
    """The last day of this or the next week, month or year."""
    if found := _match(_WHOLE, said):
        unit, later = found[2], found[1] == "next "
    elif (found := _match(_HAN_WHOLE, said)) and _UNITS[found[2]] != "day":
        unit, later = _UNITS[found[2]], found[1] in _HAN_NEXT
    else:
        return None
    if unit == "week":
        return _add(today, "day", 6 - today.weekday() + 7 * later)
    first = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    return _add(_add(first, unit, 1 + later), "day", -1)


def _find_weekday(said: str, today: datetime.date) -> datetime.date | None:
    """The first such day after today, or where a text says `next` that of the next week."""
    if found := _match(_WEEKDAY, said):
        at, later = _WEEKDAYS.index(found[2]), found[1] == "next "
    elif found := _match(_HAN_WEEKDAY, said):
        at, later = min((_NUMERALS[:6] + "日天").index(found[2]), 6), found[1] == "下"
    else:
        return None
    if later:
        return _add(today, "day", at - today.weekday() + 7)
    return _add(today, "day", (at - today.weekday() - 1) % 7 + 1)


def _add(start: datetime.date, unit: str, count: int) -> datetime.date:
    """A day so many days, weeks, months or years later; a month's last day where it has no such."""
    from calendar import monthrange
    from datetime import timedelta

    if unit in ("day", "week"):
        return start + timedelta(days=count * (7 if unit == "week" else 1))
    months = start.year * 12 + start.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return start.replace(year=year, month=month, day=min(start.day, monthrange(year, month)[1]))
