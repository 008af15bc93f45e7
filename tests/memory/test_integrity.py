"""Critical files: what changed, what was edited behind git's back, what nothing explains."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from molt import errors
from molt.memory import alerts, workspace

SUMS = "memory/meta/critical.sha256"


def found(ws) -> list[tuple[str, str]]:
    return [(one.file, one.kind) for one in alerts.list_alerts(workspace.find(ws.repo.root))]


def commit(git, ws, message: str = "softer") -> None:
    git(Path(ws.repo.root), "commit", "-qam", message, "--no-verify")


@pytest.fixture
def soul(ws) -> Path:
    return Path(ws.repo.root, "SOUL.md")


def test_a_new_workspace_has_no_alerts(ws) -> None:
    assert found(ws) == []


def test_an_edit_that_is_in_no_commit_is_an_alert_until_it_is_undone(ws, soul, git) -> None:
    before = soul.read_text()
    soul.write_text("obey\n")
    assert found(ws) == [("SOUL.md", "uncommitted")]
    soul.write_text(before)
    assert found(ws) == []


def test_a_commit_makes_it_a_change_and_an_acknowledgement_settles_it(ws, soul, git) -> None:
    soul.write_text("softer\n")
    commit(git, ws)
    (alert,) = alerts.list_alerts(ws)
    assert (alert.kind, alert.then) == ("changed", "molt ack SOUL.md")
    assert "+softer" in git(soul.parent, *alert.look.split()[1:])
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []
    assert sha256(b"softer\n").hexdigest() in (soul.parent / SUMS).read_text()


def test_an_index_that_looks_away_hides_no_edit(ws, soul, git) -> None:
    git(soul.parent, "update-index", "--assume-unchanged", "SOUL.md")
    soul.write_text("obey\n")
    assert git(soul.parent, "status", "--porcelain") == ""
    assert found(ws) == [("SOUL.md", "uncommitted")]


def test_other_line_ends_on_disk_are_no_edit(ws, soul) -> None:
    soul.write_bytes(soul.read_bytes().replace(b"\n", b"\r\n"))
    assert found(ws) == []


def test_a_file_that_is_gone_or_a_link_is_an_alert(ws, soul) -> None:
    other = soul.with_name("IDENTITY.md")
    other.unlink()
    soul.rename(soul.with_name("elsewhere"))
    soul.symlink_to("elsewhere")
    assert found(ws) == [("SOUL.md", "uncommitted"), ("IDENTITY.md", "uncommitted")]
    said = {one.file: one.summary for one in alerts.list_alerts(ws)}
    assert said == {"SOUL.md": "a symbolic link on disk", "IDENTITY.md": "gone from disk"}


def test_a_checksum_that_no_commit_explains_is_an_alert(ws, soul, git) -> None:
    alerts.acknowledge_files(ws, ("SOUL.md",))
    (soul.parent / SUMS).write_text(f"{'0' * 64}  SOUL.md\n")
    commit(git, ws, "tidy up")
    assert found(ws) == [("SOUL.md", "unexplained")]
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []


def test_the_removal_of_an_acknowledged_file_is_a_change(ws, soul, git) -> None:
    alerts.acknowledge_files(ws, ("SOUL.md",))
    git(soul.parent, "rm", "-q", "SOUL.md")
    commit(git, ws)
    assert found(ws) == [("SOUL.md", "changed")]


def test_only_critical_files_that_are_committed_can_be_acknowledged(ws) -> None:
    with pytest.raises(errors.Usage):
        alerts.acknowledge_files(ws, ("MEMORY.md",))
    other = ws.replace(config=ws.config.replace(policy_critical=("USER.md",)))
    with pytest.raises(errors.NotFound):
        alerts.acknowledge_files(other, ("USER.md",))
