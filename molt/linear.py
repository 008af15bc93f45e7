"""Which of some classes a text is likely of: linear models over runs of words and of their kinds.

A model has for each run that it knows a weight for each class; a text's are summed up. The weights
were learned from labelled sentences by `benchmarks/make_message_models.py`.
"""

from __future__ import annotations

import array
import sys
from bisect import bisect_left
from operator import add

from molt import kinds, resources, runs

PRIME = 4_294_967_291
"""A run's number is divided by this: the largest prime of 32 bits."""


class LinearModel:
    """The model that ships under a name, with its classes in the order of its weights."""

    def __init__(self, name: str, classes: tuple[str, ...]) -> None:
        self._name = name
        self._classes = classes
        self._scale = 1
        self._biases: list[int] = []
        self._runs = array.array("I")
        self._weights = memoryview(b"")

    def weigh(self, text: str) -> dict[str, float]:
        """The log-odds that a text is of each class."""
        if not self._biases:
            self._load()
        odds = map(float, self._biases)
        for found, length in list_features(text):
            totals = self._sum_weights(found)
            odds = map(add, odds, [total / length for total in totals])
        return {one: total / self._scale for one, total in zip(self._classes, odds, strict=True)}

    def _sum_weights(self, found: set[int]) -> list[int]:
        """What the weights of some runs sum up to, for each class."""
        wide = len(self._classes)
        totals = [0] * wide
        for run in found:
            at = bisect_left(self._runs, run)
            if at < len(self._runs) and self._runs[at] == run:
                totals = [*map(add, totals, self._weights[at * wide : (at + 1) * wide])]
        return totals

    def _load(self) -> None:
        """Read the file: little-endian numbers of 32 bits, which are the scale, each class's bias,
        how many runs are known and their numbers in order; then each run's weights, a byte each.
        """
        with open(resources.find(f"data/{self._name}.i8"), "rb") as file:
            data = file.read()
        head = 4 * (2 + len(self._classes))
        self._scale, *self._biases, count = _unpack("i", data[:head])
        self._runs = _unpack("I", data[head : head + 4 * count])
        self._weights = memoryview(data)[head + 4 * count :].cast("b")


def list_features(text: str) -> tuple[tuple[set[int], float], ...]:
    """The numbers of the different runs of words in a text's sentences, and those of runs of kinds
    of words; each with the length that what they sum up to is divided by.
    """
    words: set[int] = set()
    for sentence in runs.split_sentences(text):
        words |= runs.list_runs(sentence, PRIME)
    of_kinds = kinds.list_runs(text, PRIME)
    return (
        (words, runs.measure_length(words)),
        (of_kinds, runs.measure_length(of_kinds, kinds.FEWEST)),
    )


def _unpack(kind: str, data: bytes) -> array.array[int]:
    found = array.array(kind, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
