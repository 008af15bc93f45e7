"""The static model in the package: pieces of words, and the mean of their vectors."""

from __future__ import annotations

import array
import bisect
import itertools
import sys

from molt import resources
from molt.index.providers import quantise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

MANY = 64
_BATCH = 128
_KEPT = 100_000
_NONE = 1 << 16
_LONGEST = 100
_SPACE = "\u2581"


def split_words(text: str) -> list[str]:
    """The words and marks of a text; what follows a space begins with the model's sign for it.

    Case is dropped: people seldom write it in a question.
    """
    text = text.lower()
    split: Callable[[str], list[str]] = _split_ascii
    if not text.isascii():
        from unicodedata import normalize

        from molt.index.content import scripts

        text, split = normalize("NFC", text), scripts.PART.findall
    found: list[str] = []
    for word in text.split():
        parts = [word] if word.isalpha() and word.isascii() else split(word)
        if parts:
            found.append(_SPACE + parts[0])
            found += parts[1:]
    return found


def _split_ascii(word: str) -> list[str]:
    """Runs of letters, of marks and of `_`, and single digits."""
    found: list[str] = []
    last = ""
    for char in word:
        kind = "a" if char.isalpha() else "0" if char.isdigit() else "_" if char == "_" else "."
        if kind == last and kind != "0":
            found[-1] += char
        else:
            found.append(char)
        last = kind
    return found


class Static:
    """A provider that needs no network, no download, and for a few texts no NumPy."""

    name = "static"
    variant = ""
    latin_only = False

    # As `model.json` has them: reading it would import what takes longer than a query's vector.
    model = "wordllama-256"
    dims = 256

    def __init__(self) -> None:
        self._folder = resources.find("data/static")
        self._pieces: list[bytes] = []
        self._ranks = array.array("H")
        self._rows: dict[bytes, int] = {}
        self._cache: dict[str, tuple[int, ...]] = {}
        self._matrix: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text; empty where there is no word."""
        if len(texts) >= MANY and self._load_matrix():
            if not self._rows:
                self._load_vocab()
                self._rows = {piece: row for row, piece in enumerate(self._pieces)}
            found: list[bytes] = []
            for start in range(0, len(texts), _BATCH):
                found += self._embed_many(texts[start : start + _BATCH])
            return found
        return self._embed_few(texts)

    def query(self, text: str) -> bytes:
        """The vector of a query: made as that of a text."""
        return self.embed([text])[0]

    def _load_vocab(self) -> None:
        with open(f"{self._folder}/vocab.txt", "rb") as file:
            self._pieces = file.read().split(b"\n")[:-1]
        with open(f"{self._folder}/ranks.u16", "rb") as file:
            self._ranks.frombytes(file.read())
        if sys.byteorder == "big":
            self._ranks.byteswap()

    def _find_row(self, piece: str) -> int:
        """The row of a piece; -1 for none."""
        wanted = piece.encode("utf-8", "replace")
        if self._rows:
            return self._rows.get(wanted, -1)
        # A query has a few words: finding them in the sorted list beats a table of all.
        at = bisect.bisect_left(self._pieces, wanted)
        return at if at < len(self._pieces) and self._pieces[at] == wanted else -1

    def _piece_rank(self, piece: str) -> int:
        row = self._find_row(piece)
        return _NONE if row < 0 else self._ranks[row]

    def pieces(self, text: str) -> list[int]:
        """The rows of a text's pieces; a sign that the model does not know has its bytes."""
        if not self._pieces:
            self._load_vocab()
        rows: list[int] = []
        cache = self._cache
        for word in split_words(text):
            known = cache.get(word)
            if known is None:
                if len(cache) >= _KEPT:
                    cache.clear()
                known = cache[word] = self._split(word)
            rows += known
        return rows

    def _split(self, word: str) -> tuple[int, ...]:
        """Byte-pair encoding: the pair whose piece has the lowest rank is joined first."""
        # What is longer is no word; splitting takes the square of its length.
        parts = list(word[:_LONGEST])
        ranks = [self._piece_rank(one + two) for one, two in itertools.pairwise(parts)]
        while ranks and (best := min(ranks)) != _NONE:
            at = ranks.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del ranks[at]
            if at:
                ranks[at - 1] = self._piece_rank(parts[at - 1] + parts[at])
            if at < len(ranks):
                ranks[at] = self._piece_rank(parts[at] + parts[at + 1])
        rows: list[int] = []
        for part in parts:
            row = self._find_row(part)
            rows += self._bytes(part) if row < 0 else (row,)
        return tuple(rows)

    def _bytes(self, part: str) -> list[int]:
        return [self._find_row(f"<0x{byte:02X}>") for byte in part.encode("utf-8", "replace")]

    def _embed_few(self, texts: Sequence[str]) -> list[bytes]:
        with (
            open(f"{self._folder}/vectors.i8", "rb") as vectors,
            open(f"{self._folder}/scales.f32", "rb") as scales,
        ):
            return [self._mean_vector(self.pieces(text), vectors, scales) for text in texts]

    def _mean_vector(self, rows: list[int], vectors: Any, scales: Any) -> bytes:
        total = [0.0] * self.dims
        for row in rows:
            vectors.seek(row * self.dims)
            scales.seek(row * 4)
            values = array.array("b", vectors.read(self.dims))
            factor = array.array("f", scales.read(4))
            if sys.byteorder == "big":
                factor.byteswap()
            scale = factor[0]
            total = [old + scale * new for old, new in zip(total, values, strict=True)]
        return quantise.quantise(total)

    def _load_matrix(self) -> bool:
        if self._matrix is not None:
            return True
        try:
            import numpy as np
        except ImportError:
            return False
        rows = np.fromfile(f"{self._folder}/vectors.i8", np.int8).reshape(-1, self.dims)
        scales = np.fromfile(f"{self._folder}/scales.f32", "<f4")
        self._matrix = rows * scales[:, None].astype(np.float32)
        return True

    def _embed_many(self, texts: Sequence[str]) -> list[bytes]:
        import numpy as np

        found: list[bytes] = []
        for text in texts:
            rows = self.pieces(text)
            total = self._matrix[rows].sum(axis=0) if rows else np.zeros(1, np.float32)
            largest = float(np.abs(total).max())
            if largest:
                found.append(np.rint(total * (127 / largest)).astype(np.int8).tobytes())
            else:
                found.append(b"")
        return found
