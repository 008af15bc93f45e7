"""Small changes of a text that can be taken back exactly, because each says what it took away."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Splice(Value):
    """At a place of a text, counted in characters, one text goes and another one comes."""

    at: int
    removed: str
    inserted: str


class Stale(Exception):
    """A text is not the one that a splice was made for."""


def apply_all(text: str, splices: Iterable[Splice]) -> str:
    """The text after the splices, one after the other. Raises Stale."""
    for one in splices:
        text = _replace_part(text, one.at, one.removed, one.inserted)
    return text


def undo_all(text: str, splices: Iterable[Splice]) -> str:
    """The text that `apply_all` made this one of. Raises Stale."""
    for one in reversed(tuple(splices)):
        text = _replace_part(text, one.at, one.inserted, one.removed)
    return text


def _replace_part(text: str, at: int, before: str, after: str) -> str:
    end = at + len(before)
    if text[at:end] != before:
        raise Stale
    return text[:at] + after + text[end:]
