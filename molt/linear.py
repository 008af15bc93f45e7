"""Which of some classes a text is likely of: linear models over runs of words.

A model has for each run that it knows a weight for each class; a text's are summed up. The weights
were learned from labelled sentences by `benchmarks/make_message_models.py`.
"""

from __future__ import annotations

import array
import sys
from bisect import bisect_left
from operator import add

from molt import resources, runs

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
        wide = len(self._classes)
        totals = [0] * wide
        found = list_runs(text)
        for run in found:
            at = bisect_left(self._runs, run)
            if at < len(self._runs) and self._runs[at] == run:
                totals = [*map(add, totals, self._weights[at * wide : (at + 1) * wide])]
        length = runs.measure_length(found)
        each = zip(self._classes, totals, self._biases, strict=True)
        return {one: (total / length + bias) / self._scale for one, total, bias in each}

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


def list_runs(text: str) -> set[int]:
    """The numbers of the different runs of a text's sentences."""
    found = (runs.list_runs(words, PRIME) for words in runs.split_sentences(text))
    return set().union(*found)


def _unpack(kind: str, data: bytes) -> array.array[int]:
    found = array.array(kind, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
