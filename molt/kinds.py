"""A text as the kinds of its words: those that ask for something to be kept, erased or said again,
those that stand for a memory, those for who speaks.

People say in ever other words what they want of a memory, and of words that it never met a model
knows nothing. What it learned of a kind holds for all its words. Which word is of which kinds is
data (`data/kinds.txt`); those below `itself` are each a kind of its own.
"""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

from molt import resources
from molt.values import Value, keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Kinds = tuple[int, ...]

FEWEST = 24
"""A text with fewer runs and pairs of kinds counts as one with so many."""
_FACTOR = 0x9E3779B1
"""The number of a run is that of its kinds by this one's powers (Knuth, 1973: the golden ratio)."""
_PAIR = 1 << 63
"""What the number of a pair has beside, so that it is none of a run."""
_REACH = 8
"""Kinds that stand so far from each other at most are a pair."""
_OWN = "itself"
_PLAIN = str.maketrans("？！：；，。、’", "?!:;,.,'")
"""Marks as those that they are the wide forms of."""
_MARKS, _STOPS = "?!:;,.", "?!;."
_WIDE = "\u2e80"
"""From here on are signs of scripts that have no spaces."""


class WordKinds(Value):
    """The kinds of each word, how long those in signs without spaces are by their first one, the
    longest first, and the kinds that make pairs.
    """

    words: dict[str, Kinds]
    lengths: dict[str, Kinds]
    paired: frozenset[int]


def list_runs(text: str, size: int) -> set[int]:
    """The numbers, below a prime `size`, of the different runs of up to three kinds in a text's
    sentences, and of those pairs of kinds of which one stands near behind the other.
    """
    table = _load_kinds("data/kinds.txt")
    found: set[int] = set()
    for sentence in _split_sentences(text, table):
        ones = [_BEGIN, *map(sum, sentence), _END]
        twos = [one * _FACTOR + two for one, two in pairwise(ones)]
        found.update(ones, twos)
        found.update(two * _FACTOR + one for two, one in zip(twos, ones[2:], strict=False))
        found.update(_pair_kinds([one for each in sentence for one in each if one in table.paired]))
    return {one % size for one in found}


def _pair_kinds(kinds: list[int]) -> Iterator[int]:
    for at, one in enumerate(kinds):
        for two in kinds[at + 1 : at + _REACH]:
            yield _PAIR + one * _FACTOR + two


def _split_sentences(text: str, table: WordKinds) -> Iterator[list[Kinds]]:
    """The kinds of the words and marks of each sentence; words of no kind in a row are one."""
    words: list[Kinds] = []
    for piece in text.lower().translate(_PLAIN).split():
        for kinds in _find_kinds(piece, table):
            if kinds is not _OTHER or not words or words[-1] is not _OTHER:
                words.append(kinds)
            if kinds[0] in _ENDING:
                yield words
                words = []
    if words:
        yield words


def _find_kinds(piece: str, table: WordKinds) -> Iterator[Kinds]:
    """The kinds of each word and mark of what stands between two blanks."""
    if piece.isascii() and piece.isalpha():
        yield table.words.get(piece, _OTHER)
        return
    at, size = 0, len(piece)
    while at < size:
        end = at + 1
        if piece[at] >= _WIDE:
            end = _find_end(piece, at, table)
            yield table.words.get(piece[at:end], _OTHER)
        elif piece[at].isalnum():
            while end < size and (piece[end].isalnum() or piece[end] == "'") and piece[end] < _WIDE:
                end += 1
            yield table.words.get(piece[at:end].replace("'", ""), _OTHER)
        elif piece[at] in _MARKS and not (
            end < size and piece[end] < _WIDE and piece[end].isalnum()
        ):
            # A mark within a word or a number ends nothing.
            yield _KINDS_OF_MARKS[piece[at]]
        at = end


def _find_end(piece: str, at: int, table: WordKinds) -> int:
    """Where the longest known word ends that begins with the sign at a place."""
    lengths = table.lengths.get(piece[at], ())
    known = (at + length for length in lengths if piece[at : at + length] in table.words)
    return next(known, at + 1)


@keep_last
def _load_kinds(name: str) -> WordKinds:
    """The kinds of words that ship under a name."""
    words: dict[str, Kinds] = {}
    lengths: dict[str, Kinds] = {}
    paired = set()
    for kind, listed in resources.load_lists(name).items():
        number = _number(kind)
        if kind != _OWN:
            paired.add(number)
        for word in listed.split():
            words[word] = (*words.get(word, ()), _number(word) if kind == _OWN else number)
            if word[0] >= _WIDE:
                lengths[word[0]] = (*lengths.get(word[0], ()), len(word))
    ordered = {sign: tuple(sorted({*each}, reverse=True)) for sign, each in lengths.items()}
    return WordKinds(words, ordered, frozenset(paired))


def _number(kind: str) -> int:
    return crc32(kind.encode())


_BEGIN, _END, _OTHER = _number("^"), _number("$"), (_number("_"),)
_KINDS_OF_MARKS = {mark: (_number(mark),) for mark in _MARKS}
_ENDING = frozenset(_number(mark) for mark in _STOPS)
