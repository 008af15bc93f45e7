"""Which of many sets of words a text holds, anywhere in it.

A text or two are searched for one word after the other. Who reads a history reads thousands, and
most of what stands in them came before: then a text is cut at its blanks, and what a piece holds is
found once. That takes a twentieth of the time, and some milliseconds to prepare.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Words = tuple[str, ...]
    Parts = tuple[Words, ...]
    Held = tuple[int, tuple[str, ...]]
    """The lists of which a piece holds a word, and the words of which it may hold a part."""

# Letters by which long words are found in a piece: fewer begin too many of them.
_BEGIN = 4
# Texts that are searched word by word before a table is made, which takes as long.
_FEW = 32
# What is remembered of pieces is a few megabytes. Longer ones, as sentences without blanks, hardly
# ever come again.
_MOST, _LONGEST = 1 << 15, 32
_join = str.__add__


def split_words(words: str) -> Words:
    """A list of words, written with `|` between them."""
    return tuple(words.split("|"))


class WordSets:
    """Sets of lists of words; a text holds one that has a word of each of its lists."""

    def __init__(self, every: Sequence[Parts]) -> None:
        self._every = every
        # A list of words is part of many sets, and the same object in each.
        self._lists = {id(words): words for parts in every for words in parts}
        self._ascii: dict[int, Words] = {}
        self._read = 0
        self._bits: dict[str, int] = {}
        self._short: dict[str, Held] = {}
        self._long: dict[str, list[tuple[str, Held]]] = {}
        self._begins: frozenset[str] = frozenset()
        self._blank: tuple[str, ...] = ()
        self._needs: list[tuple[int, Parts]] = []
        self._found: dict[int, tuple[Parts, ...]] = {}
        self._bare: set[str] = set()
        self._telling: dict[str, Held] = {}

    def find_held(self, text: str) -> Iterator[Parts]:
        """The sets that a text holds, in their order."""
        self._read += 1
        if self._read < _FEW:
            return self._search(text)
        if not self._needs:
            self._prepare()
        return iter(self._look_up(text))

    def _search(self, text: str) -> Iterator[Parts]:
        known: dict[int, bool] = {}
        plain = text.isascii()
        for parts in self._every:
            for words in parts:
                held = known.get(id(words))
                if held is None:
                    sought = self._take_ascii(words) if plain else words
                    held = known[id(words)] = _has_one(sought, text)
                if not held:
                    break
            else:
                yield parts

    def _take_ascii(self, words: Words) -> Words:
        """Those of the words that a text of ASCII alone can have, found once a list."""
        found = self._ascii.get(id(words))
        if found is None:
            found = self._ascii[id(words)] = tuple(filter(str.isascii, words))
        return found

    def _prepare(self) -> None:
        """Give each list a bit, each word those of its lists, and each set what it needs.

        A word that has blanks is looked for where the longest of its pieces is.
        """
        bits = {key: 1 << number for number, key in enumerate(self._lists)}
        for key, words in self._lists.items():
            for word in words:
                self._bits[word] = self._bits.get(word, 0) | bits[key]
        pieces: dict[str, Held] = {}
        for word, held in self._bits.items():
            piece = max(word.split(), key=len, default="")
            known, others = pieces.get(piece, (0, ()))
            pieces[piece] = (known | held, others) if piece == word else (known, (*others, word))
        self._blank = pieces.pop("", (0, ()))[1]
        for piece, told in pieces.items():
            if len(piece) < _BEGIN:
                self._short[piece] = told
            else:
                self._long.setdefault(piece[:_BEGIN], []).append((piece, told))
        self._begins = frozenset((*self._short, *self._long))
        needs: list[tuple[int, Parts]] = []
        for parts in self._every:
            need = 0
            for words in parts:
                need |= bits[id(words)]
            needs.append((need, parts))
        # Last: by it another thread sees that all is there.
        self._needs = needs

    def _look_up(self, text: str) -> tuple[Parts, ...]:
        pieces = set(text.split())
        pieces -= self._bare
        held, likely = 0, self._blank
        for piece in pieces:
            bits, words = self._telling.get(piece) or self._learn(piece)
            held |= bits
            likely += words
        for word in likely:
            if word in text:
                held |= self._bits[word]
        found = self._found.get(held)
        return self._tell_sets(held) if found is None else found

    def _tell_sets(self, held: int) -> tuple[Parts, ...]:
        """The sets of which a text holds all lists, which is remembered too: the lists that it
        holds are few, and often the same.
        """
        if len(self._found) > _MOST:
            self._found.clear()
        found = tuple([parts for need, parts in self._needs if held & need == need])
        self._found[held] = found
        return found

    def _learn(self, piece: str) -> Held:
        """What a piece holds, which is remembered."""
        bits: int = 0
        words: tuple[str, ...] = ()
        pairs = [*map(_join, piece, piece[1:])]
        triples, fours = map(_join, pairs, piece[2:]), map(_join, pairs, pairs[2:])
        for gram in self._begins.intersection((*piece, *pairs, *triples, *fours)):
            found = self._long.get(gram) or ((gram, self._short[gram]),)
            for word, (told, others) in found:
                if word in piece:
                    bits, words = bits | told, words + others
        if len(piece) <= _LONGEST:
            self._remember(piece, (bits, words))
        return bits, words

    def _remember(self, piece: str, held: Held) -> None:
        if len(self._bare) > _MOST:
            self._bare.clear()
        if len(self._telling) > _MOST:
            self._telling.clear()
        if held[0] or held[1]:
            self._telling[piece] = held
        else:
            self._bare.add(piece)


def _has_one(words: Words, text: str) -> bool:
    for word in words:  # noqa: SIM110 `any` of a generator takes twice as long
        if word in text:
            return True
    return False
