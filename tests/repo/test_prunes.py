"""Whoever prunes beside a write, by hand or with a gc, takes nothing of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from changes import change

from molt.policy import Context
from molt.repo import find
from molt.repo.repository import Repo
from molt.repo.write import loose, remark, transaction
from molt.repo.write.collector import SIGN

NOTE = "memory/note.md"
PRUNES = [("prune", "--expire=now"), ("gc", "-q", "--prune=now"), ("repack", "-q", "-a", "-d")]
TEXTS = [b"", b"one\n", b"two\n" * 50_000]


def write(repo: Repo, text: bytes) -> str | None:
    made = change(lambda _tree: {NOTE: text})
    return transaction.commit(repo, made, Context(actor="manual")).oid


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = find.init(str(tmp_path / "w"))
    write(made, b"begin\n")
    return made


def kept(repo: Repo) -> list[Path]:
    return list(Path(repo.git_dir, "objects/pack").glob("*.keep"))


@pytest.mark.parametrize("prune", PRUNES)
def test_what_no_ref_leads_to_yet_is_kept_where_somebody_prunes(repo, git, prune) -> None:
    git(repo.root, "prune", "--expire=now")
    assert not Path(repo.git_dir, "objects", SIGN).exists()
    with loose.Loose(repo) as objects:
        oids = [objects.blob(text) for text in TEXTS]
        objects.store()
        git(repo.root, *prune)
        for oid, text in zip(oids, TEXTS, strict=True):
            assert git(repo.root, "cat-file", "blob", oid) == text.decode()
        assert len(kept(repo)) == 1
    assert kept(repo) == []
    git(repo.root, "fsck", "--strict")


def test_what_a_prune_took_before_a_ref_led_to_it_is_written_again(repo, git) -> None:
    with loose.Loose(repo) as objects:
        oids = [objects.blob(text) for text in TEXTS]
        objects.store()
        git(repo.root, "prune", "--expire=now")
        assert repo.reader.oid(oids[1]) is None
        objects.settle()
    for oid, text in zip(oids, TEXTS, strict=True):
        assert git(repo.root, "cat-file", "blob", oid) == text.decode()
    assert kept(repo) == []


def test_where_nobody_prunes_objects_are_loose(repo, git) -> None:
    for text in TEXTS:
        write(repo, text)
    assert not list(Path(repo.git_dir, "objects/pack").iterdir())


def test_a_write_after_a_prune_is_whole(repo, git) -> None:
    git(repo.root, "prune", "--expire=now")
    oid = write(repo, b"one\n")
    note = remark.commit_remark(repo, "[ACK] * — seen\n\nActor: manual\nApproval: —\nTrigger: x\n")
    assert git(repo.root, "rev-list", "HEAD").split()[:2] == [note, oid]
    assert kept(repo) == []
    git(repo.root, "fsck", "--strict")
    git(repo.root, "gc", "-q", "--prune=now")
    git(repo.root, "fsck", "--strict")


def test_writes_beside_a_prune_that_never_ends_are_all_there(repo, git) -> None:
    loop = "while [ -e go ]; do git prune --expire=now; done"
    Path(repo.git_dir, "go").touch()
    process = subprocess.Popen(["sh", "-c", loop], cwd=repo.git_dir, stderr=subprocess.DEVNULL)
    try:
        made = [write(repo, f"text {number}\n".encode()) for number in range(8)]
    finally:
        Path(repo.git_dir, "go").unlink()
        process.wait()
    assert git(repo.root, "rev-list", "--reverse", "HEAD").split()[1:] == made
    git(repo.root, "fsck", "--strict")


def test_a_pack_whose_owner_was_killed_is_left_to_git_in_the_end(repo, git) -> None:
    git(repo.root, "prune", "--expire=now")
    killed = loose.Loose(repo)
    killed.blob(b"nobody needs it\n")
    killed.store()
    (left,) = kept(repo)
    pack = left.parent
    (pack / f"pack-{'0' * 40}.keep").write_text("a person's\n")
    unfinished = [pack / f"pack-{'1' * 40}{end}" for end in (".keep", ".pack", ".idx.molt-1")]
    for path in unfinished:
        path.write_bytes(left.read_bytes())
    write(repo, b"one\n")
    assert len(kept(repo)) == 3, "it may still be at work"
    for path in pack.iterdir():
        os.utime(path, (0, 0))
    git(repo.root, "prune", "--expire=now")
    write(repo, b"two\n")
    assert [one.read_text() for one in kept(repo)] == ["a person's\n"]
    assert not any(path.exists() for path in unfinished)
    assert left.with_suffix(".idx").exists()
    git(repo.root, "fsck", "--strict")


def test_a_gc_that_was_killed_long_ago_collects_nothing(repo) -> None:
    left = Path(repo.git_dir, "gc.pid")
    left.write_text("1 elsewhere")
    write(repo, b"one\n")
    packs = len(list(Path(repo.git_dir, "objects/pack").glob("*.pack")))
    assert packs
    os.utime(left, (0, 0))
    write(repo, b"two\n")
    assert len(list(Path(repo.git_dir, "objects/pack").glob("*.pack"))) == packs
