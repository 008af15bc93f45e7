from __future__ import annotations

import hashlib

import pytest

from molt import trees


@pytest.mark.parametrize("size", [0, 300_000, 300_001])
def test_a_hash_is_sha1_however_long_the_bytes_are(size: int) -> None:
    data = bytes(size)
    assert trees.sha1(data).digest() == hashlib.sha1(data, usedforsecurity=False).digest()
