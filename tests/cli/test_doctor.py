"""`molt doctor` as people and programs see it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import molt


def test_a_workspace_that_is_well(agent, run) -> None:
    said = run("doctor")
    assert (said.status, said.out) == (0, "all is well\n")


def test_a_hook_that_is_gone_is_put_back(agent, run) -> None:
    (agent / ".git/hooks/commit-msg").unlink()
    (agent / ".git/hooks/pre-commit").write_text("# molt hook: pre-commit 0\n")
    said = run("doctor")
    assert said.status == 1
    assert "pre-commit (outdated), commit-msg (absent)" in said.out
    assert "`molt hooks install`" in said.out
    assert run("doctor", "--fix").status == 0
    assert run("doctor").out == "all is well\n"


def test_a_workspace_without_hooks_is_only_warned(agent, run) -> None:
    run("hooks", "uninstall")
    said = run("doctor")
    assert (said.status, said.out.splitlines()[-1]) == (0, "2 warnings")
    assert said.out.startswith("warning  ")


def test_hooks_that_are_not_this_clones_alone_are_left(agent, run, git) -> None:
    git(agent, "config", "core.hooksPath", ".husky")
    said = run("doctor", "--fix")
    assert not (agent / ".husky").exists()
    assert (said.status, "none of them runs molt" in said.out) == (0, True)
    (agent / ".husky").mkdir()
    (agent / ".husky/commit-msg").write_text('#!/bin/sh\nmolt hook-run commit-msg "$@"\n')
    assert run("doctor").out == "all is well\n"


def test_problems_in_json_have_every_part(agent, run) -> None:
    (agent / "memory/vault").mkdir()
    (agent / "memory/vault/a.md").write_text("---\n[\n---\n")
    said = run("doctor", "--json")
    (found,) = [one for one in json.loads(said.out)["problems"] if one["severity"] == "error"]
    assert said.status == 1
    assert set(found) == {"problem", "what", "where", "hint", "severity", "mended"}
    assert found["where"] == "memory/vault/a.md"


def test_a_time_zone_that_is_none_is_named(agent, run, git) -> None:
    (agent / "molt.yaml").write_text("workspace:\n  timezone: Mars/Base\n")
    git(agent, "commit", "-qam", "away")
    said = run("doctor")
    assert said.status == 1
    assert "molt.yaml: 'Mars/Base' is no time zone" in said.out
    assert "such as Europe/Berlin" in run("remember", "a thing").err


def follow(agent: Path, said: str) -> None:
    """Runs what a hint says to run."""
    for command in said.split("`")[1::2][:1]:
        full = command.replace("molt ", f"{sys.executable} -m molt ")
        subprocess.run(["sh", "-c", full], cwd=agent, check=True, capture_output=True)


@pytest.mark.parametrize("local", [True, False])
def test_hooks_that_other_repositories_share_are_left_and_there_is_a_way_on(
    agent, run, git, tmp_path, monkeypatch, local
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    if local:
        git(agent, "config", "core.hooksPath", str(shared))
    else:
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
        git(agent, "config", "--global", "core.hooksPath", str(shared))
    said = run("doctor")
    assert (said.status, "which other repositories share" in said.out) == (0, True)
    refused = run("hooks", "install")
    assert refused.status == 1
    assert list(shared.iterdir()) == []
    follow(agent, refused.err)
    assert run("doctor").out == "all is well\n"
    assert list(shared.iterdir()) == []


def test_shared_hooks_are_filled_when_that_is_said(agent, run, git, tmp_path) -> None:
    git(agent, "config", "core.hooksPath", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    assert run("hooks", "install", "--force").status == 0
    assert (tmp_path / "shared/commit-msg").exists()
    assert run("doctor").out == "all is well\n"


def test_hooks_that_git_keeps_can_call_molt(agent, run, git) -> None:
    (agent / ".husky").mkdir()
    (agent / ".husky/pre-commit").write_text("#!/bin/sh\n")
    git(agent, "add", ".husky")
    git(agent, "commit", "-qm", "husky")
    git(agent, "config", "core.hooksPath", ".husky")
    said = run("doctor")
    assert "git runs the hooks in .husky here (core.hooksPath), which git keeps" in said.out
    assert 'molt hook-run NAME "$@"' in said.out
    assert run("hooks", "install").status == 0
    assert run("doctor").out == "all is well\n"


def test_what_is_no_error_is_counted_apart(agent, run, git) -> None:
    token = "ghp_" + "a1" * 18
    (agent / "memory/keys.md").write_text(f"one {token}\n")
    (agent / "MEMORY.md").write_text("- tea\n" * 2000)
    ignores = agent / ".gitignore"
    ignores.write_text(f"{ignores.read_text()}memory/private.md\n")
    (agent / "memory/private.md").write_text("x\n")
    said = run("doctor")
    rows = said.out.splitlines()
    count = sum(row.startswith("warning ") for row in rows)
    assert (said.status, rows[-1]) == (0, f"{count} warnings")
    for words in (
        "over the cap of 3,000",
        "memory/keys.md: it gives away 1 secret: GitHub token (line 1)",
        "git ignores memory/private.md",
    ):
        assert words in said.out
    assert token not in said.out
    assert str(agent) not in said.out


def test_a_projection_that_git_keeps_is_untracked_by_the_hint(agent, run, git) -> None:
    git(agent, "add", "-f", "memory/meta/audit.log")
    git(agent, "commit", "-qm", "log", "--no-verify")
    said = run("doctor")
    hint = next(line for line in said.out.splitlines() if "git rm" in line)
    follow(agent, hint)
    assert "git keeps it" not in run("doctor").out
    assert (agent / "memory/meta/audit.log").exists()


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_that_a_killed_commit_left_is_named_and_its_hint_works(agent, run, name) -> None:
    (agent / ".git" / name).touch()
    said = run("doctor")
    assert said.status == 1
    hint = next(line for line in said.out.splitlines() if "`rm " in line)
    assert f".git: {name}: git is running, or left it" in said.out
    follow(agent, hint)
    assert run("doctor").out == "all is well\n"


def test_the_lock_of_a_partial_commit_that_was_killed_is_named(agent, run) -> None:
    (agent / "MEMORY.md").write_text("# M\n")
    killer = agent / ".git/hooks/pre-commit"
    killer.write_text("#!/bin/sh\nkill -9 $PPID\n")
    done = subprocess.run(["git", "commit", "-m", "x", "MEMORY.md"], cwd=agent, check=False)
    assert done.returncode == -9
    said = run("doctor").out
    assert "next-index-" in said
    for hint in [line for line in said.splitlines() if "`rm " in line]:
        follow(agent, hint)
    assert ".lock" not in run("doctor").out


def test_growth_is_told_by_place_and_month(agent, run) -> None:
    said = run("doctor", "--growth")
    assert said.status == 0
    assert said.out.splitlines()[0].endswith(" of 60.0 MiB")
    assert "  MEMORY.md\n" in said.out
    told = json.loads(run("doctor", "--growth", "--json").out)
    assert told["budget"] == 60 << 20
    assert sum(told["places"].values()) == sum(told["months"].values())


CONFLICTING = """# Pending Memory Proposals

