"""What other programs write is committed in their names, and a person's work is nobody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Git
from copies import Copy
from moments import NOW, count_commits, make_workspace, open_moment

from molt import errors
from molt.hosts.session import start
from molt.memory.adopt import foreign

SESSION = """# Session: 2026-02-01 21:10:00 UTC

- **Session Key**: agent:main:main

## Conversation Summary

user: the gate opens at nine
"""
NOTE = """---
name: prefers-tabs
description: How the user indents
metadata:
  type: user
---
The user prefers tabs. See [[build]].
"""


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_workspace)


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, "utf-8")


def adopt(root: Path, *, dry_run: bool = False) -> foreign.Adopted:
    return foreign.adopt_changes(open_moment(root).ws, NOW, dry_run=dry_run)


def dream(root: Path) -> None:
    put(root, "DREAMS.md", "# Dreams\n\nThe gate.\n")
    put(root, "memory/.dreams/short-term-recall.json", '{"a": 1}\n')
    put(root, "memory/dreaming/deep/2026-02-01.md", "- promoted: the gate\n")
    text = (root / "MEMORY.md").read_text("utf-8")
    put(root, "MEMORY.md", text.rstrip("\n") + "\n- The gate opens at nine.\n")


def status(root: Path, git: Git) -> str:
    return git(root, "status", "--porcelain", "--untracked-files=all")


def test_dreaming_is_committed_in_its_name(root: Path, git: Git) -> None:
    dream(root)
    (done,) = adopt(root).done
    assert done.actor == foreign.DREAMING
    assert set(done.files) == {
        *("DREAMS.md", "MEMORY.md"),
        *("memory/.dreams/short-term-recall.json", "memory/dreaming/deep/2026-02-01.md"),
    }
    assert "Actor: bot:openclaw-dreaming" in git(root, "log", "-1", "--format=%B")
    assert status(root, git) == ""
    assert adopt(root) == foreign.Adopted()


def test_core_memory_that_was_edited_at_another_time_is_a_persons(root: Path, git: Git) -> None:
    dream(root)
    later = (root / "DREAMS.md").stat().st_mtime + 3600
    os.utime(root / "MEMORY.md", (later, later))
    (done,) = adopt(root).done
    assert "MEMORY.md" not in done.files
    assert status(root, git) == " M MEMORY.md\n"


def test_core_memory_without_dreams_is_a_persons(root: Path, git: Git) -> None:
    put(root, "MEMORY.md", (root / "MEMORY.md").read_text("utf-8") + "- mine\n")
    assert adopt(root) == foreign.Adopted()
    assert status(root, git) == " M MEMORY.md\n"


def test_a_session_note_is_committed_and_a_diary_that_is_called_so_is_not(
    root: Path, git: Git
) -> None:
    put(root, "memory/2026-02-01-auth-flow.md", SESSION)
    put(root, "memory/2026-02-01-2110.md", SESSION)
    put(root, "memory/2026-02-01-my-trip.md", "We sailed.\n")
    put(root, "memory/2026-02-01.md", "# 2026-02-01\n\nMine.\n")
    (done,) = adopt(root).done
    assert done.actor == foreign.SESSION_MEMORY
    assert done.files == ("memory/2026-02-01-2110.md", "memory/2026-02-01-auth-flow.md")
    assert status(root, git) == "?? memory/2026-02-01-my-trip.md\n?? memory/2026-02-01.md\n"


def test_a_note_of_auto_memory_is_committed_with_its_index(root: Path, git: Git) -> None:
    put(root, "memory/claude/prefers-tabs.md", NOTE)
    put(root, "memory/claude/MEMORY.md", "- [[prefers-tabs]]\n")
    put(root, "memory/claude/mine.md", "Mine, without a head.\n")
    (done,) = adopt(root).done
    assert done.actor == foreign.AUTO_MEMORY
    assert done.files == ("memory/claude/MEMORY.md", "memory/claude/prefers-tabs.md")
    assert status(root, git) == "?? memory/claude/mine.md\n"


def test_what_a_person_has_staged_is_the_persons(root: Path, git: Git) -> None:
    dream(root)
    git(root, "add", "DREAMS.md")
    (done,) = adopt(root).done
    assert "DREAMS.md" not in done.files
    assert status(root, git) == "A  DREAMS.md\n"


def test_what_breaks_a_rule_stays_and_is_shown(root: Path, git: Git) -> None:
    put(root, "memory/2026-02-01-fine.md", SESSION)
    put(root, "memory/2026-02-01-key.md", SESSION + "\nghp_a8Zk3Lq0Wm5Rt7Yx2Bv9Nc4Jd6Fh1Ps8Ue3K\n")
    found = adopt(root)
    assert [one.files for one in found.done] == [("memory/2026-02-01-fine.md",)]
    (kept,) = found.kept
    assert kept.file == "memory/2026-02-01-key.md"
    assert "SEC001" in kept.why
    assert status(root, git) == "?? memory/2026-02-01-key.md\n"
    assert "2026-02-01-key.md" in start.start_session(open_moment(root)).context


def test_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(NOTE)
    (root / "memory/claude").mkdir()
    (root / "memory/claude/note.md").symlink_to(tmp_path / "outside.md")
    assert adopt(root) == foreign.Adopted()


def test_a_dry_run_commits_nothing(root: Path, git: Git) -> None:
    dream(root)
    before = count_commits(root), status(root, git)
    (done,) = adopt(root, dry_run=True).done
    assert done.commit == ""
    assert (count_commits(root), status(root, git)) == before


def test_a_session_begins_with_what_others_have_written(root: Path, git: Git) -> None:
    dream(root)
    put(root, "notes.txt", "mine\n")
    said = start.start_session(open_moment(root))
    assert [one.actor for one in said.adopted.done] == [foreign.DREAMING]
    assert "The gate opens at nine." in said.context
    assert status(root, git) == "?? notes.txt\n"


def act(root: Path, actor: str, *files: str, dry_run: bool = False) -> foreign.Adopted:
    ws = open_moment(root).ws.replace(named=actor)
    return foreign.adopt_own(ws, NOW, files, dry_run=dry_run)


def test_a_bot_names_what_it_wrote(root: Path, git: Git) -> None:
    put(root, "memory/2026-02-01.md", "- The gate opens at nine.\n")
    put(root, "memory/2026-02-02.md", "- A person's.\n")
    assert act(root, "bot:claw", "memory/2026-02-01.md", dry_run=True).done[0].commit == ""
    found = act(root, "bot:claw", "memory/2026-02-01.md", "memory/2026-01-01.md", "SOUL.md")
    assert [(one.actor, one.files) for one in found.done] == [
        ("bot:claw", ("memory/2026-02-01.md",))
    ]
    assert found.kept == ()
    assert "Actor: bot:claw" in git(root, "log", "-1", "--format=%B")
    assert status(root, git) == "?? memory/2026-02-02.md\n"


def test_a_file_that_is_laid_out_and_empty_is_nothing_yet(root: Path, git: Git) -> None:
    put(root, "memory/2026-02-01.md", "")
    assert act(root, "bot:claw", "memory/2026-02-01.md") == foreign.Adopted()
    assert status(root, git) == "?? memory/2026-02-01.md\n"


def test_what_somebody_staged_is_not_a_bots(root: Path, git: Git) -> None:
    put(root, "memory/2026-02-01.md", "- The gate opens at nine.\n")
    git(root, "add", "memory/2026-02-01.md")
    before = count_commits(root)
    found = act(root, "bot:claw", "memory/2026-02-01.md")
    assert [one.file for one in found.kept] == ["memory/2026-02-01.md"]
    assert found.done == ()
    assert count_commits(root) == before


@pytest.mark.parametrize("actor", ["manual", "subagent:x", ""])
def test_who_is_no_bot_adopts_nothing_as_its_own(root: Path, actor: str) -> None:
    put(root, "memory/2026-02-01.md", "- The gate opens at nine.\n")
    with pytest.raises(errors.Usage):
        act(root, actor, "memory/2026-02-01.md")


def test_a_bots_word_opens_no_file_that_a_person_changes(root: Path) -> None:
    put(root, "SOUL.md", "# Soul\n\nObey the bot.\n")
    found = act(root, "bot:claw", "SOUL.md")
    assert found.done == ()
    assert "CRIT001" in found.kept[0].why
