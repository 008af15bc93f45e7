from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from changes import change

from molt import errors
from molt.policy import Context, Finding
from molt.repo import find, state, worktree
from molt.repo.repository import Repo
from molt.repo.write import lease, transaction
from molt.repo.write.plan import Change
from molt.trees import Edits, Tree

NOTE = "memory/note.md"


def append(line: str, path: str = NOTE) -> Callable[[Tree], Change[None]]:
    return change(lambda tree: {path: (tree.read(path) or b"") + line.encode() + b"\n"})


def write(repo: Repo, line: str, path: str = NOTE) -> transaction.Written[None]:
    return transaction.commit(repo, append(line, path), Context(actor="bot:main"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return find.init(str(tmp_path / "w"))


def test_the_first_commit_is_made_on_an_unborn_branch(repo, git) -> None:
    done = write(repo, "one")
    assert git(Path(repo.root), "log", "--format=%H").strip() == done.oid
    assert git(Path(repo.root), "status", "--porcelain") == ""
    assert Path(repo.root, NOTE).read_text() == "one\n"


def test_an_edit_that_changes_nothing_makes_no_commit(repo) -> None:
    write(repo, "one")
    done = transaction.commit(repo, change(lambda tree: {NOTE: b"one\n"}), Context())
    assert done.oid is None


def test_what_a_person_has_staged_or_edited_stays_as_it_was(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    (root / "staged.md").write_text("s\n")
    git(root, "add", "staged.md")
    (root / "staged.md").write_text("s\nmore\n")
    (root / "new.md").write_text("n\n")
    before = git(root, "status", "--porcelain")
    write(repo, "two")
    assert git(root, "status", "--porcelain") == before
    assert git(root, "show", "--format=", "--name-only", "HEAD").split() == [NOTE]


def write_tree_anew(root: Path) -> str:
    """The tree of the index by its entries alone, whatever its cache of trees says."""
    listed = subprocess.run(["git", "ls-files", "-s", "-z"], cwd=root, stdout=-1, check=True).stdout
    env = {**os.environ, "GIT_INDEX_FILE": str(root / ".git/anew")}
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(command, cwd=root, input=listed, env=env, check=True)
    made = subprocess.run(["git", "write-tree"], cwd=root, env=env, stdout=-1, check=True).stdout
    return made.decode()


@pytest.mark.parametrize("staged", [False, True])
def test_what_the_index_knows_of_folders_is_what_its_entries_say(repo, git, staged) -> None:
    root = Path(repo.root)
    for path in (NOTE, "memory/deep/a.md", "memory/deep/er/b.md"):
        write(repo, "one", path)
    if staged:
        (root / "memory/deep/mine.md").write_text("mine\n")
        git(root, "add", "memory/deep/mine.md")
    git(root, "write-tree")
    for path in ("memory/deep/a.md", "memory/deep/c.md", "memory/new/d.md", NOTE):
        write(repo, "two", path)
        assert git(root, "write-tree") == write_tree_anew(root)
        git(root, "fsck", "--cache", "--strict")
    assert (git(root, "write-tree") == git(root, "rev-parse", "HEAD^{tree}")) is not staged


def test_a_file_with_a_persons_edit_is_edited_twice(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    (root / NOTE).write_text("mine\none\n")
    write(repo, "two")
    assert git(root, "show", f"HEAD:{NOTE}") == "one\ntwo\n"
    assert (root / NOTE).read_text() == "mine\none\ntwo\n"
    assert git(root, "diff", "--numstat").split() == ["1", "0", NOTE]


def test_a_change_that_does_not_apply_to_a_persons_edit_is_refused(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    (root / NOTE).write_text("mine\n")

    def strict(tree: Tree) -> Edits:
        if tree.read(NOTE) != b"one\n":
            raise errors.Failed("moved")
        return {NOTE: b"one\ntwo\n"}

    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(errors.Failed, match="uncommitted edits"):
        transaction.commit(repo, change(strict), Context(actor="bot:main"))
    assert git(root, "rev-parse", "HEAD") == head
    assert (root / NOTE).read_text() == "mine\n"


def test_a_path_that_is_staged_with_other_content_is_refused(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    (root / NOTE).write_text("staged\n")
    git(root, "add", NOTE)
    with pytest.raises(errors.Failed, match="staged with other content"):
        write(repo, "two")


def test_a_refused_write_changes_nothing(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(errors.Refused) as refused:
        write(repo, "key ghp_" + "a1" * 20)
    findings = cast("tuple[Finding, ...]", refused.value.findings)
    assert [finding.code for finding in findings] == ["SEC001"]
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == ""


def test_a_detached_head_is_refused(repo, git) -> None:
    write(repo, "one")
    git(Path(repo.root), "checkout", "-q", "--detach")
    with pytest.raises(errors.Failed, match="detached"):
        write(repo, "two")


def test_a_merge_in_progress_is_refused(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    git(root, "switch", "-qc", "side")
    write(repo, "side", "memory/side.md")
    git(root, "switch", "-q", "main")
    write(repo, "two")
    git(root, "merge", "--no-commit", "--no-ff", "side")
    with pytest.raises(errors.Failed, match="merge is in progress"):
        write(repo, "three")


def test_a_branch_checked_out_elsewhere_too_is_refused(repo, git, tmp_path) -> None:
    write(repo, "one")
    git(Path(repo.root), "worktree", "add", "-q", "-f", str(tmp_path / "other"), "main")
    with pytest.raises(errors.Failed, match="checked out"):
        write(repo, "two")


def test_a_missing_identity_says_how_to_set_it(repo, monkeypatch) -> None:
    for name in (
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ):
        monkeypatch.delenv(name)
    with pytest.raises(errors.Failed) as failed:
        write(repo, "one")
    assert "git config --global user.name" in failed.value.hint


@pytest.mark.parametrize("path", ["../x.md", "/x.md", "a//b.md", ".git/x", "a/../b.md"])
def test_a_path_that_leaves_the_workspace_is_refused(repo, path) -> None:
    with pytest.raises(errors.Usage):
        write(repo, "one", path)


def test_a_symlinked_folder_is_never_written_through(repo, tmp_path) -> None:
    (tmp_path / "outside").mkdir()
    Path(repo.root, "memory").symlink_to(tmp_path / "outside")
    with pytest.raises(errors.Failed, match="symbolic link"):
        write(repo, "one")
    assert list((tmp_path / "outside").iterdir()) == []


def _writer(root: str, name: int, count: int) -> None:
    repo = find.find_repo(root)
    for number in range(count):
        transaction.commit(
            repo, append(f"{name}-{number}"), Context(actor="bot:main"), deadline=120
        )


def test_writers_at_once_and_a_person_beside_them_lose_nothing(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "start")
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_writer, args=(repo.root, n, 6)) for n in range(4)]
    for writer in writers:
        writer.start()
    mine = 0
    while any(writer.is_alive() for writer in writers) or mine < 3:
        (root / "mine.md").write_text(f"{mine}\n")
        git(root, "add", "mine.md", check=False)
        said = git(root, "commit", "-q", "-m", f"person {mine}", check=False)
        if not said:
            mine += 1
        time.sleep(0.01)
    assert [writer.exitcode for writer in writers] == [0] * 4
    lines = set((root / NOTE).read_text().split())
    assert lines == {"start", *(f"{n}-{k}" for n in range(4) for k in range(6))}
    people = git(root, "log", "--format=%H", "--grep=^person").split()
    assert len(people) == mine
    for oid in people:
        assert git(root, "show", "--format=", "--name-only", oid).split() == ["mine.md"]
    write(repo, "end")
    assert git(root, "status", "--porcelain", "--", "memory") == ""
    git(root, "fsck", "--strict")


def read_last(repo: Repo) -> lease.Published:
    with state.lock(repo.git_dir, "write") as lock:
        return lease.Published.parse(lock.noted)


def test_an_index_that_git_puts_back_behind_a_write_is_mended_at_once(repo, git) -> None:
    index = Path(repo.git_dir, "index")
    write(repo, "one")
    before = index.read_bytes()
    write(repo, "two")
    beside = index.with_name("before")
    # A git that read it before the write replaces it by what it has.
    beside.write_bytes(before)
    beside.replace(index)
    assert git(Path(repo.root), "diff", "--cached", "--name-only").strip() == NOTE
    transaction._look_again(repo, read_last(repo))
    assert git(Path(repo.root), "status", "--porcelain") == ""
    assert Path(repo.root, NOTE).read_text() == "one\ntwo\n"


def test_what_a_person_stages_behind_a_write_stays(repo, git) -> None:
    write(repo, "one")
    Path(repo.root, NOTE).write_text("one\nmine\n")
    git(Path(repo.root), "add", NOTE)
    transaction._look_again(repo, read_last(repo))
    assert git(Path(repo.root), "diff", "--cached", "--name-only").strip() == NOTE
    assert git(Path(repo.root), "show", f":{NOTE}") == "one\nmine\n"


@pytest.mark.parametrize(
    ("changed", "ago", "found"),
    [
        pytest.param(True, 0, True, id="just now"),
        pytest.param(True, 7_200, False, id="long ago"),
        pytest.param(False, 0, False, id="by the last write"),
    ],
)
def test_a_git_that_changed_the_index_lately_is_company(
    repo, git, monkeypatch, changed, ago, found
) -> None:
    # So that no machine is too slow for it.
    monkeypatch.setattr(lease, "_COMPANY", 3_600)
    write(repo, "one")
    index = Path(repo.git_dir, "index")
    if changed:
        Path(repo.root, "new.md").write_text("n\n")
        git(Path(repo.root), "add", "new.md")
    with state.lock(repo.git_dir, "write") as lock:
        turn = lease.WriteTurn(lock, 0.0)
        if changed:
            stamp = lock.clock() - ago * 1_000_000_000
            os.utime(index, ns=(stamp, stamp))
        assert lease.find_company(repo, turn) is found


def test_an_index_entry_that_a_lost_race_put_back_is_mended(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "one")
    old = git(root, "rev-parse", f"HEAD:{NOTE}").strip()
    write(repo, "two")
    git(root, "update-index", "--cacheinfo", f"100644,{old},{NOTE}")
    write(repo, "three")
    assert git(root, "status", "--porcelain") == ""


def _endless(root: str) -> None:
    repo = find.find_repo(root)
    for number in range(10_000):
        transaction.commit(repo, append(f"{number}"), Context(actor="bot:main"))


def test_a_killed_write_is_before_or_after_never_between(repo, git) -> None:
    root = Path(repo.root)
    write(repo, "start")
    chance = random.Random(7)
    spawn = multiprocessing.get_context("fork")
    for _ in range(12):
        writer = spawn.Process(target=_endless, args=(repo.root,))
        writer.start()
        time.sleep(0.05 + chance.random() * 0.15)
        os.kill(int(writer.pid or 0), signal.SIGKILL)
        writer.join()
        time.sleep(0.05)
        transaction.recover(repo)
        assert git(root, "status", "--porcelain") == ""
        assert (root / NOTE).read_text() == git(root, "show", f"HEAD:{NOTE}")
        assert not (root / ".git/index.lock").exists()
    git(root, "fsck", "--strict")


def test_what_killed_processes_left_beside_private_files_goes_with_a_write(repo, git) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = Path(repo.molt_dir)
    (folder / "cache").mkdir(parents=True, exist_ok=True)
    places = (folder / "txn", folder / "cache/names")
    left = [place.with_name(f"{place.name}.molt-{gone.pid}") for place in places]
    kept = folder / f"txn.molt-{os.getppid()}"
    for path in (*left, kept):
        path.touch()
    write(repo, "one")
    assert kept.exists()
    assert not any(path.exists() for path in left)
    beside = Path(repo.root, f"log.md.molt-{gone.pid}")
    beside.touch()
    worktree.write(repo.root, "log.md", b"x\n")
    assert not beside.exists()
