"""What a model's summary of a person's words adds to them."""

from __future__ import annotations

from contextlib import suppress

from molt import errors, trees
from molt.formats import bullets, inventions, paths, times
from molt.memory import ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.engines.verdict import RouteAnswer
    from molt.memory.workspace import Workspace

_WINDOW, _MOST = 4, 60
"""Words that name a day together, and how many of a text are looked at."""


def find_added(ws: Workspace, said: RouteAnswer, words: str, now: float) -> tuple[str, ...]:
    """Return the numbers, dates and names of an answer's text that a person's words do not have.
    The user's own name is in any words, and a relative date is the day that it means at the second
    `now`.
    """
    labels = [one.label for one in said.entities]
    evidence = f"{words} {find_user(ws)}"
    added = inventions.find_inventions(said.text, evidence, labels)
    if now and added and any(times.is_date(part.strip(".,;:()")) for part in said.text.split()):
        days = " ".join(_list_days(ws, words, now))
        added = inventions.find_inventions(said.text, f"{evidence} {days}", labels)
    return added


def _list_days(ws: Workspace, words: str, now: float) -> Iterator[str]:
    """The days that parts of a text mean."""
    zone = ws.config.workspace_timezone
    parts = [part.strip(".,;:!?()\"'") for part in words.split()[:_MOST]]
    signs = list(words[:_MOST]) if not words.isascii() else []
    for every, mark in ((parts, " "), (signs, "")):
        for size in range(1, _WINDOW + 1):
            for at in range(len(every) - size + 1):
                with suppress(errors.MoltError, ValueError):
                    yield ends.find_last_day(mark.join(every[at : at + size]), zone, now)


def find_user(ws: Workspace) -> str:
    """Return the name of the user, as core memory or USER.md says it; empty if neither does."""
    core = trees.read_text(ws.head(), paths.CORE)
    rows = [one.text for one in bullets.core_bullets(core) if one.block == bullets.BLOCKS[0]]
    rows += trees.read_text(ws.head(), "USER.md").split("\n")
    for row in rows:
        key, colon, name = row.strip("-* ").replace("*", "").partition(":")
        if colon and key.strip().casefold() == "name" and name.strip():
            return name.strip()
    return ""
