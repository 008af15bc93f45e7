"""`molt audit prune`: whole old months become digests, and the log made anew is the same."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from molt.cli import clock, main
from molt.formats.reflections import histories
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.checks import verify
from molt.memory.govern import audit_prune
from molt.memory.provenance import audit
from molt.memory.workspace import Workspace

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)
ARCHIVE = "memory/meta/audit-archive.md"


def commit(root: Path, day: str, file: str, message: str) -> None:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as out:
        out.write(f"{day}\n")
    when = f"{day}T10:00:00+0000"
    env = {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    trailers = "Actor: manual\nApproval: —\nTrigger: x"
    notice = "⚠️ CRITICAL FILE CHANGED\n\n" if file == "SOUL.md" else ""
    text = f"[EDIT] {file} — {message}\n\n{notice}{trailers}"
    for args in (("add", "-A"), ("commit", "-qm", text, "--no-verify")):
        subprocess.run(["git", *args], cwd=root, check=True, env={**_environment(), **env})


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    root = tmp_path / "w"
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, "2026-01-02T10:00:00+0000")
    setup.init(str(root))
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.delenv(name)
    commit(root, "2026-01-20", "SOUL.md", "softer words of a secret")
    commit(root, "2026-02-03", "notes.md", "a note")
    commit(root, "2026-05-03", "notes.md", "a note in May")
    return workspace.find(str(root))


def log_of(ws: Workspace) -> bytes:
    return (Path(ws.repo.root) / audit.PATH).read_bytes()


def test_old_months_leave_the_log_and_new_ones_stay(ws) -> None:
    audit.freshen_log(ws.repo)
    done = audit_prune.prune_log(ws, NOW)
    assert done.made == ("2026-01", "2026-02")
    rows = log_of(ws).decode().splitlines()
    assert not [row for row in rows if row.startswith(("2026-01", "2026-02"))]
    assert [row for row in rows if row.startswith("2026-05")]
    text = (Path(ws.repo.root) / ARCHIVE).read_text()
    assert [one.month for one in histories.parse_archive(text)] == ["2026-01", "2026-02"]
    assert "1 critical file change" in text
    assert "2026-01-20: SOUL.md changed" in text
    assert "secret" not in text
    assert not verify.verify_commits(ws.repo).errors


def test_the_log_made_anew_is_the_same_before_and_after_more_commits(ws) -> None:
    audit.freshen_log(ws.repo)
    audit_prune.prune_log(ws, NOW)
    for day in ("2026-07-16", "2026-02-27"):
        grown = log_of(ws)
        assert audit.compare_log(ws.repo).same
        (Path(ws.repo.root) / audit.PATH).unlink()
        audit.rebuild(ws.repo)
        assert log_of(ws) == grown
        commit(Path(ws.repo.root), day, "notes.md", "later")
        audit.freshen_log(ws.repo)
    assert audit.compare_log(ws.repo).same
    assert [line.file for line in audit.alerts(ws.repo)] == ["SOUL.md"]


def test_pruning_twice_does_nothing_and_later_only_more(ws) -> None:
    audit_prune.prune_log(ws, NOW)
    assert audit_prune.prune_log(ws, NOW).oid is None
    before = (Path(ws.repo.root) / ARCHIVE).read_text()
    done = audit_prune.prune_log(ws, NOW.replace(month=9))
    assert done.made == ("2026-05",)
    assert (Path(ws.repo.root) / ARCHIVE).read_text().startswith(before)


def test_where_the_commit_is_taken_back_the_lines_return(ws, git) -> None:
    audit.freshen_log(ws.repo)
    audit_prune.prune_log(ws, NOW)
    git(Path(ws.repo.root), "revert", "--no-edit", "HEAD")
    audit.freshen_log(ws.repo)
    assert audit.compare_log(ws.repo).same
    assert b"2026-01-20" in log_of(ws)


def test_a_dry_run_writes_nothing(ws) -> None:
    done = audit_prune.prune_log(ws, NOW, dry_run=True)
    assert done.oid is None
    assert "2026-01, 2026-02 left the log" in done.message
    assert not (Path(ws.repo.root) / ARCHIVE).exists()


def test_the_nightly_run_keeps_the_log_to_its_retention(ws, monkeypatch, capsys) -> None:
    monkeypatch.setattr(clock, "now", lambda _zone: NOW)
    words = ["--workspace", ws.repo.root, "reflect", "--if-due"]
    assert main(words) == 0
    assert "digests of the audit log: 2026-01, 2026-02" in capsys.readouterr().err
    head = ws.repo.tip()
    assert main(words) == 0
    assert "digests" not in capsys.readouterr().err
    assert ws.repo.tip() == head
    monkeypatch.setattr(clock, "now", lambda _zone: NOW + timedelta(days=60))
    assert main(words) == 0
    assert "digests of the audit log: 2026-05" in capsys.readouterr().err
    text = (Path(ws.repo.root) / ARCHIVE).read_text()
    months = [one.month for one in histories.parse_archive(text)]
    assert months == ["2026-01", "2026-02", "2026-05"]
    assert not verify.verify_commits(ws.repo).errors


@pytest.mark.parametrize(
    ("days", "months"), [(30, ("2026-01", "2026-02", "2026-05")), (140, ("2026-01",)), (400, ())]
)
def test_the_retention_is_a_setting(ws, days, months) -> None:
    kept = ws.replace(config=ws.config.replace(audit_retention_days=days))
    assert audit_prune.keep_retention(kept, NOW) == months
    assert audit_prune.keep_retention(kept, NOW) == ()
