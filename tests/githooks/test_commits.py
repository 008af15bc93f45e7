"""Real commits of git with the hooks installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from molt.repo import hooks

EPISODE = "memory/episodes/2026-02-02.md"
FIRST = "# 2026-02-02 — Episode Log\n\n## 09:00 | fact | confidence:high | tags:[a]\nOne.\n"
SECOND = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"
INIT = "[INIT] memory/* — start\n\nActor: system:init\nApproval: auto\nTrigger: molt init\n"


class Workspace:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.put("molt.yaml", "core:\n  cap: 3000\n")
        self.put(EPISODE, FIRST)
        self.git("commit", "-q", "-m", INIT)
        hooks.install(str(root / ".git/hooks"), sys.executable)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *args], cwd=self.root, env=self.env, capture_output=True, text=True
        )

    def git(self, *args: str) -> str:
        done = self.run(*args)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.git("add", path)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "w")


def test_a_plain_message_is_completed_and_accepted(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST + SECOND)
    workspace.git("commit", "-q", "-m", "decided two")
    message = workspace.git("log", "-1", "--format=%B")
    assert message.startswith(f"[APPEND] {EPISODE} — decided two\n")
    assert "Actor: manual" in message


def test_an_episode_that_was_edited_is_refused(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST.replace("One", "Other"))
    done = workspace.run("commit", "-m", "rewrite")
    assert done.returncode == 1
    assert "EPI001" in done.stderr
    assert workspace.git("rev-list", "--count", "HEAD") == "1\n"


def test_the_words_of_a_bot_are_completed_in_its_name(workspace: Workspace) -> None:
    workspace.env["MOLT_ACTOR"] = "bot:main"
    workspace.put(EPISODE, FIRST + SECOND)
    workspace.git("commit", "-q", "-m", "auto-backup")
    message = workspace.git("log", "-1", "--format=%B").strip()
    trailers = "Actor: bot:main\nApproval: auto\nTrigger: git commit"
    assert message == f"[APPEND] {EPISODE} — auto-backup\n\n{trailers}"


def test_a_partial_commit_is_judged_on_its_own_files(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST.replace("One", "Other"))
    workspace.put("notes.txt", "hello\n")
    workspace.git("commit", "-q", "-m", "a note", "notes.txt")
    assert workspace.git("log", "-1", "--format=%s").startswith("[CREATE] notes.txt — a note")


def test_an_amend_is_judged_on_the_parent_of_what_it_replaces(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST + SECOND)
    workspace.git("commit", "-q", "-m", "two")
    workspace.put(EPISODE, FIRST + SECOND.replace("Two", "Second"))
    workspace.git("commit", "-q", "--amend", "--no-edit")
    assert "Second" in workspace.git("show", f"HEAD:{EPISODE}")


def test_a_judgement_of_another_index_is_not_believed(workspace: Workspace) -> None:
    (workspace.root / ".git/molt-judged").write_text("0" * 40 + "\n")
    workspace.put(EPISODE, FIRST.replace("One", "Other"))
    assert workspace.run("commit", "-m", "rewrite").returncode == 1


def test_an_editor_session_refuses_bad_files_before_it_opens(workspace: Workspace) -> None:
    workspace.env["GIT_EDITOR"] = "touch opened; true"
    workspace.put(EPISODE, FIRST.replace("One", "Other"))
    assert workspace.run("commit").returncode == 1
    assert not (workspace.root / "opened").exists()


def test_a_repository_without_a_workspace_is_left_alone(workspace: Workspace) -> None:
    workspace.git("rm", "-rq", "molt.yaml", "memory")
    workspace.git("commit", "-q", "--no-verify", "-m", "out")
    workspace.put("a.txt", "a\n")
    workspace.git("commit", "-q", "-m", "free text")
    assert workspace.git("log", "-1", "--format=%B").strip() == "free text"


def test_a_failure_inside_a_hook_refuses_the_commit_with_one_line(workspace: Workspace) -> None:
    hook = [str(workspace.root / ".git/hooks/commit-msg"), "no-such-file"]
    done = subprocess.run(
        hook, cwd=workspace.root, env=workspace.env, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("molt: commit-msg: ")


PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
from molt.githooks import main
assert main(["prepare-commit-msg", sys.argv[2], "message"]) == 0
assert main(["commit-msg", sys.argv[2]]) == 0
heavy = {"re", "json", "dataclasses", "typing", "subprocess", "click", "pygit2", "apsw", "yaml"}
print(sorted(heavy & set(sys.modules)))
"""


def test_the_path_of_a_plain_commit_imports_nothing_heavy(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST + SECOND)
    workspace.git("commit", "-q", "-m", "two")
    workspace.put(EPISODE, FIRST + SECOND + SECOND.replace("10:00", "11:00"))
    message = workspace.root / "message"
    message.write_text("three\n")
    root = str(Path(hooks.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE, root, message],
        cwd=workspace.root,
        env=workspace.env | {"GIT_EDITOR": ":"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_warning_is_said_once_and_the_commit_judged_once(workspace: Workspace) -> None:
    taken = SECOND.replace("10:00", "09:00")
    workspace.put(EPISODE, FIRST + taken)
    # Who looks for Python again is refused: what was judged needs no second look.
    hook = workspace.root / ".git/hooks/commit-msg"
    hook.write_text(hook.read_text().replace("python=", "python=/nowhere #", 1))
    workspace.env["PATH"] = "/usr/bin:/bin"
    done = workspace.run("commit", "-q", "-m", "the same minute")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("warning EPI002") == 1


def test_a_refused_commit_is_judged_once(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST.replace("One", "Another"))
    hook = workspace.root / ".git/hooks/commit-msg"
    hook.write_text(hook.read_text().replace("python=", "python=/nowhere #", 1))
    workspace.env["PATH"] = "/usr/bin:/bin"
    done = workspace.run("commit", "-q", "-m", "another")
    assert done.returncode == 1
    assert done.stderr.count("error EPI001") == 1
    assert done.stderr.endswith("once that is mended: git commit -F .git/COMMIT_EDITMSG\n")
    assert "Python" not in done.stderr


def test_what_was_refused_is_judged_anew_once_it_is_mended(workspace: Workspace) -> None:
    workspace.put(EPISODE, FIRST.replace("One", "Another"))
    again = ("commit", "-q", "-F", ".git/COMMIT_EDITMSG")
    assert workspace.run("commit", "-q", "-m", "another").returncode == 1
    refused = (workspace.root / ".git/COMMIT_EDITMSG").read_text()
    workspace.put(EPISODE, FIRST + SECOND)
    # As where another hook has ended the commit before commit-msg looked for it.
    (workspace.root / ".git/molt/refused").write_text(refused)
    workspace.git(*again)
    assert workspace.git("log", "-1", "--format=%B").rstrip() == refused.rstrip()


def test_a_message_that_another_hook_changes_is_judged_as_it_is_then(workspace: Workspace) -> None:
    accepts = "Accepts: EPI001 — the name was wrong"
    before = workspace.root / ".git/hooks/commit-msg.before-molt"
    before.write_text(f'#!/bin/sh\necho "{accepts}" >>"$1"\n')
    before.chmod(0o755)
    workspace.put(EPISODE, FIRST.replace("One", "Another"))
    workspace.git("commit", "-q", "-m", "another")
    assert accepts in workspace.git("log", "-1", "--format=%B")
