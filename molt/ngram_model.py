"""Which of some classes a text is of: a linear model over its n-grams of words and word shapes.

The weights are fitted to labelled sentences by `benchmarks/make_text_models.py`. The shape of a
word of more than four letters is its last three, that of a name inside a sentence is one for all
names: so what the model knows about a sentence holds for words that it never saw.
"""

from __future__ import annotations

import array
import math
import sys
from bisect import bisect_left
from zlib import crc32

from molt import resources, runs
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRIME = 4_294_967_291
"""N-grams are numbered below the largest prime of 32 bits."""
SCALE = 1000
"""Biases and bounds are stored in thousandths."""
_SHORT, _SUFFIX = 4, 3
_NAME = crc32(b"Name")
# A piece between two blanks is met again and again: what it holds is kept, up to some megabytes.
_MOST, _LONGEST = 1 << 14, 32
_pieces: dict[str, tuple[tuple[int, ...], tuple[int, ...], bool]] = {}


class ClassShares(Value):
    """The probability of each class, in the order of the model's classes."""

    classes: tuple[str, ...]
    shares: tuple[float, ...]

    def sum_shares(self, classes: Iterable[str]) -> float:
        """Return the probability that a text is of one of these classes."""
        return sum(self.shares[self.classes.index(one)] for one in classes)


class NgramModel:
    """The model that ships under a name, with its classes in the order of its weights, and whether
    it knows n-grams of shapes.
    """

    def __init__(self, name: str, classes: tuple[str, ...], *, shapes: bool) -> None:
        self.classes = classes
        self.shapes = shapes
        self._name = name
        self._bounds: dict[str, float] = {}
        self._step = 1.0
        self._biases: list[float] = []
        self._ngrams = array.array("I")
        self._weights = memoryview(b"")

    @property
    def bounds(self) -> dict[str, float]:
        """Return the bound of each class, chosen on sentences that the model was not fitted to."""
        self._load()
        return self._bounds

    def weigh_text(self, text: str) -> list[float]:
        """Return the log-odds of each class, up to a constant."""
        self._load()
        ngrams = list_ngrams(text, shapes=self.shapes)
        wide, known, weights = len(self.classes), self._ngrams, self._weights
        rows = [memoryview(bytes(wide))]
        for ngram in ngrams:
            at = bisect_left(known, ngram)
            if at < len(known) and known[at] == ngram:
                rows.append(weights[at * wide : (at + 1) * wide])
        unit = self._step / runs.measure_length(ngrams)
        totals = map(sum, zip(*rows, strict=True))
        return [bias + unit * total for bias, total in zip(self._biases, totals, strict=True)]

    def score_text(self, text: str) -> ClassShares:
        """Return the probability of each class."""
        return ClassShares(self.classes, share_odds(self.weigh_text(text)))

    def _load(self) -> None:
        """Read the file: little-endian numbers of 32 bits (weights in a unit, each class's bound,
        each class's bias, how many n-grams are known, and their numbers in order), then each
        n-gram's weights, a byte each.
        """
        if self._biases:
            return
        with open(resources.find(f"data/{self._name}.i8"), "rb") as file:
            data = file.read()
        wide = len(self.classes)
        head = 4 * (2 + 2 * wide)
        units, *numbers, count = _unpack("i", data[:head])
        self._step = SCALE / units
        self._bounds = {one: at / SCALE for one, at in zip(self.classes, numbers, strict=False)}
        self._ngrams = _unpack("I", data[head : head + 4 * count])
        self._weights = memoryview(data)[head + 4 * count :].cast("b")
        self._biases = [bias / SCALE for bias in numbers[wide:]]


def share_odds(odds: list[float]) -> tuple[float, ...]:
    """Return the probabilities that log-odds stand for."""
    most = max(odds)
    shares = [math.exp(one - most) for one in odds]
    total = sum(shares)
    return tuple(one / total for one in shares)


def list_ngrams(text: str, *, shapes: bool) -> set[int]:
    """Return the numbers of the different n-grams of words, and of shapes, in a text."""
    ngrams: set[int] = set()
    if not shapes:
        for sentence in runs.split_sentences(text):
            ngrams |= runs.list_runs(sentence, PRIME)
        return ngrams
    words: list[int] = []
    forms: list[int] = []
    for piece in runs.split_pieces(text):
        numbers, shaped, is_name = _pieces.get(piece) or _read_piece(piece)
        forms += (_NAME, *shaped[1:]) if words and is_name else shaped
        words += numbers
        if piece[-1] in runs.STOPS and words:
            ngrams |= _join_ngrams(words, forms)
            words, forms = [], []
    return ngrams | _join_ngrams(words, forms) if words else ngrams


def _join_ngrams(words: list[int], shapes: list[int]) -> set[int]:
    """Return the n-grams of a sentence: a script without spaces has no shapes."""
    ngrams = runs.list_runs(words, PRIME)
    return ngrams if max(words) >= runs.WIDE else ngrams | runs.list_runs(shapes, PRIME)


def _read_piece(piece: str) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Return the numbers of the words of a piece, of their shapes, and whether it can be a name."""
    words = runs.split_words(piece)
    numbers = tuple(map(runs.number_word, words))
    shapes = tuple(
        number if len(word) <= _SHORT else crc32(f"~{word[-_SUFFIX:]}".encode("utf-8", "replace"))
        for word, number in zip(words, numbers, strict=True)
    )
    bare = piece.lstrip("(\"'“‘[*_")
    found = numbers, shapes, bool(numbers) and bare[:1].isupper() and bare[1:2].isalnum()
    if len(piece) <= _LONGEST:
        if len(_pieces) >= _MOST:
            _pieces.clear()
        _pieces[piece] = found
    return found


def _unpack(kind: str, data: bytes) -> array.array[int]:
    numbers = array.array(kind, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
