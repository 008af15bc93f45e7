"""The static model in the package: BERT's uncased word pieces, their vectors' mean."""

from __future__ import annotations

import array
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
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_CJK = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f])")


def words(text: str) -> list[str]:
    """The words and marks of a text as BERT's uncased tokenizer splits them."""
    text = text.lower()
    if not text.isascii():
        bare = unicodedata.normalize("NFD", text)
        text = "".join(char for char in bare if unicodedata.category(char) != "Mn")
        text = _CJK.sub(r" \1 ", text)
    return _WORD.findall(text)


class Static:
    """A provider that needs no network, no download, and for a few texts no NumPy."""

    name = "static"
    variant = ""
    latin_only = True

    def __init__(self) -> None:
        import json

        folder = resources.find("data/static")
        with open(f"{folder}/model.json", encoding="utf-8") as file:
            about = json.load(file)
        self.model: str = about["name"]
        self.dims: int = about["dims"]
        self._folder = folder
        with open(f"{folder}/vocab.txt", "rb") as file:
            self._text = b"\n" + file.read()
        self._vocab: dict[str, int] | None = None
        self._cache: dict[str, tuple[int, ...]] = {}
        self._matrix: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text; empty where no word piece is known."""
        if len(texts) >= MANY and self._vocab is None:
            pieces = self._text.decode().split("\n")[1:-1]
            self._vocab = {piece: row for row, piece in enumerate(pieces)}
        if len(texts) >= MANY and self._load_matrix():
            found: list[bytes] = []
            for start in range(0, len(texts), _BATCH):
                found += self._embed_many(texts[start : start + _BATCH])
            return found
        return self._embed_few(texts)

    def query(self, text: str) -> bytes:
        """The vector of a query: made as that of a text."""
        return self.embed([text])[0]

    def _row(self, piece: str) -> int:
        if self._vocab is not None:
            return self._vocab.get(piece, -1)
        # A query has a few words: finding them in the text beats parsing 30,000 lines.
        at = self._text.find(b"\n%b\n" % piece.encode("utf-8", "replace"))
        return -1 if at < 0 else self._text.count(b"\n", 0, at)

    def pieces(self, text: str) -> list[int]:
        """The rows of a text's word pieces; an unknown word has none."""
        rows: list[int] = []
        cache = self._cache
        for word in words(text):
            known = cache.get(word)
            if known is None:
                known = cache[word] = self._split(word)
            rows += known
        return rows

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > 100:
            return ()
        rows: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self._row(("##" if start else "") + word[start:end])
                if row >= 0:
                    rows.append(row)
                    start = end
                    break
            else:
                return ()
        return tuple(rows)

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
