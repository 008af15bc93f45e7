"""What leaves: a real remote, with the rules held before anything gets there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from molt.repo import hooks


@pytest.fixture
def remote(agent, tmp_path: Path) -> Path:
    agent.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    agent.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    agent.git("push", "-q", "origin", "main")
    return tmp_path / "remote.git"


def refs(agent, remote: Path) -> dict[str, str]:
    rows = agent.git("for-each-ref", "--format=%(refname:short) %(objectname)", cwd=remote)
    return dict(row.split() for row in rows.splitlines())


def bad(agent) -> None:
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")


def test_good_commits_new_branches_and_tags_leave(agent, remote) -> None:
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git("tag", "-am", "a tag", "v1")
    agent.git("tag", "light")
    agent.git("push", "-q", "origin", "main", "main:new", "v1", "light")
    assert set(refs(agent, remote)) == {"main", "new", "v1", "light"}
    agent.git("push", "-q", "origin", "main")


@pytest.mark.parametrize("target", ["main", "main:new", "main:refs/tags/v1"])
def test_a_bad_commit_stays_here(agent, remote, target) -> None:
    before = refs(agent, remote)
    bad(agent)
    done = agent.run("push", "origin", target)
    assert done.returncode == 1
    assert "EPI001" in done.stderr
    assert refs(agent, remote) == before


def test_a_bad_commit_below_a_good_one_stays_here(agent, remote) -> None:
    bad(agent)
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    assert "EPI001" in agent.run("push", "origin", "main").stderr


def test_a_bad_branch_among_good_ones_stays_here(agent, remote) -> None:
    agent.git("switch", "-qc", "worse")
    bad(agent)
    before = refs(agent, remote)
    assert agent.run("push", "origin", "main:fine", "worse").returncode == 1
    assert refs(agent, remote) == before


def test_a_deletion_leaves(agent, remote) -> None:
    agent.git("push", "-q", "origin", "main:old")
    agent.git("push", "-q", "origin", ":old")
    assert set(refs(agent, remote)) == {"main"}


def test_history_that_the_remote_has_is_not_judged_again(agent, remote) -> None:
    bad(agent)
    agent.git("push", "-q", "--no-verify", "origin", "main")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git("push", "-q", "origin", "main")


def test_a_pull_warns_of_what_came_in(agent, remote, tmp_path) -> None:
    agent.git("clone", "-q", str(remote), "other", cwd=tmp_path)
    bad(agent)
    agent.git("push", "-q", "--no-verify", "origin", "main")
    hooks.install(str(tmp_path / "other/.git/hooks"), sys.executable)
    done = agent.run("pull", "-q", "--ff-only", cwd=tmp_path / "other")
    assert done.returncode == 0
    assert "EPI001" in done.stderr
