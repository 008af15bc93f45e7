"""Which of many texts are surely no orders, told of all at once.

What `likeness` sums up for one text after the other, NumPy sums up here for hundreds of them in a
third of the time. Whatever needs a second look is left to who reads texts one by one: what may be
masked or framed, and what comes near the bound.
"""

from __future__ import annotations

from array import array
from itertools import chain

import numpy as np

from molt import runs
from molt.policy.orders import likeness, masks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Spans = tuple[Numbers, Numbers]
    """Where parts of a row of words begin, and where they end."""

_NEAR = 0.999
"""The share of the bound that is near it: the root of a number may differ in its last bits."""
_BITS = 20
_RUN = (1 << _BITS) - 1
"""The bits of the number of a run, which is below `likeness.SIZE`."""
# What is remembered of pieces is a few megabytes.
_MOST = 1 << 15


class _Pieces(dict[str, int]):
    """Numbers of what stands between two blanks; and of each number where its words end among those
    of all, whether a sentence ends with it, and what it says of masks.
    """

    def __init__(self) -> None:
        self.words, self.ends = array("q"), array("q", (0,))
        self.stops, self.signs = array("b"), array("q")

    def __missing__(self, piece: str) -> int:
        words = runs.list_words(piece)
        self.words.extend(words)
        self.ends.append(len(self.words))
        self.stops.append(piece[-1] in runs.STOPS)
        # A text that is not ASCII is looked at for masks as a whole.
        self.signs.append(masks.weigh_piece(piece) if piece.isascii() else 0)
        self[piece] = number = len(self)
        return number


_known = [_Pieces()]


def list_harmless(texts: Sequence[str]) -> list[str]:
    """Those of some texts that are surely no orders; of the others most are none, either. None may
    be longer than `masks.LONGEST`.
    """
    if len(_known[0]) > _MOST:
        _known[0] = _Pieces()
    plain = filter(masks.is_bare, texts)
    rows = ((text, [*map(_known[0].__getitem__, runs.split_pieces(text))]) for text in plain)
    bare = [(text, row) for text, row in rows if row]
    if not bare:
        return []
    lengths = np.fromiter((len(row) for _, row in bare), np.int64)
    pieces = np.fromiter(chain.from_iterable(row for _, row in bare), np.int64)
    close = np.fromiter((len(text) for text, _ in bare), np.int64) <= masks.CLOSE * lengths
    told = _find_masked(np.frombuffer(_known[0].signs, np.int64)[pieces], lengths, close)
    told[_find_like(_known[0], pieces, lengths)] = True
    return [text for (text, _), bad in zip(bare, told.tolist(), strict=True) if not bad]


