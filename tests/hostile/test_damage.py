"""Damaged, locked, full and read-only: told plainly, and mended where that can be done."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


def objects(agent: Path, git: Callable[..., str], spec: str) -> Path:
    oid = git(agent, "rev-parse", spec).strip()
    return agent / ".git/objects" / oid[:2] / oid[2:]


@pytest.mark.parametrize("text", ["", "garbage", "refs/heads/main\tx\ty\nend\n100644\t", "a\tb"])
def test_a_damaged_journal_is_told_and_set_aside_by_doctor(still, molt, text) -> None:
    (still / ".git/molt/txn").write_text(text)
    done = molt("remember", "x")
    assert done.returncode == 1
    assert b"molt doctor --fix" in done.stderr
    assert molt("doctor").returncode == 1
    assert molt("doctor", "--fix").returncode == 0
    assert molt("remember", "x", "--dry-run").returncode == 0


def test_a_journal_that_leads_outside_is_damaged(still, molt, tmp_path) -> None:
    (tmp_path / "prey").write_text("")
    empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    head = (still / ".git/refs/heads/main").read_text().strip()
    lines = f"refs/heads/main\t{head}\t0\n100644\t\t\t{empty}\t\t../prey\nend\n"
    (still / ".git/molt/txn").write_text(lines)
    assert molt("remember", "x").returncode == 1
    assert (tmp_path / "prey").exists()
    molt("doctor", "--fix")


def test_a_lock_that_git_left_is_busy_and_named(still, molt) -> None:
    (still / ".git/molt").mkdir(exist_ok=True)
    (still / ".git/index.lock").touch()
    code = (
        "import sys; from molt.repo import find; from molt.repo.write import transaction\n"
        "from molt.policy import Context\n"
        "repo = find.find_repo('.')\n"
        "from molt.repo.write.plan import Change\n"
        "say = '[CREATE] memory/x.md — x\\n\\nActor: manual\\nApproval: auto\\nTrigger: t\\n'\n"
        "change = Change({'memory/x.md': b'x\\n'}, say, None)\n"
        "transaction.commit(repo, lambda tree: change, Context('manual'), deadline=0.2)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=still, capture_output=True, text=True)
    assert "molt.errors.Busy" in done.stderr
    assert b"index.lock" in molt("doctor").stdout
    assert (still / ".git/index.lock").exists()
    (still / ".git/index.lock").unlink()


@pytest.mark.parametrize("size", [0, 7, 40, 300])
def test_a_truncated_git_index_is_made_anew_by_doctor(agent, molt, git, size) -> None:
    index = agent / ".git/index"
    index.write_bytes(index.read_bytes()[:size])
    head = git(agent, "rev-parse", "HEAD")
    molt("remember", "x", "--store", "core")
    assert git(agent, "rev-parse", "HEAD") == head
    assert b"damaged" in molt("doctor").stdout
    assert molt("doctor", "--fix").returncode == 0
    assert git(agent, "status", "--porcelain") == ""
    assert molt("remember", "x").returncode == 0


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_truncated_search_index_is_made_anew(agent, molt, size) -> None:
    before = molt("search", "gate code").stdout
    index = agent / ".git/molt/index.sqlite"
    index.write_bytes(index.read_bytes()[:size])
    assert molt("search", "gate code").stdout == before


def test_a_garbled_search_index_is_made_anew(agent, molt) -> None:
    before = molt("search", "gate code").stdout
    (agent / ".git/molt/index.sqlite").write_bytes(bytes(range(256)) * 300)
    assert molt("search", "gate code").stdout == before


@pytest.mark.parametrize("spec", ["HEAD", "HEAD^{tree}", "HEAD:memory/episodes"])
def test_a_lost_object_is_told_and_nothing_is_written(agent, molt, git, spec) -> None:
    objects(agent, git, spec).unlink()
    ref = (agent / ".git/refs/heads/main").read_text()
    for args in (("remember", "x"), ("search", "gate"), ("verify",), ("status",)):
        done = molt(*args)
        assert done.returncode == 1, args
        assert b"git" in done.stderr
    assert (agent / ".git/refs/heads/main").read_text() == ref


def test_a_garbled_object_is_told(agent, molt, git) -> None:
    path = objects(agent, git, "HEAD")
    path.chmod(0o644)
    path.write_bytes(b"not zlib")
    assert molt("remember", "x").returncode == 1


def mounted(agent: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    """Runs shell commands where mounts are private; skips where that is not allowed."""
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("mounting needs privileges here")
    script = "set -e\n" + "\n".join(commands)
    env = os.environ | {"A": str(agent), "MOLT": f"{sys.executable} -m molt"}
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", script], env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux has them")
def test_a_read_only_workspace_is_read_and_not_written(still) -> None:
    done = mounted(
        still,
        'mount --bind "$A" "$A" && mount -o remount,ro,bind "$A"; cd "$A"',
        "$MOLT search 'gate code' | grep drawer",
        "$MOLT status > /dev/null; $MOLT verify; $MOLT context > /dev/null; $MOLT log > /dev/null",
        "$MOLT init | grep 'nothing changed'",
        "ID=$($MOLT search 'gate code' --json | grep -o 'episode:[0-9:-]*' | head -1)",
        "$MOLT touch $ID 2>&1 | grep 'accesses: Read-only file system'",
        "$MOLT index && exit 9 || test $? = 1; $MOLT index --rebuild && exit 9 || test $? = 1",
        "$MOLT doctor --fix && exit 9",
        "$MOLT remember two && exit 9 || exit $?",
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("cannot write the index") == 1
    assert "see above" not in done.stdout
    assert done.stdout.count("the disk is mounted read-only") == 1
    assert "Read-only file system" in done.stderr
    assert "defect" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux has them")
def test_a_copy_of_a_workspace_that_must_not_be_written_is_looked_at(still) -> None:
    # SQLite opens no index to write that lies alone, as a copy has it.
    done = mounted(
        still,
        'cd "$A"; $MOLT index; cp -a "$A" "$A.t"; cd "$A.t"; rm -f .git/molt/*-wal .git/molt/*-shm',
        'mount --bind "$A.t" "$A.t" && mount -o remount,ro,bind "$A.t"; cd "$A.t"',
        "$MOLT status | grep MEMORY.md",
        "$MOLT index --status | grep 'holds     [1-9]'",
        "$MOLT doctor | grep index.sqlite.new && exit 9 || exit 7",
    )
    assert done.returncode == 7, done.stderr
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux has them")
def test_a_full_disk_loses_nothing_and_the_next_write_goes_on(still) -> None:
    done = mounted(
        still,
        'mkdir "$A.t"; mount -t tmpfs -o size=2m tmpfs "$A.t"; cp -a "$A" "$A.t/w"; cd "$A.t/w"',
        "head=$(git rev-parse HEAD)",
        "dd if=/dev/zero of=../fill 2>/dev/null || true",
        "$MOLT remember two && exit 9 || test $? = 1",
        "$MOLT search gate | grep drawer; $MOLT search gate --at HEAD | grep drawer",
        "$MOLT recall gate | grep drawer; $MOLT status; $MOLT index --status",
        "$MOLT index && exit 9 || test $? = 1; $MOLT index --rebuild && exit 9 || test $? = 1",
        "$MOLT doctor --fix > ../said && exit 9 || test $? = 1",
        "$MOLT doctor | grep 'the disk is full'; $MOLT search gate | grep drawer",
        "ls .git/molt | grep new- && exit 9",
        "rm ../fill; test $head = $(git rev-parse HEAD); git fsck --strict",
        '$MOLT remember three; test -z "$(git status --porcelain)"',
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No space left" in done.stderr
    assert "defect" not in done.stderr


def test_a_file_that_cannot_be_written_is_told_before_anything_is_committed(
    agent, molt, git
) -> None:
    (agent / "memory/long.md").write_text("a long line of the same words\n" * 10_000)
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "long")
    head = git(agent, "rev-parse", "HEAD")
    code = (
        "from molt.repo import find; from molt.repo.write import transaction\n"
        "from molt.policy import Context\n"
        "from molt.repo.write.plan import Change\n"
        "say = '[APPEND] memory/long.md — x\\n\\nActor: manual\\nApproval: auto\\nTrigger: t\\n'\n"
        "edits = lambda tree: {'memory/long.md': tree.read('memory/long.md') + b'x\\n'}\n"
        "change = lambda tree: Change(edits(tree), say, None)\n"
        "transaction.commit(find.find_repo('.'), change, Context('manual'))"
    )
    # git's own files are compressed and small; only the file in the work tree is over the limit.
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=agent, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )  # fmt: skip
    assert "cannot write memory/long.md: File too large" in done.stderr
    assert git(agent, "rev-parse", "HEAD") == head
    assert git(agent, "status", "--porcelain") == ""
    assert molt("doctor").returncode == 0


@pytest.fixture
def unwritten(agent, molt):
    """A memory that is committed and not on disk: when the branch had moved, a file took the place
    of the folder that it goes into.
    """
    molt("remember", "one", "--store", "procedural", "--title", "First")
    hook = agent / ".git/hooks/reference-transaction"
    folder = "memory/procedures"
    hook.write_text(
        f'#!/bin/sh\n[ "$1" = committed ] && mv {folder} gone && touch {folder}\nexit 0\n'
    )
    hook.chmod(0o755)
    done = molt("--quiet", "remember", "two", "--store", "procedural", "--title", "Second")
    hook.unlink()
    assert done.returncode == 1
    assert b"is committed" in done.stderr
    assert done.stderr.count(b"memory/procedures/second.md") == 1
    (agent / folder).unlink()
    (agent / "gone").rename(agent / folder)
    return agent / folder / "second.md"


def _status(git, agent) -> str:
    return str(git(agent, "status", "--porcelain"))


@pytest.mark.parametrize(
    "command", ["status", "search two", "doctor --fix", "log", "remember three"]
)
def test_a_write_that_is_made_and_not_in_its_file_fails_and_the_next_command_ends_it(
    agent, molt, git, unwritten, command
) -> None:
    assert "second.md" in git(agent, "show", "--format=", "--name-only", "HEAD")
    assert not unwritten.exists()
    assert molt(*command.split()).returncode == 0
    assert unwritten.exists()
    assert _status(git, agent) == ""


@pytest.mark.parametrize("editor", [":", "sh -c 'echo tone >$1' -"])
def test_a_commit_never_takes_back_what_a_write_has_not_put_on_disk_yet(
    agent, molt, git, unwritten, editor
) -> None:
    (agent / "MEMORY.md").write_text((agent / "MEMORY.md").read_text() + "- tone\n")
    words = ["git", "commit", "-a", *(["-m", "tone"] if editor == ":" else [])]
    environment = {**os.environ, "GIT_EDITOR": editor}
    done = subprocess.run(
        words, cwd=agent, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 1
    assert "would take back memory/procedures/second.md" in done.stderr
    assert molt("status").returncode == 0
    git(agent, "commit", "-qam", "tone")
    assert git(agent, "show", "--format=", "--name-only", "HEAD") == "MEMORY.md\n"
    assert unwritten.exists()


def test_a_commit_of_something_else_is_not_in_the_way(agent, molt, git, unwritten) -> None:
    (agent / "MEMORY.md").write_text((agent / "MEMORY.md").read_text() + "- tone\n")
    git(agent, "commit", "-qm", "tone", "MEMORY.md")
    assert molt("status").returncode == 0
    assert unwritten.exists()
    assert _status(git, agent) == ""
