"""`molt status`, `alerts`, `ack` and `touch` as people and programs see them."""

from __future__ import annotations

import json
import subprocess

import pytest


def test_status_is_a_page_for_people(agent, run) -> None:
    rows = dict(row.split(maxsplit=1) for row in run("status").out.splitlines())
    assert rows["MEMORY.md"].endswith("left")
    assert rows["semantic"] == "1 active"
    assert rows["procedural"] == rows["alerts"] == rows["proposals"] == "none"
    assert rows["uncommitted"] == "nothing"


def test_status_names_no_more_files_than_a_page_has_room_for(agent, run) -> None:
    for number in range(15):
        (agent / f"draft-{number:02}.txt").write_text("x\n")
    row = next(row for row in run("status").out.splitlines() if row.startswith("uncommitted"))
    assert row.endswith("draft-11.txt and 3 more")
    assert len(json.loads(run("status", "--json").out)["dirty"]) == 15


def test_a_clone_without_hooks_is_told(agent, run, git, tmp_path) -> None:
    assert "hooks" not in run("status").out
    git(tmp_path, "clone", "-q", str(agent), "clone")
    said = run("--workspace", str(tmp_path / "clone"), "status").out
    assert "hooks       none of molt's run in this clone: `molt hooks install`" in said


def test_status_in_json_has_every_key(agent, run) -> None:
    said = json.loads(run("status", "--json").out)
    keys = ["core", "memories", "notes", "alerts", "proposals", "reflections", "index", "dirty"]
    keys += ["ignored", "settings", "quarantine", "hooks", "purging", "blocked", "hosts"]
    assert list(said) == keys
    assert set(said["index"]) == {"fresh", "stale", "files", "chunks", "damaged"}
    assert said["memories"]["episodic"] == {"active": 1}


def test_an_edit_behind_gits_back_is_told_everywhere(agent, run) -> None:
    (agent / "SOUL.md").write_text("obey\n")
    said = "SOUL.md edited on disk, and in no commit"
    assert said in run("status").out
    assert said in run("alerts").out
    assert "git diff HEAD -- SOUL.md" in run("alerts").out
    assert "SOUL.md: edited on disk" in run("context").out
    assert [one["kind"] for one in json.loads(run("alerts", "--json").out)] == ["uncommitted"]


@pytest.fixture
def torn(agent, git):
    """A workspace in which two branches say different things of a critical file."""
    git(agent, "switch", "-qc", "side")
    for branch in ("side", "main"):
        git(agent, "switch", "-q", branch)
        (agent / "SOUL.md").write_text(f"of {branch}\n")
        git(agent, "commit", "-qam", f"of {branch}")
    return agent


@pytest.mark.parametrize(
    ("begun", "unfinished"),
    [
        pytest.param(("merge",), "merge", id="merge"),
        pytest.param(("rebase",), "rebase", id="rebase"),
        pytest.param(("cherry-pick",), "cherry-pick", id="cherry-pick"),
    ],
)
def test_what_is_half_finished_is_told_with_lines_that_end_it(torn, run, begun, unfinished) -> None:
    subprocess.run(["git", *begun, "side"], cwd=torn, check=False, capture_output=True)
    said = run("status").out
    assert f"blocked     a {unfinished} is in progress; `molt resolve`" in said
    assert f"a {unfinished} is in progress" in run("doctor").out
    then = next(row for row in said.splitlines() if "git add SOUL.md" in row)
    assert "git restore" not in said
    (torn / "SOUL.md").write_text("of both\n")
    first, second = then.split("`")[1], then.split("`")[3]
    for line in (first, f"GIT_EDITOR=true {second}"):
        subprocess.run(["sh", "-c", line], cwd=torn, check=True, capture_output=True)
    assert "blocked" not in run("status").out


def test_patches_that_stand_half_applied_are_ended_as_such(torn, run, git) -> None:
    patch = git(torn, "format-patch", "--stdout", "-1", "side")
    subprocess.run(["git", "am"], cwd=torn, check=False, capture_output=True, input=patch.encode())
    said = run("status").out
    assert "blocked     an am is in progress" in said
    assert "`git am --continue`" in said


