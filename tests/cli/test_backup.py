"""`molt backup`: one file, tried, that brings everything back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from molt.cli import main


def git(root: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def refs_of(root: Path) -> str:
    return git(root, "for-each-ref", "--format=%(refname) %(objectname)")


def test_what_comes_back_is_what_was_there(agent, run, tmp_path) -> None:
    git(agent, "branch", "other", "HEAD^")
    git(agent, "update-ref", "refs/molt/rejected/r-001", "HEAD~2")
    git(agent, "tag", "-am", "a tag", "v1")
    said = run("backup", str(tmp_path / "one.bundle"), "--json")
    told = json.loads(said.out)
    assert told["bundle"]["refs"] == 4
    back = tmp_path / "back"
    assert run("backup", "--restore", told["bundle"]["path"], str(back)).status == 0
    assert refs_of(back) == refs_of(agent)
    assert git(back, "status", "--porcelain") == ""
    assert git(back, "symbolic-ref", "HEAD") == git(agent, "symbolic-ref", "HEAD")
    assert main(["--workspace", str(back), "verify"]) == 0
    for path in agent.rglob("*.md"):
        assert (back / path.relative_to(agent)).read_bytes() == path.read_bytes()
    assert (back / ".git/hooks/commit-msg").exists()


def test_only_so_many_are_kept_and_others_stay(agent, run, tmp_path) -> None:
    place = tmp_path / "b"
    place.mkdir()
    (place / "other-2026.bundle").write_text("not ours")
    for _ in range(4):
        assert run("backup", str(place), "--keep", "2").status == 0
    names = sorted(one.name for one in place.iterdir())
    assert len(names) == 3
    assert "other-2026.bundle" in names


def test_what_is_not_in_it_is_said(agent, run, tmp_path) -> None:
    (agent / "SOUL.md").write_text("new\n")
    said = run("backup", str(tmp_path / "b.bundle"))
    assert said.status == 0
    assert "SOUL.md is not committed" in said.err


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("backup",), 2),
        (("backup", "x.bundle"), 2),
        (("backup", ".git/molt"), 2),
        (("backup", "../b.bundle", "--keep", "2"), 2),
        (("backup", "../b", "--keep", "0"), 2),
        (("backup", "MEMORY.md"), 2),
        (("backup", "../none/one.bundle"), 4),
        (("backup", "../none/inner"), 4),
        (("backup", "--restore", "../none.bundle", "../x"), 4),
        (("backup", "--restore", "MEMORY.md", "../x"), 1),
        (("backup", "--restore", "MEMORY.md", "."), 1),
    ],
)
def test_what_makes_no_sense_is_said(agent, run, words, status) -> None:
    before = sorted(agent.parent.iterdir())
    said = run(*words)
    assert said.status == status, said
    assert sorted(agent.parent.iterdir()) == before


def test_an_older_backup_stays_where_a_new_one_fails(agent, run, tmp_path) -> None:
    path = tmp_path / "b.bundle"
    assert run("backup", str(path)).status == 0
    before = path.read_bytes()
    tree = git(agent, "rev-parse", "HEAD^{tree}")
    (agent / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert run("backup", str(path)).status == 1
    assert path.read_bytes() == before
    assert not [one for one in tmp_path.iterdir() if ".molt-" in one.name]


def test_what_git_cannot_read_is_said_with_what_tells_more(agent, run, tmp_path) -> None:
    blob = git(agent, "rev-parse", "HEAD:SOUL.md")
    (agent / ".git/objects" / blob[:2] / blob[2:]).unlink()
    said = run("backup", str(tmp_path / "b.bundle"))
    assert said.status == 1
    assert said.err.startswith("molt: git cannot bundle this clone: ")
    assert said.err.endswith("`git fsck --full` tells what is missing or damaged\n")


def test_a_shallow_clone_is_no_backup(agent, run, tmp_path, monkeypatch) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{agent}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    said = run("backup", str(tmp_path / "b.bundle"))
    assert said.status == 1
    assert "--unshallow" in said.err


def test_a_file_that_is_no_bundle_is_left_alone_and_what_to_type_is_told(
    agent, run, tmp_path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine\n")
    said = run("backup", str(path))
    assert said.status == 2
    assert f"molt backup {path}.bundle" in said.err
    assert path.read_text() == "mine\n"
    assert run("backup", f"{path}.bundle").status == 0


@pytest.mark.parametrize("cut", [20, 3000])
def test_a_bundle_that_was_cut_is_called_damaged(agent, run, tmp_path, cut) -> None:
    path = tmp_path / "b.bundle"
    assert run("backup", str(path)).status == 0
    path.write_bytes(path.read_bytes()[:-cut])
    said = run("backup", "--restore", str(path), str(tmp_path / "back"))
    assert said.status == 1
    assert said.err.startswith(f"molt: {path} is damaged: ")
    assert not (tmp_path / "back").exists()


def test_what_is_no_bundle_is_called_so(agent, run, tmp_path) -> None:
    said = run("backup", "--restore", "MEMORY.md", str(tmp_path / "back"))
    assert "MEMORY.md is no bundle of git" in said.err