## Proposal #3 ⚠️ CONFLICT with #4
- **From**: researcher
- **Content**: The ferry sails on March 15
- **Status**: conflict — see #4

## Proposal #4 ⚠️ CONFLICT with #3
- **From**: coder
- **Content**: The ferry sails on March 30
- **Status**: conflict — see #3
"""


def test_proposals_that_contradict_each_other_are_well_formed(agent, run, git) -> None:
    path = agent / "memory/meta/pending-memories.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CONFLICTING)
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "of two agents")
    said = run("doctor")
    assert (said.status, said.out) == (0, "all is well\n")
    assert "conflict" in run("review", "list").out.lower()
    path.write_text(f"{CONFLICTING}- **Confidence**: sure\n")
    assert "unknown confidence 'sure'" in run("doctor").out


def test_what_a_file_breaks_is_fixed_and_not_thrown_away(agent, run) -> None:
    path = agent / "memory/procedures/how.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\nid: [\n---\nWork of an hour.\n")
    (hint,) = [
        one["hint"]
        for one in json.loads(run("doctor", "--json").out)["problems"]
        if one["where"].startswith("memory/procedures/how.md")
    ]
    for command in hint.split("`")[1::2]:
        subprocess.run(["sh", "-c", command.replace("molt check", ":")], cwd=agent, check=True)
    assert "Work of an hour." in path.read_text()


LOSING = (
    *("git restore", "git checkout", "git reset", "git clean", "git stash drop", "git rm -f"),
    *("--abort", "--hard", "--force", "git switch -f", "git switch --discard", "rm -r"),
)
"""What throws away work that is not committed, or may."""
ADVISING = (
    *("memory/health", "memory/clone", "memory/checks/offers.py", "repo/health.py"),
    *("repo/write/plan.py", "memory/decay/mend.py", "memory/adopt/adoption.py"),
)


def test_no_advice_of_doctor_loses_work() -> None:
    """Each string of the modules whose problems it prints."""
    root = Path(molt.__file__).parent
    files = [root / name for name in ADVISING if name.endswith(".py")]
    files += [path for name in ADVISING for path in (root / name).glob("*.py")]
    assert len(files) > 8
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                losing = [one for one in LOSING if one in node.value]
                assert not losing, f"{path.name}:{node.lineno}: {node.value}"
