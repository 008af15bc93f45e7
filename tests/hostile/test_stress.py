"""The stress benchmark in small: what must hold when much goes on, and when it is cut short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STRESS = Path(__file__).parents[2] / "benchmarks/stress.py"


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(("crowd", "--writers", "4", "--each", "8"), id="a-crowd-of-writers"),
        pytest.param(("kills", "--kills", "12"), id="killed-at-random"),
    ],
)
def test_nothing_is_lost_or_left_between(args) -> None:
    done = subprocess.run([sys.executable, STRESS, *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
