"""The law of the projections: what is derived comes back with the same bytes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from molt.cli import main

AUDIT = "memory/meta/audit.log"
MEMORIES = (
    ("the harbour gate opens at nine",),
    ("signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE"),
    ("Ada prefers short answers", "--store", "core"),
)


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "agent"
    assert main(["init", str(root)]) == 0
    monkeypatch.chdir(root)
    for words in MEMORIES:
        assert main(["remember", *words]) == 0
    assert main(["search", "harbour"]) == 0
    return root


def derived(root: Path) -> tuple[bytes, list[tuple[object, ...]]]:
    """The audit log, and what the index says of every chunk; only the row numbers may differ."""
    assert main(["search", "harbour"]) == 0
    assert main(["log"]) == 0
    with closing(sqlite3.connect(root / ".git/molt/index.sqlite")) as db:
        found = db.execute(
            "SELECT path, oid, first, last, memory_id, type, tags, date, text, hash, vector "
            "FROM chunks JOIN files USING (path) JOIN vectors USING (id) ORDER BY path, first"
        )
        return (root / AUDIT).read_bytes(), found.fetchall()


@pytest.mark.parametrize("lost", [".git/molt", AUDIT])
def test_what_is_derived_comes_back_with_the_same_bytes(agent: Path, lost: str) -> None:
    before = derived(agent)
    assert len(before[0].splitlines()) > len(MEMORIES)
    assert len(before[1]) >= len(MEMORIES)
    path = agent / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert derived(agent) == before
