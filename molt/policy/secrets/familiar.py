"""Pieces of texts that were looked at before and tell of no secret: of a history most come again.

A text is cut at its blanks. What tells of a secret stands in one piece, or has a part that does, so
a text of harmless pieces tells of none; only groups of digits go on across blanks.
"""

from __future__ import annotations

from molt.policy import glance
from molt.policy.glance import classes, has_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Shape = tuple[str, str]
    """A shape without blanks, and the kind of its classes."""

# What is kept is a few megabytes; whoever writes in no known language costs a look at each text.
_MOST, _LONG = 1 << 15, 48
# Of more new pieces than an entry has all are searched: to tell them apart would take longer.
_FEW = 64


class Familiar:
    """What is known of pieces of texts: whether one has any of some marks, a part of any of some
    words in lower case, or any of some shapes.
    """

    def __init__(self, marks: Iterable[str], told: Iterable[str], shapes: Iterable[Shape]) -> None:
        self._marks, self._parts = tuple(marks), tuple(dict.fromkeys(map(_cut_word, glance.WORDS)))
        self._words = tuple(told)
        self._pieces: dict[str, str] = {}
        self._told: tuple[str, ...] = ()
        self._in_ascii = tuple(map(_cut_word, glance.ASCII_WORDS))
        self._shapes = tuple((shape.encode(), kind) for shape, kind in shapes)
        self._harmless: set[str] = set()
        self._telling: set[str] = set()

    def list_pieces(self) -> dict[str, str]:
        """Each word with the piece of it that has the part by which it is told: one alone is looked
        at. Most processes meet no such part.
        """
        if not self._pieces:
            pieces = {word: _cut_word(word, *self._parts) for word in self._words}
            self._told = tuple(dict.fromkeys(pieces.values()))
            self._pieces = pieces
        return self._pieces

    def find_telling(self, text: str) -> list[str]:
        """The pieces of a text that have anything of that, perhaps with others beside them."""
        pieces = set(text.split())
        fresh = pieces - self._harmless
        if not fresh:
            return []
        telling = fresh & self._telling
        fresh -= telling
        return [*telling, *self._learn(fresh)] if fresh else [*telling]

    def _learn(self, fresh: set[str]) -> list[str]:
        for known in (self._harmless, self._telling):
            if len(known) > _MOST:
                known.clear()
        found = list(fresh)
        telling = [] if self._is_harmless("\n".join(found)) else found
        if telling and len(found) > _FEW:
            return telling
        telling = self._narrow(telling)
        self._telling.update([one for one in telling if len(one) <= _LONG])
        fresh.difference_update(telling)
        self._harmless.update([one for one in fresh if len(one) <= _LONG])
        return telling

    def _narrow(self, pieces: list[str]) -> list[str]:
        """Those of some pieces that are not harmless, by halving."""
        if not pieces or self._is_harmless("\n".join(pieces)):
            return []
        half = len(pieces) // 2
        return self._narrow(pieces[:half]) + self._narrow(pieces[half:]) if half else pieces

    def _is_harmless(self, pieces: str) -> bool:
        # The dash stands in every subject, and a text of ASCII is searched in half of the time.
        plain = pieces.replace("—", " ")
        if has_one(glance.MARKS, plain) and has_one(self._marks, plain):
            return False
        lower = plain.lower()
        parts = self._in_ascii if lower.isascii() else self._parts
        if has_one(parts, lower) and self.list_pieces() and has_one(self._told, lower):
            return False
        made = {kind: classes(plain, kind) for kind in "wbAp"}
        return not any(shape in made[kind] for shape, kind in self._shapes)


def _cut_word(word: str, *parts: str) -> str:
    """The longest piece of a word that has one of some parts, if any."""
    if " " not in word:
        return word
    longest = sorted(word.split(), key=len, reverse=True)
    return next(one for one in longest if has_one(parts or (one,), one))
