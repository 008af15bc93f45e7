"""A workspace to write memories into."""

from __future__ import annotations

from pathlib import Path

import pytest
from copies import Copy

from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.workspace import Workspace


def make_workspace(path: Path) -> None:
    setup.init(str(path))


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return workspace.find(str(copy(tmp_path / "agent", make_workspace)))
