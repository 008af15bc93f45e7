"""A workspace to write memories into."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.memory import setup, workspace
from molt.memory.workspace import Workspace


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    setup.init(str(tmp_path / "agent"))
    return workspace.find(str(tmp_path / "agent"))