def _find_masked(signs: Numbers, lengths: Numbers, close: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of each text whether it may be masked: what its pieces say of it, how many there are, and
    whether they are so short that they may be letters of a word.
    """
    sums = np.add.reduceat(signs, np.cumsum(lengths) - lengths)
    found = close & ((sums >> masks.SINGLE & masks.COUNT) >= masks.SPACED)
    for shift, most in masks.LIMITS:
        found |= (sums >> shift & masks.COUNT) >= most
    return found


def _find_like(known: _Pieces, pieces: Numbers, lengths: Numbers) -> Numbers:
    """The texts of which a part comes near the bound, some of them several times."""
    starts, ends = (np.frombuffer(known.ends, np.int64)[pieces + more] for more in (0, 1))
    counts = ends - starts
    words = np.frombuffer(known.words, np.int64)[_count_up(starts, counts)]
    if not len(words):
        return words
    behind = np.cumsum(counts)
    # A mark that ends a sentence may stand alone, behind the last word or before the first.
    closing = np.frombuffer(known.stops, np.int8)[pieces] != 0
    closing[np.cumsum(lengths) - 1] = True
    lasts = np.unique(behind[closing])
    text_of = np.repeat(np.repeat(np.arange(len(lengths)), lengths), counts)
    begins, ends = _list_parts(lasts[lasts > 0], text_of)
    return text_of[begins[_are_near((begins, ends), words)]]


def _list_parts(ends: Numbers, text_of: Numbers) -> Spans:
    """The parts that `likeness.cut_parts` makes of texts, from where their sentences end."""
    begins = np.concatenate(([0], ends[:-1]))
    same = text_of[begins[1:]] == text_of[begins[:-1]]
    begins = np.concatenate((begins, begins[:-1][same]))
    ends = np.concatenate((ends, ends[1:][same]))
    whole, step = likeness.PART, likeness.PART // 2
    long = ends - begins > whole
    first, last = begins[long], ends[long]
    counts = -((first + step - last) // step)
    halves = np.repeat(first, counts) + step * _count_up(0 * first, counts)
    stops = np.minimum(halves + whole, np.repeat(last, counts))
    return np.concatenate((begins, halves)), np.concatenate((ends, stops))


def _are_near(parts: Spans, words: Numbers) -> NDArray[np.bool_]:
    """Of each part of some words whether its weights come near the bound."""
    bound, weights = likeness.load_model()
    # The runs of a part stand together, in order, so that what is there twice counts once.
    wide = words >= runs.WIDE
    found = np.sort(_list_runs(parts, words % likeness.SIZE, wide))
    fresh = np.concatenate(([True], found[1:] != found[:-1]))
    found = found[fresh]
    each = np.frombuffer(weights, np.uint8)[found & _RUN].astype(np.int64) - likeness.NIL
    starts = np.searchsorted(found, np.arange(len(parts[0])) << _BITS)
    lengths = np.diff(starts, append=len(found))
    least = _NEAR * bound * np.sqrt(np.maximum(lengths, runs.FEWEST))
    least[_are_of_signs(parts, wide)] *= likeness.OF_SIGNS
    near: NDArray[np.bool_] = np.add.reduceat(each, starts) > least
    return near


def _are_of_signs(parts: Spans, wide: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of each part of some words whether most of them are signs of scripts without spaces."""
    before = np.concatenate(([0], np.cumsum(wide)))
    most: NDArray[np.bool_] = 2 * (before[parts[1]] - before[parts[0]]) > parts[1] - parts[0]
    return most


def _list_runs(parts: Spans, ones: Numbers, wide: NDArray[np.bool_]) -> Numbers:
    """The runs that `runs.WordRuns` lists of each part, with the number of the part above; those
    of four words begin with a sign that is `wide`.
    """
    begins, ends = parts
    lengths, numbers = ends - begins, np.arange(len(begins)) << _BITS
    twos = _lengthen(ones, np.roll(ones, -1))
    threes = _lengthen(twos, np.roll(ones, -2))
    fours = _lengthen(threes, np.roll(ones, -3))
    at, above = _count_up(begins, lengths), np.repeat(numbers, lengths)
    left = np.repeat(ends, lengths) - at
    first = _lengthen(ones[begins] * 0 + runs.BEGIN % likeness.SIZE, ones[begins])
    single = lengths == 1
    begun = _lengthen(first, np.where(single, runs.END, np.roll(ones, -1)[begins]))
    ended = _lengthen(twos[ends - 2][~single], runs.END)
    begins_four = (left > 3) & wide[at]
    inside = ((ones, left > 0), (twos, left > 1), (threes, left > 2), (fours, begins_four))
    last_three = (lengths > 2) & np.roll(wide, 2)[ends - 1]
    return np.concatenate(
        (
            *(above[there] + row[at[there]] for row, there in inside),
            *(numbers + row for row in (first, _lengthen(ones[ends - 1], runs.END), begun)),
            numbers[~single] + ended,
            numbers[last_three] + _lengthen(threes[ends[last_three] - 3], runs.END),
        )
    )


def _lengthen(found: Numbers, words: Numbers | int) -> Numbers:
    """Each run with the word behind it, as `runs` numbers it."""
    made: Numbers = (found * (runs.FACTOR % likeness.SIZE) + words) % likeness.SIZE
    return made


def _count_up(starts: Numbers, counts: Numbers) -> Numbers:
    """From each start as many numbers as are asked for, in a row."""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
