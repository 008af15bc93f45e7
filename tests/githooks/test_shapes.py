"""The ways a person can commit, and the places they can do it from."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from molt.memory.provenance import audit
from molt.repo import hooks as hook_files

from .conftest import Agent

EPISODE = "memory/episodes/2026-02-02.md"
TWO = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"


def subject(agent: Agent) -> str:
    return agent.git("log", "-1", "--format=%s").strip()


def message(agent: Agent) -> str:
    return agent.git("log", "-1", "--format=%B").strip()


def editor(monkeypatch, tmp_path, text: str) -> None:
    """An editor in which a person ends the subject that was begun."""
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\nsed "1s/ *$/ {text}/" "$1" >"$1.n" && mv "$1.n" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("GIT_EDITOR", str(script))


def test_all_takes_what_is_not_staged(agent) -> None:
    agent.append(TWO, add=False)
    agent.git("commit", "-qam", "two")
    assert subject(agent) == f"[APPEND] {EPISODE} — two"
    agent.rewrite(add=False)
    assert "EPI001" in agent.run("commit", "-am", "rewrite").stderr


def test_a_file_alone_is_judged_alone(agent) -> None:
    agent.rewrite()
    agent.put("notes.md", "a\n")
    agent.git("commit", "-qm", "a note", "notes.md")
    assert subject(agent) == "[CREATE] notes.md — a note"
    agent.put("notes.md", "b\n", add=False)
    assert "EPI001" in agent.run("commit", "-m", "both", EPISODE, "notes.md").stderr


def test_an_amend_through_an_alias_is_judged_on_its_real_parent(agent) -> None:
    agent.git("config", "alias.fixup", "commit --amend --no-edit -q")
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    agent.put(EPISODE, (agent.root / EPISODE).read_text().replace("Two.", "Second."))
    agent.git("fixup")
    assert "Second." in agent.git("show", f"HEAD:{EPISODE}")
    assert agent.codes() == set()


@pytest.mark.parametrize("how", [("--amend", "--no-edit"), ("--amend", "-m", "again")])
def test_an_amend_cannot_rewrite_what_came_before(agent, how) -> None:
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    agent.rewrite()
    assert "EPI001" in agent.run("commit", *how).stderr


@pytest.mark.parametrize(
    ("config", "flags"),
    [
        pytest.param((), ("-v",), id="verbose"),
        pytest.param(("commit.verbose", "true"), (), id="commit.verbose"),
        pytest.param((), ("--cleanup=scissors",), id="scissors"),
        pytest.param(("commit.cleanup", "scissors"), ("-v",), id="commit.cleanup"),
        pytest.param(("core.commentChar", ";"), (), id="comment-char"),
        pytest.param(("core.commentChar", ";"), ("-v",), id="comment-char-verbose"),
        pytest.param(("core.commentChar", "auto"), (), id="comment-char-auto"),
    ],
)
def test_an_editor_session_ends_in_the_schema(agent, monkeypatch, tmp_path, config, flags) -> None:
    if config:
        agent.git("config", *config)
    editor(monkeypatch, tmp_path, "a second thing")
    agent.append(TWO)
    agent.git("commit", "-q", *flags)
    assert subject(agent) == f"[APPEND] {EPISODE} — a second thing"
    assert "diff --git" not in message(agent)
    assert "Actor: manual" in message(agent)
    assert agent.codes() == set()


def test_a_commit_from_a_subfolder_is_judged(agent) -> None:
    agent.rewrite()
    done = agent.run("commit", "-m", "x", "2026-02-02.md", cwd=agent.root / "memory/episodes")
    assert "EPI001" in done.stderr


def test_git_dir_and_work_tree_may_be_given(agent, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(agent.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(agent.root))
    agent.rewrite()
    assert "EPI001" in agent.run("commit", "-m", "x", cwd=tmp_path).stderr
    agent.git("reset", "-q", "--hard")
    agent.append(TWO)
    agent.git("commit", "-qm", "two", cwd=tmp_path)
    assert subject(agent) == f"[APPEND] {EPISODE} — two"


def test_a_linked_work_tree_is_judged_on_its_own_branch(agent, tmp_path) -> None:
    agent.git("worktree", "add", "-q", "-b", "second", str(tmp_path / "second"))
    second = tmp_path / "second"
    (second / EPISODE).write_text("# rewritten\n")
    assert "EPI001" in agent.run("commit", "-am", "x", cwd=second).stderr
    agent.git("checkout", "-q", ".", cwd=second)
    (second / "memory/new.md").write_text("new\n")
    agent.git("add", "-A", cwd=second)
    agent.git("commit", "-qm", "new", cwd=second)
    assert subject(agent) != agent.git("log", "-1", "--format=%s", "second").strip()
    assert "| CREATE | memory/new.md |" in (second / "memory/meta/audit.log").read_text()
    assert "memory/new.md" not in agent.log()


def test_a_workspace_as_a_submodule_is_judged(agent, tmp_path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    agent.git("init", "-q", cwd=outer)
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(agent.root), "inner")
    agent.git(*add, cwd=outer)
    inner = outer / "inner"
    hooks = agent.git("rev-parse", "--git-path", "hooks", cwd=inner).strip()
    hook_files.install(os.path.join(inner, hooks), sys.executable)
    (inner / EPISODE).write_text("# rewritten\n")
    assert "EPI001" in agent.run("commit", "-am", "x", cwd=inner).stderr
    agent.git("checkout", "-q", ".", cwd=inner)
    (inner / "memory/new.md").write_text("new\n")
    agent.git("add", "-A", cwd=inner)
    agent.git("commit", "-qm", "new", cwd=inner)
    assert agent.git("log", "-1", "--format=%s", cwd=inner).startswith("[CREATE] memory/new.md")


def test_a_submodule_in_a_workspace_is_let_be_outside_memory(agent, tmp_path) -> None:
    agent.git("init", "-q", str(tmp_path / "code"))
    agent.git("commit", "-q", "--allow-empty", "-m", "code", cwd=tmp_path / "code")
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "code"))
    agent.git(*add, "vendor")
    agent.git("commit", "-qm", "vendor")
    assert agent.codes() == set()


@pytest.mark.parametrize(
    "name",
    [
        *("a b.md", "it's.md", 'say "so".md', "-rf.md", ":(top)x.md", "*.md", "Ω.md"),
        *("day 1 - home.md", "a — b -- c.md"),
    ],
)
def test_odd_names_are_judged_by_their_content(agent, name) -> None:
    agent.put(f"memory/{name}", "fine\n", add=False)
    agent.git("add", "-A")
    done = agent.run("commit", "-m", "odd")
    if done.returncode:
        assert "SEC004" in done.stderr
    else:
        assert agent.codes() == set()
        assert name in agent.log()


@pytest.mark.parametrize("raw", [b"line\nbreak.md", b"tab\t.md", b"caf\xe9.md", b"esc\x1b[2J.md"])
def test_names_that_no_other_system_holds_are_refused_and_shown_safely(agent, raw) -> None:
    folder = os.fsencode(agent.root / "memory")
    with open(os.path.join(folder, raw), "wb") as file:
        file.write(b"x\n")
    agent.git("add", "-A")
    done = subprocess.run(
        ["git", "commit", "-m", "odd"], cwd=agent.root, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"SEC004" in done.stderr
    assert b"\x1b" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_hook_of_another_repository_remembers_here(agent, tmp_path, monkeypatch) -> None:
    code = tmp_path / "code"
    agent.git("init", "-q", "-b", "main", str(code))
    agent.git("commit", "-q", "--allow-empty", "-m", "code", cwd=code)
    agent.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"), cwd=code)
    hook = code / ".git/hooks/post-commit"
    hook.parent.mkdir(exist_ok=True)
    molt = f"'{sys.executable}' -m molt --workspace '{agent.root}'"
    hook.write_text(f'#!/bin/sh\n{molt} remember "code was committed in $PWD" >&2\n')
    hook.chmod(0o755)
    for place in (code, tmp_path / "linked"):
        (place / "a.txt").write_text("a\n")
        agent.git("add", "a.txt", cwd=place)
        agent.git("commit", "-qm", "more", "a.txt", cwd=place)
        assert agent.git("log", "-1", "--format=%s", cwd=place) == "more\n"
        assert agent.git("status", "--porcelain", cwd=place) == ""
    assert agent.git("log", "--format=%s").count("code was committed") == 2
    assert agent.git("status", "--porcelain") == ""


RIVAL = """#!/bin/sh
[ "$1" = prepared ] && [ ! -e .git/once ] || exit 0
: >.git/once
export GIT_INDEX_FILE=.git/rival
git read-tree HEAD
git update-index --add --cacheinfo "100644,$(git hash-object -w SOUL.md),theirs.md"
git commit -qm theirs
exit 0
"""


def test_a_commit_that_loses_the_branch_leaves_nothing_in_the_log(agent) -> None:
    audit.rebuild(agent.repo)
    hook = agent.root / ".git/hooks/reference-transaction"
    hook.write_text(RIVAL)
    hook.chmod(0o755)
    agent.put("mine.md", "mine\n")
    assert "cannot lock ref" in agent.run("commit", "-qm", "mine").stderr
    assert agent.log().splitlines()[-1].endswith("| CREATE | mine.md | manual | — | mine")


def test_a_person_merges_what_git_carries_into_the_vault(agent) -> None:
    text = "# Door\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\n"
    agent.put("memory/door.md", text)
    agent.git("commit", "-qm", "the door")
    agent.git("switch", "-qc", "side")
    agent.put("memory/door.md", text.replace("two", "two and a half"))
    agent.git("commit", "-qm", "more of it")
    agent.git("switch", "-q", "main")
    (agent.root / "memory/vault").mkdir(exist_ok=True)
    agent.git("mv", "memory/door.md", "memory/vault/door.md")
    agent.git("commit", "-qm", "under lock")
    agent.git("merge", "-q", "--no-edit", "side")
    assert "two and a half" in agent.git("show", "HEAD:memory/vault/door.md")
    assert "Actor: manual" in agent.git("log", "-1", "--format=%B")
    assert agent.codes() == set()
