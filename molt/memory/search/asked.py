"""What somebody asks a search with, in words: days as people say them, a moment, a scope."""

from __future__ import annotations

from molt import errors
from molt.index.search.filters import Filters
from molt.memory import days
from molt.memory.search.search import SearchOptions
from molt.memory.search.visible import Sight
from molt.memory.visible import views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.search.at import Moment
    from molt.memory.workspace import Workspace


def read_moment(ws: Workspace, text: str, now: float) -> Moment | None:
    """The moment that a text means at the second `now`; None for an empty one. What git calls so
    comes before what a person calls a day. Raises NotFound where it means none.
    """
    if not text:
        return None
    from molt.memory.search import at as past

    zone = ws.config.workspace_timezone
    try:
        return past.find_moment(ws.repo, text, days.parse_second(text, zone), now)
    except errors.NotFound:
        try:
            _, last = days.find_days(text, zone, now)
        except errors.Usage:
            last = text
        if last == text:
            raise
    return past.find_moment(ws.repo, last, days.parse_second(last, zone), now)


def read_question(text: str) -> str:
    """The text that somebody asks. Raises Usage for one of nothing but blanks."""
    if not text.strip():
        raise errors.Usage("there is nothing to ask", 'molt search "what to find"')
    return text


def read_options(ws: Workspace, given: dict[str, Any], now: float) -> SearchOptions:
    """What the options of a search mean at the second `now`, under the names that the command line
    has for them; they are taken out of `given`. Raises Usage for what means nothing, and NotFound
    for a moment that there was not.
    """
    given["tags"] = tuple(part.strip() for tag in given["tags"] for part in tag.split(","))
    at = read_moment(ws, given.pop("at"), now)
    second = at.now if at else now
    zone = ws.config.workspace_timezone
    given["since"] = days.find_days(given["since"], zone, second)[0]
    given["until"] = days.find_days(given["until"], zone, second)[1]
    if nearest := given.pop("nearest"):
        given.pop("min_score")
    return SearchOptions(
        limit=given.pop("limit"),
        min_score=0.0 if nearest else given.pop("min_score"),
        sight=Sight(second, given.pop("dormant"), given.pop("archived")),
        today=lambda: days.day(second, zone),
        # What is left of them when this comes.
        filters=Filters(view=views.read_view(ws.config, given), **given),
        at=at,
    )
