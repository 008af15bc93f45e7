"""Models that ship say of which class a text is, and are what their file holds."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import linear, resources, runs
from molt.linear import LinearModel
from molt.memory.engines import guess as stores
from molt.memory.triggers import guess as intents

SHIPPED = {"intents": intents.INTENTS, "stores": stores.KINDS}
MOST = {"intents": 512 * 1024, "stores": 256 * 1024}


@given(st.sampled_from(list(SHIPPED)), st.text())
def test_any_text_has_odds_for_each_class(name: str, text: str) -> None:
    odds = LinearModel(name, SHIPPED[name]).weigh(text)
    assert tuple(odds) == SHIPPED[name]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_file_is_small_and_has_its_runs_in_order(name: str) -> None:
    data = resources.path(f"data/{name}.i8").read_bytes()
    wide = len(SHIPPED[name])
    head = struct.unpack_from(f"<{wide + 2}i", data)
    known = struct.unpack_from(f"<{head[-1]}I", data, 4 * len(head))
    assert len(data) == 4 * len(head) + head[-1] * (4 + wide) <= MOST[name]
    assert list(known) == sorted(set(known))
    assert known[-1] < linear.PRIME


def test_odds_are_the_sum_of_the_weights_of_known_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tea, cup = (max(linear.list_features(word)[0][0]) for word in ("tea", "cup"))
    known = sorted((tea, cup))
    rows = [(8, -8) if run == tea else (16, 0) for run in known]
    weights = [weight for row in rows for weight in row]
    data = struct.pack("<4i2I4b", 4, 2, -2, 2, *known, *weights)
    (tmp_path / "small.i8").write_bytes(data)
    monkeypatch.setattr(resources, "find", lambda name: str(tmp_path / Path(name).name))
    model = LinearModel("small", ("drink", "none"))
    # One word has four runs, and counts as if it had eight.
    root = runs.FEWEST**0.5
    assert model.weigh("Tea") == {"drink": (8 / root + 2) / 4, "none": (-8 / root - 2) / 4}
    assert model.weigh("milk") == {"drink": 0.5, "none": -0.5}
    both = model.weigh("tea. cup")
    assert both["drink"] == (24 / root + 2) / 4
