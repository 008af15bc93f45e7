"""What leaves: a real remote, with the rules held before anything gets there."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from molt.cli import main
from molt.memory.adopt import setup
from molt.repo import hooks

from .conftest import EPISODE, FIRST


@pytest.fixture
def remote(agent, tmp_path: Path) -> Path:
    agent.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    agent.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    agent.git("push", "-q", "--no-verify", "origin", "main")
    return tmp_path / "remote.git"


def refs(agent, remote: Path) -> dict[str, str]:
    rows = agent.git("for-each-ref", "--format=%(refname:short) %(objectname)", cwd=remote)
    return dict(row.split() for row in rows.splitlines())


def bad(agent) -> None:
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")


def test_a_first_push_leaves(agent, tmp_path: Path) -> None:
    agent.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    agent.git("push", "-q", str(tmp_path / "remote.git"), "main")
    assert set(refs(agent, tmp_path / "remote.git")) == {"main"}


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


def test_the_main_branch_is_not_deleted(agent, remote) -> None:
    before = refs(agent, remote)
    agent.git("config", "receive.denyDeleteCurrent", "ignore", cwd=remote)
    done = agent.run("push", "origin", ":main")
    assert done.returncode == 1
    assert "refs/heads/main error HIST001: would be deleted" in done.stderr
    assert refs(agent, remote) == before


def test_what_nobody_here_has_seen_is_not_overwritten(agent, remote, tmp_path) -> None:
    agent.git("clone", "-q", str(remote), str(tmp_path / "other"))
    agent.git("commit", "-q", "--allow-empty", "-m", "theirs", cwd=tmp_path / "other")
    agent.git("push", "-q", "origin", "main", cwd=tmp_path / "other")
    agent.git("commit", "-q", "--allow-empty", "-m", "ours")
    done = agent.run("push", "-f", "origin", "main")
    assert done.returncode == 1
    assert "has commits there that are not here" in done.stderr


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


# What is exempt, and what is not


@pytest.fixture
def adopted(agent, tmp_path: Path) -> tuple[Path, Path]:
    """A workspace with a past in another style, and a remote that has nothing of it."""
    folder, bare = tmp_path / "adopted", tmp_path / "new.git"
    agent.git("init", "-q", "-b", "main", str(folder))
    (folder / "memory").mkdir()
    for number in range(3):
        (folder / "memory/2026-02-02.md").write_text(f"# day\n\nversion {number}\n")
        agent.git("add", "-A", cwd=folder)
        agent.git("commit", "-qm", f"backup {number}", cwd=folder)
    hooks.install(setup.init(str(folder)).repo.hooks_dir(), sys.executable)
    agent.git("init", "-q", "--bare", "-b", "main", str(bare))
    agent.git("remote", "add", "origin", str(bare), cwd=folder)
    return folder, bare


def test_an_adopted_workspace_is_pushed_to_a_new_remote(agent, adopted) -> None:
    folder, _ = adopted
    agent.git("push", "-q", "origin", "main", cwd=folder)


def test_of_many_refs_at_once_a_commit_is_told_of_once(agent, remote) -> None:
    agent.put("notes.txt", "a\n")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "from a laptop")
    oid = agent.git("rev-parse", "HEAD")[:10]
    for name in ("one", "two", "three"):
        agent.git("branch", name)
    told = agent.run("push", "origin", "one", "two", "three").stderr
    assert told.count(f"{oid} warning MSG004") == 1
    assert set(refs(agent, remote)) == {"main", "one", "two", "three"}


def test_a_bad_branch_beside_a_good_one_is_told_of(agent, remote) -> None:
    agent.git("branch", "good")
    bad(agent)
    agent.git("branch", "worse")
    agent.git("branch", "worst")
    told = agent.run("push", "origin", "good", "worse", "worst").stderr
    assert told.count("error EPI001") == 2
    assert set(refs(agent, remote)) == {"main"}


def test_main_is_judged_whatever_another_branch_was_allowed(agent, tmp_path) -> None:
    """A branch that passed says nothing of main, which has its own past."""
    agent.git("init", "-q", "--bare", str(tmp_path / "new.git"))
    agent.put("notes.txt", "a\n")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "from a laptop")
    told = agent.run("push", str(tmp_path / "new.git"), "main:a", "main:main").stderr
    assert told.count("warning MSG004") == 2


def test_a_tag_of_the_adopted_past_is_pushed_before_all_else(agent, adopted) -> None:
    folder, bare = adopted
    agent.git("tag", "-am", "a tag", "old", "main~2", cwd=folder)
    agent.git("branch", "earlier", "main~1", cwd=folder)
    agent.git("push", "-q", "origin", "old", "earlier", cwd=folder)
    assert set(refs(agent, bare)) == {"old", "earlier"}


def test_what_was_made_on_the_adopted_past_is_judged(agent, adopted) -> None:
    folder, bare = adopted
    agent.git("switch", "-qc", "side", "main~1", cwd=folder)
    (folder / "memory/2026-02-02.md").write_text("# day\n\nanother past\n")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "rewrite", cwd=folder)
    agent.git("switch", "-q", "main", cwd=folder)
    assert "EPI001" in agent.run("push", "origin", "side", cwd=folder).stderr
    assert refs(agent, bare) == {}


def test_a_past_of_which_the_remote_has_a_part_is_exempt_too(agent, adopted) -> None:
    folder, _ = adopted
    agent.git("push", "-q", "--no-verify", "origin", "main~2:refs/heads/main", cwd=folder)
    agent.git("fetch", "-q", cwd=folder)
    agent.git("push", "-q", "origin", "main", cwd=folder)


def test_what_follows_an_adoption_is_judged_by_its_first_push(agent, adopted) -> None:
    folder, bare = adopted
    (folder / "memory/2026-02-02.md").write_text("# day\n\nanother past\n")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "rewrite", cwd=folder)
    done = agent.run("push", "origin", "main", cwd=folder)
    assert "EPI001" in done.stderr
    assert refs(agent, bare) == {}


def test_a_bad_commit_below_an_empty_branch_stays_here(agent, remote) -> None:
    """Once there, it would be known to the remote, and main could have it."""
    bad(agent)
    agent.git("switch", "-qc", "empty")
    agent.git("rm", "-rq", ".")
    agent.git("commit", "-qm", "nothing", "--no-verify")
    assert "EPI001" in agent.run("push", "origin", "empty").stderr
    assert set(refs(agent, remote)) == {"main"}


def test_main_gets_nothing_that_was_not_judged_for_it(agent, remote) -> None:
    bad(agent)
    agent.git("push", "-q", "--no-verify", "origin", "main:side")
    agent.git("fetch", "-q")
    assert "EPI001" in agent.run("push", "origin", "main").stderr
    agent.git("push", "-q", "origin", "main:other")
    assert set(refs(agent, remote)) == {"main", "side", "other"}


def test_a_branch_that_is_no_workspace_is_nobody_s_business(agent, remote) -> None:
    agent.git("switch", "-q", "--orphan", "pages")
    agent.put("index.html", "<p>\n")
    agent.git("commit", "-qm", "pages", "--no-verify")
    agent.git("push", "-q", "origin", "pages")


def test_main_is_not_replaced_but_a_branch_may_be_rebased(agent, remote, side) -> None:
    side("topic", "notes.md", "a\n")
    agent.git("push", "-q", "origin", "topic")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git("push", "-q", "origin", "main")
    agent.git("switch", "-q", "topic")
    agent.git("rebase", "-q", "main")
    agent.git("push", "-q", "--force", "origin", "topic")
    done = agent.run("push", "--force", "origin", "HEAD~2:main")
    assert done.returncode == 1
    assert "HIST001" in done.stderr
    assert "molt accept" in done.stderr


def test_replaced_objects_stay_here(agent, remote) -> None:
    agent.git("replace", "HEAD", "HEAD^")
    done = agent.run("push", "origin", "refs/replace/*:refs/replace/*")
    assert done.returncode == 1
    assert "refs/replace" in done.stderr
    assert set(refs(agent, remote)) == {"main"}


def test_a_push_is_refused_with_the_line_that_goes_on(agent, remote) -> None:
    bad(agent)
    last = agent.run("push", "origin", "main").stderr.splitlines()
    (line,) = [row for row in last if row.startswith("molt: to go on")]
    oid = agent.git("rev-parse", "HEAD")[:10]
    assert f"molt accept {oid}" in line
    assert main(["--workspace", str(agent.root), "accept", oid, "--why", "a typo"]) == 0
    agent.git("push", "-q", "origin", "main")
    assert agent.codes() == set()


@pytest.mark.parametrize("target", ["main", "main:new", "elsewhere"])
def test_many_bad_commits_leave_by_one_line(agent, remote, target, tmp_path) -> None:
    for number in range(6):
        agent.put(EPISODE, FIRST.replace("One.", f"Another {number}."))
        agent.git("commit", "-qm", "rewrite", "--no-verify")
    where = ("origin", target)
    if target == "elsewhere":
        agent.git("init", "-q", "--bare", str(tmp_path / "new.git"))
        where = (str(tmp_path / "new.git"), "main")
    said = agent.run("push", *where).stderr
    line = said.partition("a person says: molt ")[2].partition("\n")[0]
    assert main(["--workspace", str(agent.root), *shlex.split(line)]) == 0
    agent.git("push", "-q", *where)
    assert agent.codes() == set()


def test_an_answer_on_another_branch_lets_an_older_one_leave(agent, remote) -> None:
    bad(agent)
    agent.git("branch", "older")
    oid = agent.git("rev-parse", "HEAD").strip()
    assert main(["--workspace", str(agent.root), "accept", oid, "--why", "a typo"]) == 0
    agent.git("push", "-q", "origin", "older")


def test_many_findings_are_counted_not_listed(agent, remote) -> None:
    for number in range(30):
        message = f"no schema {number}\n\nActor: bot:main"
        oid = agent.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", message).strip()
        agent.git("update-ref", "refs/heads/main", oid)
    done = agent.run("push", "origin", "main")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) < 80


@pytest.mark.parametrize("name", ["a\u00a0b", "a\u2028b", "a\u0085b"])
def test_a_bad_commit_stays_here_whatever_its_branch_is_called(agent, remote, name) -> None:
    before = refs(agent, remote)
    agent.git("switch", "-qc", name)
    bad(agent)
    for target in (f"{name}:main", f"main:{name}", name):
        agent.git("branch", "-qf", "main", name)
        assert "EPI001" in agent.run("push", "origin", target).stderr
    assert refs(agent, remote) == before


@pytest.mark.parametrize("source", ["HEAD@{0 days ago}", "HEAD^{/rewrite the past}"])
def test_a_bad_commit_stays_here_however_it_is_named(agent, remote, source) -> None:
    before = refs(agent, remote)
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite the past", "--no-verify")
    done = agent.run("push", "origin", f"{source}:refs/heads/main")
    assert "EPI001" in done.stderr
    assert refs(agent, remote) == before


def test_a_branch_of_an_odd_name_is_in_nobodys_way(agent, remote) -> None:
    agent.git("push", "-q", "origin", "main:a\u2028b")
    agent.append("\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n")
    agent.git("commit", "-qm", "two")
    agent.git("push", "-q", "origin", "main")


def test_a_main_branch_in_a_folder_is_known(agent, remote) -> None:
    agent.git("push", "-q", "origin", "main:team/main")
    agent.git("fetch", "-q")
    agent.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/team/main")
    done = agent.run("push", "origin", ":team/main")
    assert "would be deleted" in done.stderr
