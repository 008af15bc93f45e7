"""Pieces of texts that were looked at before and tell of no secret: of a history most come again.

A text is cut at its blanks. What tells of a secret stands in one piece, or has a part that does, so
a text of harmless pieces tells of none; only groups of digits go on across blanks.
"""

from __future__ import annotations

from molt.policy.secrets import words
from molt.policy.secrets.form import classes
from molt.policy.secrets.tokens import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Shape = tuple[str, str]
    """A shape without blanks, and the kind of its classes."""

# What is kept is a few megabytes; whoever writes in no known language costs a look at each text.
_MOST, _LONG = 1 << 15, 48


class Familiar:
    """What is known of pieces of texts: whether one has any of some marks, a part of any of some
    words in lower case, or any of some shapes.
    """

    def __init__(self, marks: Iterable[str], told: Iterable[str], shapes: Iterable[Shape]) -> None:
        self._marks, self._parts = tuple(marks), _cut_words(words.PARTS, "")
        # Of each word the piece that has the part by which it is told: one alone is looked at.
        self._told = _cut_words(told, *self._parts)
        self._in_ascii = tuple(filter(str.isascii, self._parts))
        self._shapes = tuple((shape.encode(), kind) for shape, kind in shapes)
        self._harmless: set[str] = set()
        self._telling: set[str] = set()

    def knows_harmless(self, text: str) -> bool:
        """Whether no piece of a text has anything of that; each is known afterwards."""
        pieces = set(text.split())
        if not self._telling.isdisjoint(pieces):
            return False
        fresh = pieces - self._harmless
        return not fresh or self._learn(fresh)

    def _learn(self, fresh: set[str]) -> bool:
        for known in (self._harmless, self._telling):
            if len(known) > _MOST:
                known.clear()
        whole = self._is_harmless("\n".join(fresh))
        telling = () if whole else [one for one in fresh if not self._is_harmless(one)]
        self._telling.update([one for one in telling if len(one) <= _LONG])
        fresh.difference_update(telling)
        self._harmless.update([one for one in fresh if len(one) <= _LONG])
        return whole

    def _is_harmless(self, pieces: str) -> bool:
        # The dash stands in every subject, and a text of ASCII is searched in half of the time.
        plain = pieces.replace("—", " ")
        if has_one(PARTS, plain) and has_one(self._marks, plain):
            return False
        lower = plain.lower()
        parts = self._in_ascii if lower.isascii() else self._parts
        if has_one(parts, lower) and has_one(self._told, lower):
            return False
        made = {kind: classes(plain, kind) for kind in "wbA"}
        return not any(shape in made[kind] for shape, kind in self._shapes)


def _cut_words(words: Iterable[str], *parts: str) -> tuple[str, ...]:
    """Of each word the longest piece that has one of some parts."""
    every = ([one for one in word.split() if has_one(parts, one)] for word in words)
    return tuple(dict.fromkeys(max(pieces, key=len) for pieces in every))


def has_one(parts: tuple[str, ...], text: str) -> bool:
    """Whether one of some parts is in a text."""
    for part in parts:  # noqa: SIM110 `any` of a generator takes twice as long
        if part in text:
            return True
    return False
