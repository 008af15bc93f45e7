"""What a write leaves as it is, and what it does when it is interrupted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from changes import change

from molt import errors
from molt.policy import Context
from molt.repo import find, health
from molt.repo.repository import Repo
from molt.repo.write import journal, transaction

NOTE = "memory/note.md"


def write(repo: Repo, edits, **more) -> transaction.Written[None]:
    made = edits if callable(edits) else lambda _tree: dict(edits)
    return transaction.commit(repo, change(made), Context(actor="manual"), **more)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = find.init(str(tmp_path / "w"))
    write(made, {NOTE: b"one\n"})
    return made


def test_a_file_that_a_sparse_checkout_leaves_out_is_no_edit(repo, git) -> None:
    git(repo.root, "sparse-checkout", "set", "docs")
    with pytest.raises(errors.Failed, match="sparse checkout") as caught:
        write(repo, {NOTE: b"one\ntwo\n"})
    command = caught.value.hint.strip("`").split()
    git(repo.root, *command[1:])
    write(repo, {NOTE: b"one\ntwo\n"})
    assert Path(repo.root, NOTE).read_bytes() == b"one\ntwo\n"
    assert git(repo.root, "status", "--porcelain") == ""


def test_an_executable_file_stays_one(repo, git) -> None:
    root = Path(repo.root)
    (root / "run.md").write_text("#!/bin/sh\n")
    (root / "run.md").chmod(0o755)
    git(root, "add", "run.md")
    git(root, "commit", "-qm", "run")
    write(repo, {"run.md": b"#!/bin/sh\ntrue\n"})
    assert git(root, "ls-tree", "HEAD", "run.md").startswith("100755")
    assert os.access(root / "run.md", os.X_OK)
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("attributes", ["", "* text=auto\n", "*.md text eol=crlf\n", "* -text\n"])
@pytest.mark.parametrize("autocrlf", ["false", "true", "input"])
def test_line_ends_of_git_leave_the_work_tree_clean(repo, git, attributes, autocrlf) -> None:
    root = Path(repo.root)
    git(root, "config", "core.autocrlf", autocrlf)
    (root / ".gitattributes").write_text(attributes)
    (root / "crlf.md").write_bytes(b"one\r\ntwo\r\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "crlf")
    git(root, "rm", "-qr", "--cached", ".")
    git(root, "reset", "-q", "--hard")
    before = (root / "crlf.md").read_bytes()

    def append(tree):
        old = tree.read("crlf.md") or b""
        return {"crlf.md": old + (b"three\r\n" if b"\r\n" in old else b"three\n")}

    write(repo, append)
    end = b"three\r\n" if b"\r\n" in before else b"three\n"
    assert (root / "crlf.md").read_bytes() == before + end
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("attribute", ["filter=lfs", "working-tree-encoding=UTF-16"])
def test_a_file_that_a_filter_changes_is_refused(repo, git, attribute) -> None:
    root = Path(repo.root)
    (root / "memory/.gitattributes").write_text(f"*.md {attribute}\n")
    git(root, "add", "memory/.gitattributes")
    git(root, "commit", "-qm", "filter")
    with pytest.raises(errors.Failed, match="filters"):
        write(repo, {NOTE: b"two\n"})


def test_packed_refs_and_objects_are_written_on(repo, git) -> None:
    root = Path(repo.root)
    git(root, "gc", "-q")
    assert not (root / ".git/refs/heads/main").exists()
    write(repo, {NOTE: b"two\n"})
    assert git(root, "rev-list", "--count", "HEAD") == "2\n"
    git(root, "fsck", "--strict")


def test_a_split_or_sparse_index_is_written_on(repo, git) -> None:
    root = Path(repo.root)
    git(root, "update-index", "--split-index")
    write(repo, {NOTE: b"two\n"})
    git(root, "update-index", "--no-split-index")
    git(root, "config", "index.skipHash", "true")
    git(root, "config", "index.version", "4")
    write(repo, {NOTE: b"three\n"})
    assert git(root, "status", "--porcelain") == ""
    assert list(health.problems(repo, 0.0, fix=False)) == []


def test_a_linked_work_tree_writes_to_its_own_branch(repo, git, tmp_path) -> None:
    root = Path(repo.root)
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = find.find_repo(str(tmp_path / "side"))
    write(side, {NOTE: b"side\n"})
    write(repo, {NOTE: b"main\n"})
    assert git(root, "show", f"side:{NOTE}") == "side\n"
    assert (root / NOTE).read_text() == "main\n"
    assert git(tmp_path / "side", "status", "--porcelain") == ""


def test_other_object_and_ref_formats_are_refused(git, tmp_path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    with pytest.raises(errors.Failed, match="sha256"):
        find.find_repo(str(tmp_path / "new"))
    made = find.init(str(tmp_path / "tables"))
    Path(made.git_dir, "HEAD").write_text("ref: refs/heads/.invalid\n")
    with pytest.raises(errors.Failed, match="reftable"):
        made.head()


def test_folders_appear_and_vanish_with_their_files(repo, git) -> None:
    root = Path(repo.root)
    write(repo, {"memory/a/b/c.md": b"c\n", "memory/a.md": b"a\n", "memory/a-b.md": b"b\n"})
    git(root, "fsck", "--strict")
    write(repo, {"memory/a/b/c.md": None})
    assert not (root / "memory/a").exists()
    write(repo, {NOTE: None, "memory/a.md": None, "memory/a-b.md": None})
    assert git(root, "ls-tree", "-r", "HEAD") == ""
    assert git(root, "status", "--porcelain") == ""
    git(root, "fsck", "--strict")


def test_trees_are_those_that_git_would_make(repo, git) -> None:
    root = Path(repo.root)
    chance = random.Random(3)
    names = ["a", "a.b", "a-b", "a0", "b", "ab", "é", "Z", "a b"]
    for _ in range(25):
        path = "/".join(chance.choice(names) for _ in range(chance.randint(1, 3))) + ".md"
        gone = (root / path).exists() and chance.random() < 0.5
        write(repo, {path: None if gone else f"{chance.random()}\n".encode()})
    tree = git(root, "rev-parse", "HEAD^{tree}")
    git(root, "read-tree", "HEAD")
    assert git(root, "write-tree") == tree
    git(root, "fsck", "--strict")


def test_a_folder_is_no_file_and_a_submodule_is_neither(repo, git) -> None:
    for path in ("memory", f"{NOTE}/x.md"):
        with pytest.raises(errors.MoltError):
            write(repo, {path: b"x\n"})
    assert git(Path(repo.root), "status", "--porcelain") == ""


def test_objects_are_packed_now_and_then(repo, git, monkeypatch) -> None:
    root = Path(repo.root)
    git(root, "config", "gc.auto", "20")
    git(root, "config", "gc.autoDetach", "false")
    monkeypatch.setattr(transaction, "MAINTAIN_EVERY", 2)
    for number in range(100):
        write(repo, {f"memory/{n}.md": f"{number} {n}\n".encode() for n in range(100)})
        if list((root / ".git/objects/pack").glob("*.pack")):
            break
    assert list((root / ".git/objects/pack").glob("*.pack"))


@pytest.mark.parametrize(("own", "packed"), [(None, True), ("0", False), ("100000", False)])
def test_git_packs_what_we_call_many_unless_told_otherwise(
    repo, git, monkeypatch, own, packed
) -> None:
    root = Path(repo.root)
    git(root, "config", "gc.autoDetach", "false")
    if own:
        repo.set_config("gc.auto", own)
    monkeypatch.setattr(transaction, "MAINTAIN_EVERY", 1)
    monkeypatch.setattr(transaction, "MANY_LOOSE", 100)
    for number in range(4):
        write(repo, {f"memory/{n}.md": f"{number} {n}\n".encode() for n in range(300)})
    assert bool(list((root / ".git/objects/pack").glob("*.pack"))) is packed


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
@pytest.mark.parametrize("full", [True, False])
def test_locks_of_an_update_that_was_killed_are_removed(repo, git, name, full) -> None:
    root = Path(repo.root)
    made = git(root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "never").strip()
    journal.save(repo, journal.Journal("refs/heads/main", made, "0", ()))
    Path(repo.git_dir, name).write_text(f"{made}\n" if full else "")
    assert transaction.recover(repo) is False
    write(repo, {NOTE: b"two\n"}, deadline=2)


def test_a_lock_of_another_update_is_left_alone(repo, git) -> None:
    root = Path(repo.root)
    made = git(root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "never").strip()
    lock = Path(repo.git_dir, "refs/heads/main.lock")
    lock.write_text("f" * 40)
    journal.save(repo, journal.Journal("refs/heads/main", made, "0", ()))
    transaction.recover(repo)
    assert lock.exists()


def test_a_write_fails_in_time(repo) -> None:
    Path(repo.git_dir, "index.lock").touch()
    start = time.monotonic()
    with pytest.raises(errors.Busy, match=r"index\.lock"):
        write(repo, {NOTE: b"two\n"}, deadline=0.3)
    assert time.monotonic() - start < 10
    assert journal.load(repo) is None


ENDLESS = """
import signal, sys
# Where the tests run in the background, the shell has made all of them deaf to Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
from molt.policy import Context
from molt.repo import find
from molt.repo.write import transaction
from molt.repo.write.plan import Change
repo = find.find_repo(".")
text = "[EDIT] memory/note.md — x\\n\\nActor: manual\\nApproval: —\\nTrigger: t\\n"
number = 0
print("ready", flush=True)
while True:
    number += 1
    data = f"{number}\\n".encode()
    change = Change({"memory/note.md": data}, text, None)
    transaction.commit(repo, lambda _: change, Context(actor="manual"))
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_half_done(repo, git, sign) -> None:
    root = Path(repo.root)
    chance = random.Random(int(sign))
    for _ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", ENDLESS], cwd=root, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert writer.stdout
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(chance.random() * 0.2)
        # As a terminal does it: git is told as well.
        os.killpg(writer.pid, sign)
        writer.wait()
        writer.stdout.close()
        assert git(root, "status", "--porcelain") == ""
        assert not (root / ".git/index.lock").exists()
        found = journal.load(repo)
        assert found is None or not found.commit
