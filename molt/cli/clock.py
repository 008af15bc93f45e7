"""The clock, which only a door may read."""

from __future__ import annotations

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


def seconds() -> float:
    """The seconds since 1970."""
    import time

    return time.time()  # noqa: TID251 a door reads the clock


def now(zone: str) -> datetime:
    """The time in a workspace's zone. Raises Usage for a zone that is none."""
    from datetime import datetime

    if zone == "local":
        return datetime.now().astimezone()  # noqa: TID251 a door reads the clock
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        place = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise errors.Usage(
            f"molt.yaml: {zone!r} is no time zone", "such as Europe/Berlin, or local"
        ) from error
    return datetime.now(place)  # noqa: TID251 a door reads the clock
