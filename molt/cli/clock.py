"""The clock, which only a door may read."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from molt import errors


def now(zone: str) -> datetime:
    """The time in a workspace's zone. Raises Usage for a zone that is none."""
    try:
        local = None if zone == "local" else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise errors.Usage(
            f"molt.yaml: {zone!r} is no time zone", "such as Europe/Berlin, or local"
        ) from error
    return datetime.now(local).astimezone(local)  # noqa: TID251 a door reads the clock
