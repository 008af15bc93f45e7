"""Two models in one vector: their cosines add up, and each script is left to who knows it."""

from __future__ import annotations

import array
import math
from collections.abc import Sequence

import pytest

from molt.index.providers import paired, provider, quantise, static

TEXTS = ["boats in the harbour", "red apples", "港口里的木船", ""]


class Latin:
    """A provider that knows three letters and counts what it is asked."""

    name = "latin"
    model = "abc"
    variant = "|prefix"
    latin_only = True
    dims = 3

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked += texts
        return [quantise.quantise([text.count(letter) for letter in "abc"]) for text in texts]

    def query(self, text: str) -> bytes:
        return self.embed([text])[0]


def cosine(one: bytes, other: bytes) -> float:
    a, b = array.array("b", one), array.array("b", other)
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.hypot(*a) / math.hypot(*b)


def test_the_cosine_is_the_weighted_sum_of_both() -> None:
    first, second = Latin(), static.Static()
    both = paired.Paired(first, second)
    boats, apples, *_ = both.embed(TEXTS)
    asked = both.query("a cab by the harbour")
    for text, vector in (("boats in the harbour", boats), ("red apples", apples)):
        parts = [
            cosine(one.query("a cab by the harbour"), one.query(text)) for one in (first, second)
        ]
        assert cosine(asked, vector) == pytest.approx(0.7 * parts[0] + 0.3 * parts[1], abs=0.01)


def test_what_is_not_latin_is_told_by_the_second_alone() -> None:
    first, second = Latin(), static.Static()
    both = paired.Paired(first, second)
    found = both.embed(TEXTS)
    assert "港口里的木船" not in first.asked
    expected = cosine(second.query("木船"), second.query("港口里的木船"))
    assert cosine(both.query("木船"), found[2]) == pytest.approx(expected, abs=0.01)


def test_a_text_without_a_word_has_no_vector() -> None:
    assert paired.Paired(Latin(), static.Static()).embed(TEXTS)[3] == b""


def test_few_and_many_texts_get_the_same_vectors() -> None:
    texts = [f"{text} {number}" for number in range(30) for text in TEXTS[:3]]
    both = paired.Paired(Latin(), static.Static())
    together = both.embed(texts)
    for text, vector in zip(texts[:6], together, strict=False):
        assert cosine(both.embed([text])[0], vector) > 0.999


def test_its_vectors_are_compared_with_none_of_the_first_alone() -> None:
    both = paired.Paired(Latin(), static.Static())
    assert provider.fingerprint(both) != provider.fingerprint(Latin())
    assert "|prefix" in provider.identity(both)
    assert both.dims == 3 + static.Static().dims
