"""Index before branch before files: whoever finds the new commit finds the index that is its."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from changes import change

from molt import errors
from molt.policy import Context
from molt.repo import find
from molt.repo.repository import Repo
from molt.repo.write import transaction
from molt.repo.write.lease import Published
from molt.repo.write.publication import mend_entries

NOTE = "memory/note.md"


def write(root: str, line: str) -> None:
    made = change(lambda tree: {NOTE: (tree.read(NOTE) or b"") + line.encode() + b"\n"})
    transaction.commit(find.find_repo(root), made, Context(actor="bot:main"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = find.init(str(tmp_path / "w"))
    write(made.root, "one")
    return made


def held(repo: Repo, git) -> tuple[str, str, str]:
    """What branch, index and work tree hold of the note."""
    root = Path(repo.root)
    return (
        git(root, "show", f"HEAD:{NOTE}"),
        git(root, "show", f":{NOTE}"),
        (root / NOTE).read_text(),
    )


def test_a_branch_that_git_cannot_move_leaves_the_index_as_it_was(repo, git) -> None:
    log = Path(repo.git_dir, "logs/refs/heads/main")
    log.unlink()
    (log / "in-the-way").mkdir(parents=True)
    (log / "in-the-way/file").touch()
    mine = Path(repo.root, "mine.md")
    mine.write_text("mine\n")
    git(Path(repo.root), "add", "mine.md")
    with pytest.raises(errors.Failed, match="does not move"):
        write(repo.root, "two")
    assert held(repo, git) == ("one\n", "one\n", "one\n")
    assert git(Path(repo.root), "status", "--porcelain") == "A  mine.md\n"
    assert not Path(repo.git_dir, "index.lock").exists()


def _write_alone(root: str) -> None:
    """In a process group of its own, with every git that it starts."""
    os.setpgid(0, 0)
    write(root, "two")


def _wait_for(done) -> None:
    """Until something is so; a minute is longer than any machine takes."""
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def stopped_between(repo, git):
    """A writer killed after its index is in place and before its branch is: git, which moves the
    branch where its log is no plain file, waits for a reader of that log.
    """
    log = Path(repo.git_dir, "logs/refs/heads/main")
    kept = log.read_bytes()
    log.unlink()
    os.mkfifo(log)
    writer = multiprocessing.get_context("fork").Process(
        target=_write_alone, args=(repo.root,), daemon=True
    )
    writer.start()
    _wait_for(lambda: git(Path(repo.root), "show", f":{NOTE}") == "one\ntwo\n")
    assert held(repo, git) == ("one\n", "one\ntwo\n", "one\n")
    os.killpg(writer.pid or 0, signal.SIGKILL)
    writer.join()
    log.unlink()
    log.write_bytes(kept)
    return repo


def test_a_write_killed_before_its_branch_moves_is_taken_back(stopped_between, git) -> None:
    repo = stopped_between
    transaction.recover(repo)
    assert held(repo, git) == ("one\n", "one\n", "one\n")
    assert git(Path(repo.root), "status", "--porcelain") == ""
    assert not Path(repo.git_dir, "index.lock").exists()
    write(repo.root, "three")
    assert held(repo, git) == ("one\nthree\n",) * 3


def test_what_a_person_staged_meanwhile_stays(stopped_between, git) -> None:
    repo = stopped_between
    root = Path(repo.root)
    os.unlink(os.path.join(repo.git_dir, "index.lock"))
    (root / "mine.md").write_text("mine\n")
    git(root, "add", "mine.md")
    transaction.recover(repo)
    assert git(root, "status", "--porcelain") == "A  mine.md\n"
    assert held(repo, git) == ("one\n", "one\n", "one\n")


def test_an_entry_that_a_late_git_puts_back_is_mended_and_no_other(repo, git) -> None:
    root = Path(repo.root)
    (root / "mine.md").write_text("one\n")
    git(root, "add", "mine.md")
    git(root, "commit", "-qm", "mine")
    old = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    mine = git(root, "rev-parse", "HEAD:mine.md").strip()
    write(repo.root, "two")
    new = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    git(root, "update-index", "--cacheinfo", f"100644,{old},{NOTE}")
    (root / "mine.md").write_text("two\n")
    git(root, "add", "mine.md")
    published = Published("", 0.0, ((old, new, NOTE), (mine, mine, "mine.md")))
    mend_entries(repo, published)
    assert git(root, "status", "--porcelain") == "M  mine.md\n"
    assert held(repo, git) == ("one\ntwo\n",) * 3


def test_a_file_that_a_write_took_away_and_a_late_git_puts_back_is_mended(repo, git) -> None:
    root = Path(repo.root)
    old = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    transaction.commit(repo, change(lambda _tree: {NOTE: None}), Context(actor="bot:main"))
    git(root, "update-index", "--add", "--cacheinfo", f"100644,{old},{NOTE}")
    mend_entries(repo, Published("", 0.0, ((old, "", NOTE),)))
    assert git(root, "status", "--porcelain") == ""


def test_what_a_person_stages_while_an_entry_is_mended_stays(
    repo, git, tmp_path, monkeypatch
) -> None:
    root = Path(repo.root)
    old = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    write(repo.root, "two")
    new = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    git(root, "update-index", "--cacheinfo", f"100644,{old},{NOTE}")
    (root / NOTE).write_text("one\ntwo\nmine\n")
    mine = git(root, "hash-object", "-w", NOTE).strip()
    # A git that stages it as soon as what the index holds has been read, and HEAD is.
    real = shutil.which("git")
    stage = f"'{real}' -C '{root}' update-index --cacheinfo 100644,{mine},{NOTE}"
    shim = tmp_path / "bin/git"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\ncase "$*" in *cat-file*) {stage} ;; esac\nexec \'{real}\' "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    mend_entries(find.find_repo(repo.root), Published("", 0.0, ((old, new, NOTE),)))
    monkeypatch.undo()
    assert git(root, "rev-parse", f":{NOTE}").strip() == mine
    assert not Path(repo.git_dir, "index.lock").exists()


def test_an_entry_is_not_mended_where_the_branch_has_gone_on(repo, git) -> None:
    root = Path(repo.root)
    old = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    write(repo.root, "two")
    new = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    write(repo.root, "three")
    git(root, "update-index", "--cacheinfo", f"100644,{old},{NOTE}")
    mend_entries(repo, Published("", 0.0, ((old, new, NOTE),)))
    assert git(root, "rev-parse", f":{NOTE}").strip() == old
