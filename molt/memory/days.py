"""What people call days and times, in a workspace's zone."""

from __future__ import annotations

from molt import errors
from molt.formats import times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo


def read_time(second: float, zone: str) -> datetime:
    """The time of a second in a zone. Raises Usage for a zone that is none."""
    from datetime import datetime

    place = _zone_info(zone)
    # Without a place the local one is taken, with the rules that it has at that time.
    return datetime.fromtimestamp(second, place).astimezone(place)


def parse_second(text: str, zone: str) -> float | None:
    """The second that a date or an ISO time means in a zone, of a date its last one; None for
    another text. Raises Usage for a zone that is none.
    """
    from datetime import datetime

    if not times.is_date(text[:10]) or text[10:11] not in ("", "T", " "):
        return None
    try:
        found = datetime.fromisoformat(text if text[10:] else f"{text}T23:59:59")
        return found.replace(tzinfo=found.tzinfo or _zone_info(zone)).timestamp()
    except (ValueError, OverflowError):
        return None


def find_days(text: str, zone: str, now: float) -> tuple[str, str]:
    """The first and the last day that a text means in a zone: an ISO date or time stays as it is,
    and a person's `yesterday`, `last week`, `16.01.2024` or `March 20` counts from the second
    `now`. Two empty ones for an empty text. Raises Usage where it means none.
    """
    if not text or (times.is_date(text[:10]) and text[10:11] in ("", "T", " ")):
        return text, text
    from molt.index.search import dates

    today = day(now, zone)
    for said in (text, f"last {text}", f"in {text}"):
        found = dates.find_days(said, lambda: today)
        if found and all(map(times.is_date, found)):
            return found
    raise errors.Usage(f"{text!r} is no date", "such as 2026-02-02, yesterday or 16.01.2024")


def day(second: float, zone: str) -> str:
    """The day (YYYY-MM-DD) that a second is in. Raises Usage for a zone that is none."""
    from datetime import datetime

    return datetime.fromtimestamp(second, _zone_info(zone)).date().isoformat()


def _zone_info(zone: str) -> ZoneInfo | None:
    if zone == "local":
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise errors.Usage(
            f"molt.yaml: {zone!r} is no time zone", "such as Europe/Berlin, or local"
        ) from error
