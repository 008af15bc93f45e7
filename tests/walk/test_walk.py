"""A short walk; `python tests/walk/walk.py --ops 500 --seeds 5` takes the long ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from walk import walk as walks


@pytest.mark.parametrize(("adopted", "keys"), [(False, False), (True, False), (True, True)])
def test_nothing_of_ordinary_work_is_refused(tmp_path: Path, adopted: bool, keys: bool) -> None:
    made = walks.walk(tmp_path / "walk", 7, 12, adopted=adopted, keys=keys)
    assert made.refused == []
