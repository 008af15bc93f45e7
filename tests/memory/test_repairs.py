"""What is looked at is not mended by it, and what went wrong is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors
from molt.cli import main
from molt.memory import projections
from molt.memory.health import doctor
from molt.memory.provenance import audit
from molt.memory.search import batch, search
from molt.repo import state


def test_comparing_the_log_mends_nothing(ws, monkeypatch) -> None:
    audit.freshen_log(ws.repo)
    log = Path(ws.repo.root, audit.PATH)
    junk = log.read_bytes() + b"junk\n"
    log.write_bytes(junk)
    monkeypatch.chdir(ws.repo.root)
    for _ in range(2):
        assert main(["audit", "verify"]) == 1
        assert log.read_bytes() == junk
    assert main(["audit", "rebuild"]) == 0
    assert main(["audit", "verify"]) == 0
    log.unlink()
    assert not audit.compare_log(ws.repo).same


def test_two_calls_hand_in_one_batch(ws) -> None:
    with state.lock(ws.repo.common_dir, "batch"), pytest.raises(errors.Busy):
        batch.backfill_vectors(ws)


def test_the_last_failure_is_told_until_it_is_forgotten(ws) -> None:
    projections.note_failure(ws.repo, "index", OSError("no room"))
    (found,) = (one for one in doctor.examine_workspace(ws, fix=False) if "no room" in one.what)
    assert found.severity == "warning"
    assert [one for one in doctor.examine_workspace(ws, fix=True) if one.what == found.what]
    assert not [one for one in doctor.examine_workspace(ws, fix=False) if "no room" in one.what]


def test_what_stands_beside_the_nearest_does_not_pass_it(ws) -> None:
    """Where no word of the question is in any memory, the nearest in meaning is the best."""
    rows = [f"The parcel number {number} was weighed at the counter." for number in range(150)]
    rows[75] = "My physician prescribed antibiotics."
    body = "".join(
        f"\n## {8 + at // 15:02}:{at % 15 * 4:02} | fact | confidence:high\n{row}\n"
        for at, row in enumerate(rows)
    )
    day = Path(ws.repo.root, "memory/episodes/2026-02-02.md")
    day.parent.mkdir(parents=True, exist_ok=True)
    day.write_text(f"# 2026-02-02 — Episode Log\n{body}")
    results = search.search(ws, "doctors medicine").results
    assert "physician" in results[0].snippet
