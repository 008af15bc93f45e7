"""Pieces of texts that were looked at before and tell of no secret: of a history most come again.

A text is cut at its blanks. What tells of a secret stands in one piece, or has a part that does, so
a text of harmless pieces tells of none; only groups of digits go on across blanks.
"""

from __future__ import annotations

from molt.policy import glance
from molt.policy.glance import classes, has_one
from molt.policy.secrets import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.policy.secrets.places import Sought

    Shape = tuple[str, str]
    """A shape without blanks, and the kind of its classes."""
    Parted = dict[str, list[str]]
    """Words by a part of theirs that is looked for first."""

# What is kept is a few megabytes; whoever writes in no known language costs a look at each text.
_MOST, _LONG = 1 << 15, 48


class Familiar:
    """What is known of pieces of texts: whether one has any of some marks, a part of any of some
    words in lower case, or any of some shapes.
    """

    def __init__(self, marks: Iterable[str], told: Iterable[str], shapes: Iterable[Shape]) -> None:
        self._marks, self._parts = tuple(marks), tuple(dict.fromkeys(map(_cut_word, glance.WORDS)))
        self._words = tuple(told)
        self._pieces: dict[str, str] = {}
        self._told: Parted = {}
        self._parted: Parted = {}
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
            self._told = _sort_by_part(dict.fromkeys(pieces.values()), self._parts)
            self._pieces = pieces
        return self._pieces

    def find_telling(self, text: str) -> list[str]:
        """The pieces of a text that have anything of that, perhaps with others beside them."""
        fresh = set(text.split()) - self._harmless
        if not fresh:
            return []
        telling = fresh & self._telling
        fresh -= telling
        return [*telling, *self._learn(list(fresh))] if fresh else [*telling]

    def learn(self, text: str) -> None:
        """Tell apart the pieces of what is going to be asked in parts: to look at each part by
        itself takes longer.
        """
        fresh = set(text.split()) - self._harmless - self._telling
        plain = list(filter(str.isascii, fresh))
        self._learn(plain)
        self._learn(list(fresh.difference(plain)))

    def _learn(self, fresh: Sequence[str]) -> list[str]:
        for known in (self._harmless, self._telling):
            if len(known) > _MOST:
                known.clear()
        pieces = "\n".join(fresh)
        signs = self._list_signs(pieces)
        telling = [fresh[at] for at in places.find_lines(pieces, signs)]
        self._telling.update([one for one in telling if len(one) <= _LONG])
        harmless = set(fresh).difference(telling) if telling else fresh
        self._harmless.update([one for one in harmless if len(one) <= _LONG])
        return telling

    def _list_signs(self, pieces: str) -> list[Sought]:
        """The marks, parts of words and shapes that some pieces have, each with what it is sought
        in.
        """
        # The dash stands in every subject, and a text of ASCII is searched in half of the time.
        plain = pieces.replace("—", " ")
        lower = plain.lower()
        found: list[Sought] = []
        if has_one(glance.MARKS, plain):
            self._parted = self._parted or _sort_by_part(self._marks, glance.MARKS)
            found += [("", mark) for mark in _find_parted(self._parted, plain)]
        if has_one(self._in_ascii if lower.isascii() else self._parts, lower):
            self.list_pieces()
            found += [(places.LOWER, one) for one in _find_parted(self._told, lower)]
        made = {kind: classes(plain, kind) for kind in "wbAp"}
        shaped = [(kind, shape.decode()) for shape, kind in self._shapes if shape in made[kind]]
        return found + shaped


def _sort_by_part(words: Iterable[str], parts: Sequence[str]) -> Parted:
    """Some words, each below a part that it has."""
    found: Parted = {}
    for word in words:
        found.setdefault(next(part for part in parts if part in word), []).append(word)
    return found


def _find_parted(words: Parted, text: str) -> Iterator[str]:
    """Those of some words that are in a text."""
    for part, below in words.items():
        if part in text:
            yield from (word for word in below if word in text)


def _cut_word(word: str, *parts: str) -> str:
    """The longest piece of a word that has one of some parts, if any."""
    if " " not in word:
        return word
    longest = sorted(word.split(), key=len, reverse=True)
    return next(one for one in longest if has_one(parts or (one,), one))
