"""The static model in the package: pieces of words, and the mean of their vectors."""

from __future__ import annotations

import array
import bisect
import os
import sys
from itertools import pairwise

from molt import resources
from molt.index.content import signs, variants
from molt.index.providers import quantise
from molt.normal import normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

# Fewer pieces take plain Python some 20 ms at most; to import NumPy takes 100.
BULK = 6_000
# Texts whose pieces are added up at once: of whole chunks their rows take some 50 MB.
_BATCH = 128
# Words whose pieces are remembered: natural texts of some ten megabytes have as many, in 20 MB.
_KEPT = 100_000
# What is longer is seldom met again: a link, or a sentence of a script without spaces.
_LONG = 24
# A piece is found as its rank and its row in one number: the lowest has the lowest rank.
_SHIFT, _ROW, _NONE = 16, 0xFFFF, 1 << 32
# What is longer is no word; splitting takes the square of its length.
_LONGEST = 100
_SPACE = "\u2581"
# A sum is of whole numbers: of a byte what it is above the lowest, -128, and of a scale, which is
# below 1/8, as many of these units. So a text of fewer pieces than BULK needs 53 of 64 bits.
_ZERO, _UNIT = 128, 1 << 34
_UNSIGNED = bytes((byte + _ZERO) % 256 for byte in range(256))


