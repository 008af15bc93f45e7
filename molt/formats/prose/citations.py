"""The places that answers name: `memory/notes/dog.md#L3-L9`, and a day's log by its day."""

from __future__ import annotations

from molt.formats import paths
from molt.formats.times import is_date
from molt.values import Value


class CitedPlace(Value):
    """A file, or a day of whose log it is said (`path` is then that of a day's log), and the lines
    of it, from 1, inclusive; 0 and 0 for all of it.
    """

    path: str
    first: int = 0
    last: int = 0
    day: str = ""


def parse_citation(text: str) -> CitedPlace | None:
    """The place that a text names as answers do: `PATH#L3-L9`, `PATH#L3`, `2026-02-03#L3` or
    `2026-02-03`; None for another text, such as an id or a bare path.
    """
    where, mark, lines = text.partition("#L")
    day = where if is_date(where) else ""
    if not day and not (mark and paths.is_markdown(where)):
        return None
    path = f"{paths.EPISODES}{day}.md" if day else where
    if not mark:
        return CitedPlace(path, day=day)
    start, dash, end = lines.partition("-")
    first, last = _read_number(start), _read_number(end.removeprefix("L") if dash else start)
    return CitedPlace(path, first, last, day) if 0 < first <= last else None


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
