"""Pieces of texts that were looked at before and tell of no secret: of a history most come again.

A text is cut at its blanks. What tells of a secret stands in one piece, or has a part that does, so
a text of harmless pieces tells of none; only groups of digits go on across blanks.
"""

from __future__ import annotations

from molt.policy import glance
from molt.policy.glance import DIGITS, classes, has_one
from molt.policy.secrets import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.policy.secrets.places import Sought

    Shape = tuple[str, str]
    """A shape without blanks, and the kind of its classes."""

# What is kept is a few megabytes; whoever writes in no known language costs a look at each text.
_MOST, _LONG = 1 << 15, 48


class Familiar:
    """What is known of pieces of texts: whether one has any of some marks, a part of any of some
    words in lower case, or any of some shapes.
    """

    def __init__(self, marks: Iterable[str], told: Iterable[str], shapes: Iterable[Shape]) -> None:
        self._marks = PartedWords(marks, glance.MARKS)
        self._told = PartedWords(told, dict.fromkeys(map(_cut_word, glance.WORDS)))
        self._shapes = tuple((shape.encode(), kind) for shape, kind in shapes)
        self._harmless: set[str] = set()
        self._telling: set[str] = set()
        self._plain: frozenset[str] = frozenset()

    def find_words(self, lower: str) -> dict[str, str]:
        """The words of which a text in lower case has the piece by which they are told, with it."""
        return dict(self._told.find_likely(lower))

    def find_telling(self, text: str) -> list[str]:
        """The pieces of a text that have anything of that, perhaps with others beside them."""
        fresh = set(text.split()) - self._harmless
        if not fresh:
            return []
        telling = fresh & self._telling
        fresh -= telling
        return [*telling, *self._learn(list(fresh))] if fresh else [*telling]

    def learn(self, text: str) -> None:
        """Tell apart the pieces, and the lines, of what is going to be asked in parts: to look at
        each part by itself takes longer. Of lines those of the last text are known.
        """
        fresh = set(text.split()) - self._harmless - self._telling
        plain = list(filter(str.isascii, fresh))
        self._learn(plain)
        self._learn(list(fresh.difference(plain)))
        lines = list(dict.fromkeys(text.split("\n")))
        counted = places.find_lines("\n".join(lines), [("0", DIGITS)])
        holds = self._harmless.issuperset
        self._plain = frozenset(
            line for at, line in enumerate(lines) if holds(line.split()) and at not in counted
        )

    def drop_plain(self, text: str) -> str:
        """A text without lines that are known to tell of nothing."""
        if not self._plain:
            return text
        return "\n".join([line for line in text.split("\n") if line not in self._plain])

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
        # A word that has two parts is found by both.
        marks = dict.fromkeys(mark for mark, _ in self._marks.find_likely(plain))
        words = dict.fromkeys(self.find_words(lower).values())
        found: list[Sought] = [("", one) for one in marks]
        found += [(places.LOWER, one) for one in words]
        made = {kind: classes(plain, kind) for kind in "wbAp"}
        shaped = [(kind, shape.decode()) for shape, kind in self._shapes if shape in made[kind]]
        return found + shaped


class PartedWords:
    """Words, each of which has some of a few parts. Those of a part are looked up when a text has
    it: most processes meet one part or none.
    """

    def __init__(self, words: Iterable[str], parts: Iterable[str]) -> None:
        self._words, self._parts = tuple(words), tuple(parts)
        self._in_ascii = tuple(filter(str.isascii, self._parts))
        self._below: dict[str, list[tuple[str, str]]] = {}

    def find_likely(self, text: str) -> Iterator[tuple[str, str]]:
        """The words of which a text has the piece by which they are told, with it; some twice."""
        for part in self._in_ascii if text.isascii() else self._parts:
            if part in text:
                yield from (pair for pair in self._list_below(part) if pair[1] in text)

    def _list_below(self, part: str) -> list[tuple[str, str]]:
        below = self._below.get(part)
        if below is None:
            having = (word for word in self._words if part in word)
            below = self._below[part] = [(word, _cut_word(word, *self._parts)) for word in having]
        return below


def _cut_word(word: str, *parts: str) -> str:
    """The longest piece of a word that has one of some parts, if any."""
    if " " not in word:
        return word
    longest = sorted(word.split(), key=len, reverse=True)
    return next(one for one in longest if has_one(parts or (one,), one))
