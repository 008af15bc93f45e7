"""Times as the files write them, to seconds and back."""

from __future__ import annotations

from molt import values

DAY = 86_400  # seconds
LATEST = 253_402_300_799
"""The last second of the year 9999: four digits are what every format of molt has for a year."""


def is_date(text: str) -> bool:
    """Whether a text is a calendar date `YYYY-MM-DD`."""
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return False
    year, month, day = text[:4], text[5:7], text[8:]
    if not (year.isdigit() and month.isdigit() and day.isdigit()) or year == "0000":
        return False
    leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= int(month) <= 12 and 1 <= int(day) <= lengths[int(month) - 1]


def day_before(date: str) -> str:
    """The calendar date before another."""
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:])
    if day > 1:
        return f"{date[:8]}{day - 1:02}"
    if month == 1:
        return f"{year - 1:04}-12-31"
    last = next(end for end in (31, 30, 29, 28) if is_date(f"{date[:4]}-{month - 1:02}-{end}"))
    return f"{date[:4]}-{month - 1:02}-{last}"


def is_time(text: str) -> bool:
    """Whether a text is a time `HH:MM` or `HH:MM:SS`."""
    size = len(text)
    if size not in (5, 8) or not text.isascii() or text[2] != ":" or text[5:6] not in ("", ":"):
        return False
    hour, minute, second = text[:2], text[3:5], text[6:]
    return f"{hour}{minute}{second}".isdigit() and hour < "24" and minute < "60" > second


def parse_time(stamp: object) -> float | None:
    """The second that an ISO time means, of a date its first one; None for what is none.

    A time without a zone is UTC.
    """

    text = stamp if isinstance(stamp, str) else ""
    if not is_date(text[:10]):
        return None
    day = f"{text[:10]}T00:00:00Z"
    if len(text) == 20 and text[10] == "T" and text[19] == "Z" and is_time(text[11:19]):
        day = text
    elif len(text) > 10:
        return _parse_unusual_time(text)
    # The days-from-civil algorithm of Howard Hinnant: `datetime` takes longer to import than this.
    year, month, date = int(day[:4]), int(day[5:7]), int(day[8:10])
    year -= month < 3
    era, rest = divmod(year, 400)
    days = (153 * ((month + 9) % 12) + 2) // 5 + date - 1
    days += era * 146_097 + rest * 365 + rest // 4 - rest // 100 - 719_468
    return days * float(DAY) + int(day[11:13]) * 3600 + int(day[14:16]) * 60 + int(day[17:19])


def _parse_unusual_time(text: str) -> float | None:
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def render_time(second: float) -> str:
    """A second as decay-scores.json writes it: UTC, with `Z`."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@values.keep_last
def render_day(days: int) -> str:
    """The date of a day since 1970 (the civil-from-days algorithm of Howard Hinnant)."""
    days += 719_468
    era, day = divmod(days, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year += era * 400 + (month <= 2)
    return f"{year:04}-{month:02}-{date:02}"
