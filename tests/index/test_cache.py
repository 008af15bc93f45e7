"""Vectors that cost something are asked for once, kept within bounds, and never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from molt.index.providers import cache

MB = 1 << 20


class Costly:
    """A provider that counts what it is asked."""

    name = "costly"
    latin_only = False

    def __init__(self, model: str = "one", dims: int = 8, variant: str = "") -> None:
        self.model = model
        self.dims = dims
        self.variant = variant
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked += texts
        return [bytes([len(text)]) * self.dims for text in texts]

    def query(self, text: str) -> bytes:
        return self.embed([text])[0]


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    for _ in range(2):
        kept = cache.VectorCache(str(tmp_path / "e.sqlite"), 10)
        provider = Costly()
        found = cache.Cached(provider, kept).embed(["a", "bb", "a"])
        assert found == [b"\1" * 8, b"\2" * 8, b"\1" * 8]
        kept.close()
    assert provider.asked == []


def test_a_query_and_a_text_have_their_own_vectors(tmp_path: Path) -> None:
    kept = cache.VectorCache(str(tmp_path / "e.sqlite"), 10)
    provider = Costly()
    cached = cache.Cached(provider, kept)
    cached.embed(["a"])
    assert [cached.query("a"), cached.query("a")] == [b"\1" * 8] * 2
    assert provider.asked == ["a", "a"]
    kept.close()


@pytest.mark.parametrize("other", [Costly("two"), Costly(variant="@http://else"), Costly(dims=4)])
def test_vectors_of_another_origin_are_never_given(tmp_path: Path, other: Costly) -> None:
    kept = cache.VectorCache(str(tmp_path / "e.sqlite"), 10)
    cache.Cached(Costly(), kept).embed(["a"])
    kept.put_dims("costly:one", other.dims)
    assert len(cache.Cached(other, kept).embed(["a"])[0]) == other.dims
    assert other.asked == ["a"]
    kept.close()


def test_the_dimensions_of_a_model_are_asked_once(tmp_path: Path) -> None:
    kept = cache.VectorCache(str(tmp_path / "e.sqlite"), 10)
    assert cache.Cached(Costly(dims=7), kept).dims == 7
    broken = Costly()
    del broken.dims
    assert cache.Cached(broken, kept).dims == 7
    kept.close()


def test_a_full_cache_lets_go_of_what_was_not_asked_for_longest(tmp_path: Path) -> None:
    path = str(tmp_path / "e.sqlite")
    for turn in range(5):
        kept = cache.VectorCache(path, 1)
        keys = [b"%d-%d" % (turn, number) for number in range(200)]
        kept.put("o", 1024, dict.fromkeys(keys, b"\1" * 1024))
        kept.get("o", [b"0-0"])
        kept.close()
    kept = cache.VectorCache(path, 1)
    assert kept.size() <= MB
    assert len(kept.get("o", keys)) == 200
    assert kept.get("o", [b"0-0", b"0-1"]).keys() == {b"0-0"}
    kept.close()


def test_no_text_is_in_the_file(tmp_path: Path) -> None:
    kept = cache.VectorCache(str(tmp_path / "e.sqlite"), 10)
    cache.Cached(Costly(), kept).embed(["the zebra sleeps"])
    kept.close()
    assert b"zebra" not in (tmp_path / "e.sqlite").read_bytes()


@pytest.mark.parametrize(
    "junk", [b"no database at all" * 500, b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "e.sqlite"
    path.write_bytes(junk)
    kept = cache.VectorCache(str(path), 10)
    assert cache.Cached(Costly(), kept).embed(["a"]) == [b"\1" * 8]
    kept.close()
