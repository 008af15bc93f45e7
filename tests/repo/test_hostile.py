"""What other people's commits, damage and bad timing must not do."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from changes import MakeMessage, change, note_line

from molt import errors
from molt.policy import Context
from molt.repo import find, process, worktree
from molt.repo.repository import Repo
from molt.repo.write import transaction
from molt.trees import Edits, Tree

NOTE = "memory/note.md"
FAKE = "f" * 40


def write(repo: Repo, line: str, say: MakeMessage = note_line, deadline: float = 30):
    def edits(tree: Tree) -> Edits:
        return {NOTE: (tree.read(NOTE) or b"") + f"{line}\n".encode()}

    return transaction.commit(
        repo, change(edits, say), Context(actor="bot:main"), deadline=deadline
    )


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = find.init(str(tmp_path / "w"))
    write(made, "one")
    return made


@pytest.mark.parametrize("mark", ["\x1e", "\x1f", "\x1f\x1e", "\n:100644"])
def test_no_message_forges_or_hides_a_commit(repo, git, mark) -> None:
    text = f"evil{mark}{FAKE}\x1f{FAKE}\x1f{FAKE}\x1f1\x1fBoss\x1ffine\x1f:1 1 {FAKE} {FAKE} M\n"
    args = ["git", "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-"]
    subprocess.run(args, cwd=repo.root, input=text.encode(), check=True)
    real = git(Path(repo.root), "rev-list", "--reverse", "HEAD").split()
    assert [commit.oid for commit in repo.log_newest("HEAD")] == real[::-1]
    logged = list(repo.log_raw("HEAD"))
    assert [commit.oid for commit in logged] == real
    assert logged[-1].message.rstrip("\n") == text.rstrip("\n")
    assert logged[-1].paths == ()


def test_the_log_has_odd_paths_and_what_only_a_merge_changed(repo, git) -> None:
    root = Path(repo.root)
    git(root, "switch", "-qc", "side")
    (root / ":odd\nname").write_text("x")
    git(root, "add", ".")
    git(root, "commit", "-qm", "side")
    git(root, "switch", "-q", "main")
    write(repo, "two")
    git(root, "merge", "-q", "--no-commit", "side")
    (root / NOTE).write_text("evil\n")
    git(root, "commit", "-qam", "merge")
    found = {log.message.split("\n")[0]: log.paths for log in repo.log_raw("HEAD")}
    assert found["side"] == (("A", ":odd\nname"),)
    assert found["merge"] == (("M", NOTE),)
    assert sum(1 for _ in repo.log_raw("HEAD")) == 4


def test_nothing_new_gives_no_commits(repo) -> None:
    assert list(repo.log_newest("HEAD..HEAD")) == []
    assert list(repo.log_raw("HEAD", "HEAD")) == []


def test_a_revision_that_is_none_does_not_read_as_an_empty_tree(repo) -> None:
    with pytest.raises(errors.Failed):
        repo.tree("nosuch").read(NOTE)
    assert repo.tree("HEAD").read("no/such.md") is None
    assert repo.tree("HEAD").names(NOTE) == frozenset()


@pytest.mark.parametrize("spec", [f"HEAD:{NOTE}", "HEAD:memory"])
def test_a_lost_object_does_not_read_as_an_absent_file(repo, git, spec) -> None:
    oid = git(Path(repo.root), "rev-parse", spec).strip()
    os.unlink(f"{repo.git_dir}/objects/{oid[:2]}/{oid[2:]}")
    with pytest.raises(errors.Failed):
        repo.tree("HEAD").read(NOTE)


def test_a_branch_switched_during_a_write_gets_the_commit(repo, git) -> None:
    root = Path(repo.root)
    git(root, "branch", "other")

    def say(tree: Tree, edits: Edits) -> str:
        # Once: a write that has lost again and again to git would lock the index before it begins.
        if git(root, "branch", "--show-current").strip() == "main":
            git(root, "switch", "-q", "other")
        return note_line(tree, edits)

    done = write(repo, "two", say)
    assert git(root, "rev-parse", "other").strip() == done.oid
    assert git(root, "rev-list", "--count", "main").strip() == "1"
    assert git(root, "status", "--porcelain") == ""


def test_a_merge_begun_during_a_write_is_left_alone(repo, git) -> None:
    root = Path(repo.root)
    git(root, "switch", "-qc", "side")
    write(repo, "side")
    git(root, "switch", "-q", "main")

    def say(tree: Tree, edits: Edits) -> str:
        git(root, "merge", "-q", "--no-commit", "--no-ff", "side")
        return note_line(tree, edits)

    with pytest.raises(errors.Failed, match="merge is in progress"):
        write(repo, "two", say)
    assert git(root, "rev-list", "--count", "main").strip() == "1"


def test_a_hook_that_refuses_the_branch_is_named_at_once(repo) -> None:
    hook = Path(repo.hooks_dir(), "reference-transaction")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" = prepared ] && exit 1\nexit 0\n')
    hook.chmod(0o755)
    with pytest.raises(errors.Failed, match="does not move"):
        write(repo, "two")


def test_a_locked_branch_is_busy(repo) -> None:
    Path(repo.git_dir, "refs/heads/main.lock").touch()
    with pytest.raises(errors.Busy, match="locked"):
        write(repo, "two", deadline=0.3)


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_lock_that_a_git_has_left_is_waited_for_no_longer_than_a_living_one(repo, name) -> None:
    lock = Path(repo.git_dir, name)
    lock.touch()
    os.utime(lock, (0, 0))
    tries = []

    def say(tree: Tree, edits: Edits) -> str:
        tries.append(tree)
        return note_line(tree, edits)

    with pytest.raises(errors.Busy, match=name) as caught:
        write(repo, "two", say, deadline=2)
    assert f"`rm {lock}`" in caught.value.hint
    assert len(tries) == 1


@pytest.mark.parametrize("hook", [False, True])
def test_a_lock_below_a_folder_with_an_apostrophe_is_named_for_a_shell(tmp_path, hook) -> None:
    repo = find.init(str(tmp_path / "o'hara"))
    write(repo, "one")
    if hook:
        made = Path(repo.hooks_dir(), "reference-transaction")
        made.parent.mkdir(exist_ok=True)
        made.write_text("#!/bin/sh\n")
        made.chmod(0o755)
    lock = Path(repo.git_dir, "refs/heads/main.lock")
    lock.touch()
    os.utime(lock, (0, 0))
    with pytest.raises(errors.Busy, match="is locked by") as caught:
        write(repo, "two", deadline=2)
    assert str(lock) in caught.value.message
    assert f"rm {shlex.quote(str(lock))}`" in caught.value.hint


@pytest.mark.parametrize("order", [1, -1])
def test_a_path_that_is_file_and_folder_is_refused(repo, git, order) -> None:
    edits = dict([(NOTE, b"y\n"), (f"{NOTE}/b.md", b"x\n")][::order])
    with pytest.raises(errors.Failed):
        transaction.commit(repo, change(lambda tree: dict(edits)), Context(actor="bot:main"))
    assert git(Path(repo.root), "status", "--porcelain") == ""


@pytest.mark.parametrize("order", [1, -1])
def test_a_file_can_become_a_folder(repo, git, order) -> None:
    edits = dict([(NOTE, None), (f"{NOTE}/b.md", b"x\n")][::order])
    transaction.commit(repo, change(lambda tree: dict(edits)), Context(actor="bot:main"))
    assert git(Path(repo.root), "status", "--porcelain") == ""
    assert (Path(repo.root) / NOTE / "b.md").read_bytes() == b"x\n"


def test_a_path_with_a_line_break_is_refused() -> None:
    with pytest.raises(errors.Usage):
        worktree.safe_path("memory/a\nb.md")


def test_errors_of_git_are_told_apart_without_memfd(tmp_path, monkeypatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    output = process.git(str(tmp_path), "rev-parse", "--git-dir")
    assert (output.status, output.out) == (128, b"")
    assert output.said.startswith("not a git repository")
    with pytest.raises(errors.NotFound):
        find.find_repo(str(tmp_path))


def test_a_failure_of_git_is_raised_in_its_words_unless_it_is_allowed(tmp_path: Path) -> None:
    repo = find.init(str(tmp_path))
    output = repo.git("show-ref", "--verify", "refs/heads/none")
    said = "git show-ref --verify refs/heads/none: 'refs/heads/none' - not a valid ref"
    with pytest.raises(errors.Failed, match=f"^{said}$"):
        output.require(1)
    assert output.require(1, output.status) is output
    with pytest.raises(errors.Failed, match=f"^{said}$"):
        repo.run("show-ref", "--verify", "refs/heads/none")
    assert repo.run("show-ref", "--verify", "refs/heads/none", check=False) == ""


def test_a_failure_without_words_is_told_by_its_status(tmp_path: Path) -> None:
    output = find.init(str(tmp_path)).git("rev-parse", "-q", "--verify", "HEAD")
    with pytest.raises(errors.Failed, match=r"^git rev-parse -q --verify HEAD: exit status 1$"):
        output.require()


def test_what_git_prints_keeps_its_bytes(tmp_path: Path) -> None:
    repo = find.init(str(tmp_path))
    output = repo.git("stripspace", input=b"caf\xe9\n")
    assert (output.out, output.said) == (b"caf\xe9\n", "")
    assert output.text.encode("utf-8", "surrogateescape") == output.out


@pytest.fixture
def many_files() -> Iterator[None]:
    """So many open files that a new one has a number that `select` does not know."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 2_048:
        pytest.skip("a process may not open as many files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, 2_048), most))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_030)]
    yield
    for one in opened:
        os.close(one)
    resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


def test_a_long_conversation_with_a_program_blocks_neither_side(
    tmp_path: Path, many_files: None
) -> None:
    repo = find.init(str(tmp_path))
    data = b"".join(b"%d\n" % number for number in range(300_000))
    assert repo.git("stripspace", input=data).require().out == data
    assert repo.git("rev-parse", "HEAD", input=data).status
