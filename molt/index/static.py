"""The static model in the package: pieces of words, and the mean of their vectors."""

from __future__ import annotations

import array
import itertools
import re
import sys
import unicodedata

from molt import resources
from molt.index import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MANY = 64
_BATCH = 128
_KEPT = 100_000
_NONE = 1 << 30
# A run of letters, one digit, a run of marks; signs of scripts without spaces stand alone.
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PART = rf"[{_ALONE}]|\d|[^\W\d_{_ALONE}]+|[^\w\s]+|_+"
# Compiling the ranges of those scripts takes as long as a small search.
_PLAIN = r"\d|[^\W\d_]+|[^\w\s]+|_+"
_SPACE = "\u2581"


def words(text: str) -> list[str]:
    """The words and marks of a text; what follows a space begins with the model's sign for it.

    Case is dropped: people seldom write it in a question.
    """
    found: list[str] = []
    part = re.compile(_PLAIN if text.isascii() else _PART)
    for word in unicodedata.normalize("NFC", text.lower()).split():
        parts = part.findall(word)
        if parts:
            found.append(_SPACE + parts[0])
            found += parts[1:]
    return found


class Static:
    """A provider that needs no network, no download, and for a few texts no NumPy."""

    name = "static"
    variant = ""
    latin_only = False

    def __init__(self) -> None:
        import json

        folder = resources.find("data/static")
        with open(f"{folder}/model.json", encoding="utf-8") as file:
            about = json.load(file)
        self.model: str = about["name"]
        self.dims: int = about["dims"]
        self._folder = folder
        self._vocab: dict[str, int] = {}
        self._cache: dict[str, tuple[int, ...]] = {}
        self._matrix: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text; empty where there is no word."""
        if len(texts) >= MANY and self._load_matrix():
            found: list[bytes] = []
            for start in range(0, len(texts), _BATCH):
                found += self._embed_many(texts[start : start + _BATCH])
            return found
        return self._embed_few(texts)

    def query(self, text: str) -> bytes:
        """The vector of a query: made as that of a text."""
        return self.embed([text])[0]

    def _load_vocab(self) -> None:
        with open(f"{self._folder}/vocab.txt", encoding="utf-8", newline="\n") as file:
            pieces = file.read().split("\n")
        self._vocab = dict(zip(pieces, range(len(pieces) - 1), strict=False))

    def pieces(self, text: str) -> list[int]:
        """The rows of a text's pieces; a sign that the model does not know has its bytes."""
        if not self._vocab:
            self._load_vocab()
        rows: list[int] = []
        cache = self._cache
        for word in words(text):
            known = cache.get(word)
            if known is None:
                if len(cache) >= _KEPT:
                    cache.clear()
                known = cache[word] = self._split(word)
            rows += known
        return rows

    def _split(self, word: str) -> tuple[int, ...]:
        """Byte-pair encoding: the pair whose piece has the lowest number is joined first."""
        vocab = self._vocab
        # What is longer is no word; splitting takes the square of its length.
        parts = list(word[:100])
        while len(parts) > 1:
            pairs = [vocab.get(one + two, _NONE) for one, two in itertools.pairwise(parts)]
            best = min(pairs)
            if best == _NONE:
                break
            at = pairs.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        rows: list[int] = []
        for part in parts:
            row = vocab.get(part)
            rows += self._bytes(part) if row is None else (row,)
        return tuple(rows)

    def _bytes(self, part: str) -> list[int]:
        data = part.encode("utf-8", "replace")
        return [self._vocab[f"<0x{byte:02X}>"] for byte in data]

    def _embed_few(self, texts: Sequence[str]) -> list[bytes]:
        with (
            open(f"{self._folder}/vectors.i8", "rb") as vectors,
            open(f"{self._folder}/scales.f32", "rb") as scales,
        ):
            return [self._mean(self.pieces(text), vectors, scales) for text in texts]

    def _mean(self, rows: list[int], vectors: Any, scales: Any) -> bytes:
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
        return embed.quantise(total)

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