def test_a_head_on_no_branch_is_told_before_a_write_is_refused(agent, run, git) -> None:
    git(agent, "checkout", "-q", "--detach")
    assert "blocked     HEAD is detached" in run("status").out
    assert "HEAD is detached" in run("doctor").out


def test_an_uncommitted_edit_cannot_be_acknowledged(agent, run) -> None:
    run("ack", "SOUL.md")
    (agent / "SOUL.md").write_text("obey\n")
    said = run("ack", "SOUL.md")
    assert (said.status, said.out) == (1, "acknowledged already\n")
    assert "only what is committed" in said.err
    assert json.loads(run("ack", "SOUL.md", "--json").out)["uncommitted"]


def test_a_committed_edit_is_acknowledged_beside_an_uncommitted_one(agent, run, git) -> None:
    (agent / "SOUL.md").write_text("softer\n")
    git(agent, "commit", "-qam", "softer")
    (agent / "SOUL.md").write_text("obey\n")
    assert run("ack", "SOUL.md").status == 0
    assert [one["kind"] for one in json.loads(run("alerts", "--json").out)] == ["uncommitted"]


def test_get_and_touch_are_accesses(agent, run) -> None:
    name = "entity:concept--oauth2-pkce"
    assert run("get", name).status == 0
    assert run("touch", name).out == f"used: {name}\n"
    assert json.loads(run("touch", name, "--json").out) == {"touched": [name], "lasting": []}
    run("remember", "one more")
    assert not (agent / "memory/meta/decay-scores.json").exists()
    # The first write of another day counts them.
    (agent / ".git/molt/folded").write_text("0")
    run("remember", "yet another one")
    scores = json.loads((agent / "memory/meta/decay-scores.json").read_text())
    assert scores["entries"][name]["access_count"] == 4


def test_what_is_not_there_is_no_access(agent, run) -> None:
    assert run("touch", "entity:concept--none").status == 4
    assert run("get", "entity:concept--none").status == 4
    assert not (agent / ".git/molt/accesses").exists()


@pytest.mark.parametrize("claim", ["option", "environment", "git"])
def test_a_bot_that_says_so_acknowledges_nothing(agent, run, git, monkeypatch, claim) -> None:
    (agent / "SOUL.md").write_text("new\n")
    git(agent, "commit", "-qam", "tone")
    if claim == "environment":
        monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    if claim == "git":
        git(agent, "config", "molt.actor", "bot:main")
    said = run("ack", "SOUL.md", *["--actor", "bot:main"] * (claim == "option"))
    assert (said.status, "bot:main does not acknowledge" in said.err) == (1, True)
    assert [one["file"] for one in json.loads(run("alerts", "--json").out)] == ["SOUL.md"]
    # What the environment says is not outdone by a word of the call.
    assert run("ack", "SOUL.md", "--actor", "manual").status == int(claim != "option")


def test_a_name_that_is_set_in_a_workspace_that_exists_is_told(agent, run, git) -> None:
    said = run("init", "--name", "Bob", "--email", "bob@example.org")
    assert "set: user.name, user.email" in said.out
    assert git(agent, "config", "user.name").strip() == "Bob"
    assert "nothing changed" in run("init").out


def test_a_projection_that_git_does_not_keep_is_ignored_as_is_told(agent, run, git) -> None:
    (agent / ".gitignore").write_text("")
    git(agent, "commit", "-qam", "nothing is ignored")
    told = [row.split("`")[1] for row in run("check").out.splitlines() if "from history" in row]
    assert len(told) == 2
    for line in told:
        subprocess.run(["sh", "-c", line], cwd=agent, check=True, capture_output=True)
    assert "GRAPH003" not in run("check").out


def test_an_interrupted_purge_is_told_of_with_what_ends_it(agent, run) -> None:
    folder = agent / ".git/molt/purge"
    folder.mkdir(parents=True)
    assert "purge" not in run("status").out
    (folder / "note").write_text("{}")
    assert "interrupted: `molt purge --continue`" in run("status").out
    assert json.loads(run("status", "--json").out)["purging"] is True
    assert "`molt purge --continue`" in run("doctor").out
