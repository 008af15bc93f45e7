"""The Inspector, another client, finds nothing wrong with what the server says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hosts.conftest import PROGRAMS

from molt.memory.adopt import setup

INSPECTOR = PROGRAMS / ".bin/mcp-inspector"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not INSPECTOR.exists(), reason="`make hosts` installs the MCP Inspector"),
]
ERAS = pytest.mark.parametrize("era", ["modern", "legacy"])


def inspect(root: Path, *words: str) -> str:
    """What the Inspector prints; it must be content."""
    molt = [sys.executable, "-m", "molt", "--workspace", str(root), "mcp"]
    done = subprocess.run(
        [INSPECTOR, "--cli", *molt, *words],
        cwd=root,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    setup.init(str(tmp_path))
    return tmp_path


@ERAS
def test_the_schemas_of_all_tools_are_as_they_must_be(root: Path, era: str) -> None:
    said = inspect(root, "--protocol-era", era, "--method", "tools/list", "--strict")
    assert said.count('"outputSchema"') == 14


@ERAS
def test_a_tool_a_resource_and_a_prompt_are_read(root: Path, era: str) -> None:
    how = ("--protocol-era", era, "--method")
    assert "MEMORY.md" in inspect(root, *how, "resources/read", "--uri", "molt://core")
    assert "memory" in inspect(root, *how, "prompts/get", "--prompt-name", "reflect")
    words = ("--tool-name", "memory_search", "--tool-arg", "query=harbour")
    assert '"results"' in inspect(root, *how, "tools/call", *words)
