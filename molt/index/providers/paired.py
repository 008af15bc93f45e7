"""A model that knows the Latin script alone, beside the one in the package that knows others."""

from __future__ import annotations

import array
import math

from molt.index.content import words
from molt.index.providers import quantise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.index.providers.provider import Provider

# What the cosine of the first model counts; the other has the rest. Both together beat either
# alone where texts are long, and are no worse elsewhere; so does anything from 0.5 to 0.8.
_SHARE = 0.7


class Paired:
    """A provider whose vectors are those of two, one after the other: the cosine of two texts is
    the weighted sum of both cosines. What is not in the Latin script is left to the second alone.
    """

    latin_only = False

    def __init__(self, inner: Provider, other: Provider) -> None:
        self.inner = inner
        self._other = other
        self.name = inner.name
        self.model = inner.model
        self.variant = f"{inner.variant}+{other.model}"

    @property
    def dims(self) -> int:
        """How many components both have."""
        return self.inner.dims + self._other.dims

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of some texts. Raises what the providers raise."""
        latin = [at for at, text in enumerate(texts) if words.is_latin(text)]
        found = [b""] * len(texts)
        for at, vector in zip(latin, self.inner.embed([texts[at] for at in latin]), strict=True):
            found[at] = vector
        return self.pair_vectors(texts, found)

    def query(self, text: str) -> bytes:
        """The vector of a query. Raises what the providers raise."""
        first = self.inner.query(text) if words.is_latin(text) else b""
        return self._join_pair(first, self._other.query(text))

    def pair_vectors(self, texts: Sequence[str], vectors: Sequence[bytes]) -> list[bytes]:
        """The vectors of some texts from those that the first provider made of them."""
        others = self._other.embed(texts)
        pairs = zip(texts, vectors, others, strict=True)
        return [
            self._join_pair(one if words.is_latin(text) else b"", two) for text, one, two in pairs
        ]

    def _join_pair(self, first: bytes, second: bytes) -> bytes:
        if not (first or second):
            return b""
        one = _scale_vector(first, math.sqrt(_SHARE)) or [0.0] * self.inner.dims
        two = _scale_vector(second, math.sqrt(1 - _SHARE)) or [0.0] * self._other.dims
        return quantise.quantise([*one, *two])


def _scale_vector(vector: bytes, length: float) -> list[float]:
    """The components of a vector that is so long; none of an empty one."""
    values = array.array("b", vector)
    norm = math.sqrt(sum(value * value for value in values))
    return [value * (length / norm) for value in values] if norm else []
