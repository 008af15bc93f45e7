"""What git lets past its hooks, and how it is found all the same."""

from __future__ import annotations

import pytest

from molt.memory.adopt import setup

EPISODE = "memory/episodes/2026-02-02.md"
OTHER = "memory/episodes/2026-02-03.md"
DAY = "# 2026-02-03 — Episode Log\n\n## 09:00 | fact | confidence:high | tags:[a]\nThree.\n"
BAD = "bad"


@pytest.fixture
def bad(agent) -> str:
    """A commit on the branch `bad` that rewrites an episode."""
    agent.git("switch", "-qc", BAD)
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    agent.git("switch", "-q", "main")
    return BAD


def test_what_a_hook_refuses_verify_would_have_found(agent) -> None:
    agent.rewrite()
    assert "EPI001" in agent.run("commit", "-m", "rewrite").stderr
    assert agent.codes() == set()


def test_no_verify_is_found(agent) -> None:
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    assert "EPI001" in agent.codes()


def test_a_cherry_pick_is_found(agent, bad) -> None:
    agent.git("cherry-pick", bad)
    assert "EPI001" in agent.codes()


def test_a_revert_of_an_append_by_a_bot_is_found(agent, monkeypatch) -> None:
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    agent.git("revert", "--no-edit", "HEAD")
    assert "EPI001" in agent.codes()


@pytest.mark.parametrize("hooks", [(), ("-c", "core.hooksPath=/dev/null")], ids=["hooks", "none"])
def test_a_person_takes_back_what_was_written_and_takes_that_back(agent, hooks) -> None:
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git(*hooks, "revert", "--no-edit", "HEAD")
    assert agent.codes() == set()
    agent.git(*hooks, "revert", "--no-edit", "HEAD")
    agent.git(*hooks, "revert", "--no-edit", "HEAD")
    assert agent.codes() == set()


def test_a_person_takes_back_the_commit_that_began_a_log(agent) -> None:
    agent.put(OTHER, DAY)
    agent.git("commit", "-qm", "another day")
    agent.git("revert", "--no-edit", "HEAD")
    assert agent.codes() == set()


def test_a_person_brings_the_logs_of_an_earlier_day_back(agent) -> None:
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git("checkout", "-q", "HEAD^", "--", "memory/episodes")
    agent.git("commit", "-qm", "as it was")
    assert agent.codes() == set()


def test_a_revert_to_what_never_was_is_refused_and_found(agent) -> None:
    agent.rewrite()
    said = 'Revert "two"\n\nThis reverts commit 0123456789012345678901234567890123456789.'
    assert "EPI001" in agent.run("commit", "-m", said).stderr
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", said)
    assert "EPI001" in agent.codes()


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_rebase_is_found(agent, side, bad, backend) -> None:
    side("other", OTHER, DAY)
    agent.git("switch", "-q", bad)
    agent.git("rebase", "-q", backend, "other")
    assert "EPI001" in agent.codes()


def test_a_patch_by_mail_is_found(agent, bad, tmp_path) -> None:
    mail = tmp_path / "patch"
    mail.write_text(agent.git("format-patch", "-1", "--stdout", bad))
    agent.git("am", "-q", str(mail))
    assert "EPI001" in agent.codes()


def test_a_bare_update_ref_is_found(agent, bad) -> None:
    agent.git("update-ref", "refs/heads/main", bad)
    assert "EPI001" in agent.codes()


def test_what_came_before_the_workspace_was_adopted_again_is_still_found(agent) -> None:
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    agent.git("rm", "-q", "molt.yaml")
    agent.git("commit", "-qm", "out", "--no-verify")
    setup.init(str(agent.root))
    assert "EPI001" in agent.codes()