def _unpack(kind: str, data: bytes) -> array.array[Any]:
    """Numbers of one kind, the low byte first."""
    found = array.array(kind, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def split_words(text: str) -> list[str]:
    """The words and marks of a text; what follows a space begins with the model's sign for it.

    Case is dropped: people seldom write it in a question.
    """
    return [part for word in _split_spaces(text) for part in _split_marks(word)]


def _split_spaces(text: str) -> list[str]:
    return normalize("NFC", text.lower()).split()


def _split_marks(word: str) -> list[str]:
    """Runs of letters, of marks and of `_`, single digits, and signs of scripts without spaces, in
    the one form in which keywords have them too; the first is marked.
    """
    if signs.has_unspaced(word):
        from molt.index.content import scripts

        found = scripts.PART.findall(variants.fold_signs(word))
    else:
        found = [word] if word.isalpha() else _split_kinds(word)
    if found:
        found[0] = _SPACE + found[0]
    return found


def _split_kinds(word: str) -> list[str]:
    """Runs of letters, of marks and of `_`, and single digits, as `scripts.PART` finds them."""
    found: list[str] = []
    last = ""
    for char in word:
        kind = "0" if char.isdecimal() else "a" if char.isalnum() else "_" if char == "_" else "."
        if kind == last and kind != "0":
            found[-1] += char
        else:
            found.append(char)
        last = kind
    return found


class _Table(dict[str, bytes]):
    """The rows of a text's pieces as an array's bytes, remembered as long as there is room."""

    def __init__(self, find: Callable[[str], bytes], longest: int) -> None:
        super().__init__()
        self._find = find
        self._longest = longest

    def __missing__(self, text: str) -> bytes:
        found = self._find(text)
        if len(text) <= self._longest:
            if len(self) >= _KEPT:
                self.clear()
            self[text] = found
        return found


class Static:
    """A provider that needs no network, no download, and for a few texts no NumPy."""

    name = "static"
    # Vectors of texts whose signs were not in one form are of another kind.
    variant = "-one-form"
    latin_only = False

    # As `model.json` has them: reading it would import what takes longer than a query's vector.
    model = "wordllama-256-even"
    dims = 256

    def __init__(self) -> None:
        self._folder = resources.find("data/static")
        self._sorted: list[bytes] = []
        self._ranks = array.array("H")
        self._find: Callable[[str, int], int] = self._search_piece
        self._words = _Table(self._word_rows, _LONG)
        self._parts = _Table(self._part_rows, _LONGEST)
        self._vectors: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text; empty where there is no word."""
        if sum(map(len, texts)) >= BULK:
            self._index_pieces()
        rows = [self.pieces(text) for text in texts]
        if sum(map(len, rows)) < BULK:
            return self._embed_few(rows)
        steps = range(0, len(rows), _BATCH)
        return [one for at in steps for one in self._embed_many(rows[at : at + _BATCH])]

    def query(self, text: str) -> bytes:
        """The vector of a query: made as that of a text."""
        return self.embed([text])[0]

    def pieces(self, text: str) -> array.array[int]:
        """The rows of a text's pieces; a sign that the model does not know has its bytes."""
        return array.array("H", b"".join(map(self._words.__getitem__, _split_spaces(text))))

    def _word_rows(self, word: str) -> bytes:
        return b"".join(map(self._parts.__getitem__, _split_marks(word)))

    def _part_rows(self, part: str) -> bytes:
        """The rows of a part. One that is a piece is that: each piece of letters or marks is what
        its signs are joined to.
        """
        whole = self._find(part, _NONE)
        known = whole != _NONE
        rows = array.array("H", (whole & _ROW,)) if known else self.merge_signs(part[:_LONGEST])
        return rows.tobytes()

    def merge_signs(self, part: str) -> array.array[int]:
        """The rows of a part by byte-pair encoding: the pair of lowest rank is joined first."""
        find, parts = self._find, list(part)
        ranks = [find(one + two, _NONE) for one, two in pairwise(parts)]
        while ranks and (best := min(ranks)) != _NONE:
            at = ranks.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del ranks[at]
            if at:
                ranks[at - 1] = find(parts[at - 1] + parts[at], _NONE)
            if at < len(ranks):
                ranks[at] = find(parts[at] + parts[at + 1], _NONE)
        return array.array("H", (row for one in parts for row in self._rows_of(one)))

    def _rows_of(self, piece: str) -> list[int]:
        """The row of a piece, or those of the bytes of a sign that is none."""
        found = self._find(piece, _NONE)
        if found != _NONE:
            return [found & _ROW]
        data = piece.encode("utf-8", "replace")
        return [self._find(f"<0x{byte:02X}>", _NONE) & _ROW for byte in data]

    def _search_piece(self, piece: str, default: int) -> int:
        """Rank and row of a piece. A query has a few words: finding them in the sorted list beats
        a table of all.
        """
        if not self._sorted:
            self._load_vocab()
        wanted = piece.encode("utf-8", "replace")
        at = bisect.bisect_left(self._sorted, wanted)
        if at == len(self._sorted) or self._sorted[at] != wanted:
            return default
        return self._ranks[at] << _SHIFT | at

    def _load_vocab(self) -> None:
        with open(f"{self._folder}/vocab.txt", "rb") as file:
            self._sorted = file.read().split(b"\n")[:-1]
        with open(f"{self._folder}/ranks.u16", "rb") as file:
            self._ranks.frombytes(file.read())
        if sys.byteorder == "big":
            self._ranks.byteswap()

    def _index_pieces(self) -> None:
        """Let pieces be found in a table."""
        if self._find != self._search_piece:
            return
        if not self._sorted:
            self._load_vocab()
        numbers = (rank << _SHIFT | row for row, rank in enumerate(self._ranks))
        pieces = b"\n".join(self._sorted).decode().split("\n")
        self._find = dict(zip(pieces, numbers, strict=True)).get
        self._sorted = []

    def _embed_few(self, texts: Sequence[Sequence[int]]) -> list[bytes]:
        with (
            open(f"{self._folder}/vectors.i8", "rb", buffering=0) as vectors,
            open(f"{self._folder}/scales.f32", "rb", buffering=0) as scales,
        ):
            files = vectors.fileno(), scales.fileno()
            return [self._mean_vector(rows, *files) for rows in texts]

    def _mean_vector(self, rows: Sequence[int], vectors: int, scales: int) -> bytes:
        """The sum of some rows, from two open files. Whole numbers have a place of eight bytes for
        each dimension, so that one product and one sum do for all of them.
        """
        counts: dict[int, int] = {}
        for row in rows:
            counts[row] = counts.get(row, 0) + 1
        places = bytearray(8 * self.dims)
        total = weights = 0
        for row, count in counts.items():
            places[::8] = os.pread(vectors, self.dims, row * self.dims).translate(_UNSIGNED)
            (scale,) = _unpack("f", os.pread(scales, 4, row * 4))
            weight = round(scale * _UNIT) * count
            total += int.from_bytes(places, "little") * weight
            weights += weight
        sums = _unpack("Q", total.to_bytes(len(places), "little"))
        return quantise.quantise([one - _ZERO * weights for one in sums])

    def _embed_many(self, texts: Sequence[array.array[int]]) -> list[bytes]:
        import numpy as np

        if self._vectors is None:
            small = np.fromfile(f"{self._folder}/vectors.i8", np.int8).reshape(-1, self.dims)
            self._vectors = small, np.fromfile(f"{self._folder}/scales.f32", "<f4")[:, None]
        vectors, scales = self._vectors
        totals = np.zeros((len(texts), self.dims), np.float32)
        # One place for all products: a fresh one for each text would come from the kernel.
        room = np.empty((max(map(len, texts), default=0), self.dims), np.float32)
        for total, text in zip(totals, texts, strict=True):
            rows = np.frombuffer(text, np.uint16).astype(np.intp)
            products = np.multiply(vectors[rows], scales[rows], out=room[: len(text)])
            np.add.reduce(products, axis=0, out=total)
        return quantise.quantise_rows(totals)
