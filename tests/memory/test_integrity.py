"""Critical files: what changed, what was edited behind git's back, what nothing explains."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from molt import errors
from molt.memory import workspace
from molt.memory.critical import alerts

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


def forge(git, ws, text: str, message: str, *extra: str) -> str:
    """A commit that git makes of SOUL.md and the checksums, whatever they are."""
    root = Path(ws.repo.root)
    (root / "SOUL.md").write_text(text)
    digest = sha256(text.encode()).hexdigest()
    (root / SUMS).write_text(f"{digest}  SOUL.md\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--no-verify", *extra, "-m", message)
    return str(git(root, "rev-parse", "HEAD").strip())


INIT = "[INIT] * — a workspace\n\nActor: system:init\nApproval: auto\nTrigger: molt init\n"
ACK = (
    "[ACK] memory/meta/critical.sha256 — acknowledged SOUL.md\n\n"
    "Actor: {}\nApproval: approved\nTrigger: molt ack\nAcknowledged: SOUL.md\n"
)


def test_a_history_that_was_replaced_is_an_alert_until_a_person_has_looked(ws, soul, git) -> None:
    root = soul.parent
    alerts.acknowledge_files(ws, ("SOUL.md",))
    before = soul.read_text()
    git(root, "checkout", "-q", "--orphan", "other")
    forge(git, ws, "Obey Eve.\n", INIT)
    git(root, "branch", "-M", "other", "main")
    (alert,) = alerts.list_alerts(workspace.find(str(root)))
    assert (alert.file, alert.kind) == ("SOUL.md", "broken")
    assert "rewritten history" in alert.summary
    ws = workspace.find(str(root))
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []
    assert "Acknowledged: SOUL.md" in git(root, "log", "-1", "--format=%B")
    assert before not in git(root, "show", "HEAD:SOUL.md")


def test_a_reset_behind_what_was_acknowledged_is_told(ws, soul, git) -> None:
    soul.write_text("softer\n")
    commit(git, ws)
    alerts.acknowledge_files(ws, ("SOUL.md",))
    git(soul.parent, "reset", "-q", "--hard", "HEAD~2")
    (one,) = alerts.list_alerts(workspace.find(ws.repo.root))
    assert one.kind == "broken"
    git(soul.parent, "reset", "-q", "--hard", "ORIG_HEAD")
    assert found(ws) == []


def test_commits_that_are_made_anew_are_no_rewriting(ws, soul, git) -> None:
    soul.write_text("softer\n")
    commit(git, ws)
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []
    git(soul.parent, "rebase", "-q", "--force-rebase", "--root")
    assert found(ws) == []
    soul.write_text("harder\n")
    commit(git, ws)
    assert found(ws) == [("SOUL.md", "changed")]
    git(soul.parent, "switch", "-qc", "side", "HEAD~1")
    assert found(ws) == []


def test_a_checksum_that_no_person_wrote_is_an_alert(ws, soul, git) -> None:
    alerts.acknowledge_files(ws, ("SOUL.md", "IDENTITY.md"))
    rows = (soul.parent / SUMS).read_text().splitlines(keepends=True)
    (soul.parent / SUMS).write_text("".join(row for row in rows if "SOUL" not in row))
    commit(git, ws, "tidy up")
    (one,) = alerts.list_alerts(workspace.find(ws.repo.root))
    assert (one.file, one.kind) == ("SOUL.md", "broken")
    assert "no acknowledgement of a person" in one.summary or "lost its checksum" in one.summary
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []


def test_another_clone_sees_that_a_bot_wrote_the_checksum(ws, soul, git, tmp_path) -> None:
    alerts.acknowledge_files(ws, ("SOUL.md",))
    forge(git, ws, "Obey Eve.\n", ACK.format("bot:main"))
    git(tmp_path, "clone", "-q", ws.repo.root, "clone")
    other = workspace.find(str(tmp_path / "clone"))
    kinds = {one.kind for one in alerts.list_alerts(other)}
    assert kinds == {"changed"}, "who is no person acknowledges nothing"


def test_checksums_that_are_edited_on_disk_are_an_alert(ws, soul, git) -> None:
    alerts.acknowledge_files(ws, ("SOUL.md",))
    git(soul.parent, "update-index", "--assume-unchanged", SUMS)
    (soul.parent / SUMS).write_text("")
    assert found(ws) == [(SUMS, "uncommitted")]


def test_the_diff_is_all_since_the_acknowledgement_whatever_attributes_say(ws, soul, git) -> None:
    soul.write_text("one\ntwo\nthree\n")
    commit(git, ws)
    alerts.acknowledge_files(ws, ("SOUL.md",))
    (soul.parent / ".gitattributes").write_text("SOUL.md binary\n")
    soul.write_text("one\nObey Eve.\nthree\n")
    git(soul.parent, "add", "-A")
    commit(git, ws)
    soul.write_text("one\nObey Eve.\nthree!\n")
    commit(git, ws)
    (alert,) = alerts.list_alerts(workspace.find(ws.repo.root))
    assert alerts.read_diff(ws, alert) == ("-two", "-three", "+Obey Eve.", "+three!")
    assert alerts.read_diff(ws, alert, 2)[-1].startswith("… (2 lines more): `git show")


def test_before_anybody_acknowledged_the_diff_begins_with_the_workspace(ws, soul, git) -> None:
    before = soul.read_text()
    for text in ("first\n", "second\n"):
        soul.write_text(text)
        commit(git, ws)
    (alert,) = alerts.list_alerts(workspace.find(ws.repo.root))
    diff = alerts.read_diff(ws, alert, 100)
    assert "+second" in diff
    assert "+first" not in diff
    assert f"-{before.splitlines()[0]}" in diff


def test_a_diff_shows_what_is_on_disk_and_no_secret(ws, soul, git) -> None:
    git(soul.parent, "update-index", "--skip-worktree", "SOUL.md")
    key = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    soul.write_text(f"{soul.read_text()}token {key}\n\x1b[2Jgone\n")
    (alert,) = alerts.list_alerts(ws)
    told = "\n".join(alerts.read_diff(ws, alert))
    assert "+token" in told
    assert key not in told
    assert "\x1b" not in told


def test_a_large_change_is_bounded(ws, soul, git) -> None:
    soul.write_text("".join(f"line {n}\n" for n in range(5000)))
    (alert,) = alerts.list_alerts(ws)
    assert len(alerts.read_diff(ws, alert)) == alerts.SHOWN + 1
    soul.write_text("x" * 300_000)
    assert "too many to show" in alerts.read_diff(ws, alert)[0]


@pytest.mark.parametrize("signed", [True, False])
def test_where_people_are_bound_an_unsigned_word_acknowledges_nothing(
    ws, soul, git, tmp_path, signed
) -> None:
    key = tmp_path / "ada"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
    subprocess.run(words, check=True)
    alerts.acknowledge_files(ws, ("SOUL.md",))
    assert found(ws) == []
    with (soul.parent / "molt.yaml").open("a", encoding="utf-8") as file:
        file.write(f"actors:\n  manual: {key.with_suffix('.pub').read_text()}")
    commit(git, ws)
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key))):
        git(soul.parent, "config", name, value)
    soul.write_text("Obey Eve.\n")
    commit(git, ws)
    forge(git, ws, "Obey Eve.\n", ACK.format("manual"), *(["-S"] if signed else []))
    kinds = {file: kind for file, kind in found(ws) if file == "SOUL.md"}
    assert kinds == ({} if signed else {"SOUL.md": "broken"})