def test_a_workspace_that_another_takes_in_exempts_nothing_by_its_own_adoption(
    agent, tmp_path
) -> None:
    other = tmp_path / "other"
    agent.git("init", "-q", "-b", "main", str(other))
    (other / "memory/vault").mkdir(parents=True)
    (other / "memory/vault/theirs.md").write_text("under their mat\n")
    agent.git("add", "-A", cwd=other)
    agent.git("commit", "-q", "-m", "in another style", cwd=other)
    setup.init(str(other))
    agent.git("fetch", "-q", str(other), "main")
    args = ("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "FETCH_HEAD")
    assert "HIST002" in agent.run(*args).stderr
    agent.git("commit", "-q", "--no-verify", "-m", "joined")
    assert agent.codes() >= {"HIST002", "HIST003", "VAULT001"}


def test_a_fast_forward_is_found_and_warned_of(agent, bad) -> None:
    done = agent.run("merge", "--ff-only", bad)
    assert done.returncode == 0
    assert "EPI001" in done.stderr
    assert "EPI001" in agent.codes()


def test_a_merge_of_a_bad_branch_is_found_once_and_warned_of(agent, side, bad) -> None:
    side("other", OTHER, DAY)
    agent.git("merge", "-q", "--no-ff", "other")
    done = agent.run("merge", "--no-ff", bad)
    assert done.returncode == 0
    assert "EPI001" in done.stderr
    assert agent.codes() == {"EPI001"}
    assert agent.codes("HEAD^..HEAD", f"^{bad}") == set()


def test_a_clean_merge_of_other_episodes_passes(agent, side) -> None:
    side("one", OTHER, DAY)
    side("two", "memory/episodes/2026-02-04.md", DAY.replace("02-03", "02-04"))
    agent.git("merge", "-q", "--no-ff", "one")
    agent.git("merge", "-q", "--no-ff", "two")
    assert agent.codes() == set()


def test_an_octopus_merge_passes(agent, side) -> None:
    for day in ("03", "04", "05"):
        side(day, f"memory/episodes/2026-02-{day}.md", DAY.replace("02-03", f"02-{day}"))
    agent.git("merge", "-q", "03", "04", "05")
    assert len(agent.git("rev-list", "--parents", "-1", "HEAD").split()) == 4
    assert agent.codes() == set()


def test_an_evil_merge_is_refused_and_found(agent, side) -> None:
    side("one", OTHER, DAY)
    agent.git("merge", "-q", "--no-ff", "--no-commit", "one")
    agent.rewrite()
    assert "EPI001" in agent.run("commit", "-m", "merge").stderr
    agent.git("commit", "-qm", "merge", "--no-verify")
    assert "EPI001" in agent.codes()


def test_an_evil_octopus_is_found(agent, side) -> None:
    for day in ("03", "04"):
        side(day, f"memory/episodes/2026-02-{day}.md", DAY.replace("02-03", f"02-{day}"))
    agent.git("merge", "-q", "--no-commit", "03", "04")
    agent.rewrite()
    agent.git("commit", "-qm", "merge", "--no-verify")
    assert "EPI001" in agent.codes()


def test_a_conflict_that_is_committed_unresolved_is_refused_and_found(agent) -> None:
    agent.git("switch", "-qc", "side")
    agent.append("\n## 11:00 | fact | confidence:high | tags:[a]\nSide.\n")
    agent.git("commit", "-qm", "side")
    agent.git("switch", "-q", "main")
    agent.append("\n## 11:01 | fact | confidence:high | tags:[a]\nMain.\n")
    agent.git("commit", "-qm", "main")
    assert agent.run("merge", "side").returncode == 1
    assert "a marker of a conflict is left" in agent.run("commit", "-qam", "merge").stderr
    agent.git("commit", "-qam", "merge", "--no-verify")
    assert agent.codes() == {"EPI001", "EPI002"}


def test_both_sides_of_one_episode_may_be_kept_in_a_merge(agent) -> None:
    agent.git("switch", "-qc", "side")
    agent.append("\n## 11:00 | fact | confidence:high | tags:[a]\nSide.\n")
    agent.git("commit", "-qm", "side")
    agent.git("switch", "-q", "main")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nMain.\n")
    agent.git("commit", "-qm", "main")
    assert agent.run("merge", "side").returncode == 1
    theirs = agent.git("show", f"side:{EPISODE}").partition("\n## 11:00")
    mine = agent.git("show", f"main:{EPISODE}")
    agent.put(EPISODE, mine + theirs[1] + theirs[2])
    agent.git("commit", "-qm", "keep both")
    assert agent.codes() == set()


def test_a_conflict_solved_by_dropping_a_side_is_refused(agent) -> None:
    agent.git("switch", "-qc", "side")
    agent.append("\n## 11:00 | fact | confidence:high | tags:[a]\nSide.\n")
    agent.git("commit", "-qm", "side")
    agent.git("switch", "-q", "main")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nMain.\n")
    agent.git("commit", "-qm", "main")
    agent.run("merge", "side")
    agent.git("checkout", "--ours", EPISODE)
    agent.git("add", EPISODE)
    assert "EPI001" in agent.run("commit", "-m", "mine").stderr


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(("commit", "-q", "--amend", "-m", "start again"), id="amend"),
        pytest.param(("rebase", "-q", "--root", "--force-rebase"), id="rebase"),
        pytest.param(("switch", "-q", "other"), id="switch"),
        pytest.param(("merge", "-q", "other"), id="merge"),
    ],
)
def test_the_audit_log_follows_history(agent, side, step) -> None:
    side("other", OTHER, DAY)
    agent.run(*step)
    seen = agent.log()
    from molt.memory.provenance import audit

    audit.rebuild(agent.repo)
    assert seen == agent.log()
