"""The clock, which only a door may read."""

from __future__ import annotations

from molt.memory import days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


def seconds() -> float:
    """The seconds since 1970."""
    import time

    return time.time()  # noqa: TID251 a door reads the clock


def now(zone: str) -> datetime:
    """The time in a workspace's zone. Raises Usage for a zone that is none."""
    return days.read_time(seconds(), zone)
