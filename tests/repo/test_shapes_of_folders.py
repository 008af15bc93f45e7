"""A write leads from any tree to any other: folders that empty, files where folders were."""

from __future__ import annotations

import os
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from changes import change

from molt import errors
from molt.policy import Context
from molt.repo import find, worktree
from molt.repo.repository import Repo
from molt.repo.write import journal, transaction

SHAPES: dict[str, dict[str, bytes]] = {
    "nothing": {},
    "files": {"a/x": b"x\n", "a/y": b"y\n"},
    "others": {"a/z": b"z\n"},
    "deeper": {"a/x/deep/one": b"1\n", "a/x/deep/two": b"2\n"},
    "file": {"a": b"a file\n"},
    "two": {"a/x": b"other x\n", "b/c/d": b"d\n"},
}
KEPT = {"notes.md": b"kept\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = find.init(str(tmp_path / "w"))
    transaction.commit(made, change(lambda _tree: dict(KEPT)), Context(actor="manual"))
    return made


def _write(repo: Repo, shape: str) -> transaction.Written[None]:
    wanted = {**KEPT, **SHAPES[shape]}

    def make_edits(tree):
        return {**dict.fromkeys(tree.entries()), **wanted}

    return transaction.commit(repo, change(make_edits), Context(actor="manual"))


def _read_disk(repo: Repo) -> dict[str, bytes]:
    """Every file, and every empty folder as one without bytes under a name that ends in `/`."""
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(repo.root):
        if ".git" in folders:
            folders.remove(".git")
        place = Path(folder).relative_to(repo.root)
        found.update({str(place / name): (Path(folder) / name).read_bytes() for name in names})
        if not names and not folders:
            found[f"{place}/"] = b""
    return found


def _list_walk() -> list[str]:
    """The shapes in an order that goes from each to each other one."""
    left = set(permutations(SHAPES, 2))
    path, stack = [], ["nothing"]
    while stack:
        step = next((pair for pair in sorted(left) if pair[0] == stack[-1]), None)
        if step is None:
            path.append(stack.pop())
        else:
            left.remove(step)
            stack.append(step[1])
    return path[::-1]


def test_a_write_leads_from_each_shape_to_each_other(repo, git) -> None:
    walk = _list_walk()
    assert set(pairwise(walk)) == set(permutations(SHAPES, 2))
    for shape in walk[1:]:
        assert _write(repo, shape).left == "", shape
        assert _read_disk(repo) == {**KEPT, **SHAPES[shape]}, shape
        assert git(repo.root, "status", "--porcelain") == "", shape
        assert not journal.exists(repo)
    git(repo.root, "fsck", "--strict")
    modes = {os.stat(path).st_mode & 0o111 for path in Path(repo.root).rglob("*.md")}
    assert modes == {0}


def test_files_that_could_not_be_written_are_written_by_whatever_comes_next(
    repo, git, monkeypatch
) -> None:
    for shape in _list_walk()[1:]:
        before = _read_disk(repo)
        with monkeypatch.context() as patch:
            patch.setattr(worktree.PendingFile, "apply", _fail)
            assert "cannot write" in _write(repo, shape).left
        assert _read_disk(repo) == before, shape
        assert transaction.recover_abandoned(repo) == ""
        assert _read_disk(repo) == {**KEPT, **SHAPES[shape]}, shape
        assert git(repo.root, "status", "--porcelain") == "", shape


def _fail(pending: worktree.PendingFile) -> None:
    raise errors.Failed("cannot write it: No space left on device")


@pytest.mark.parametrize(("mine", "shape"), [("a/mine.md", "file"), ("a", "files")])
def test_a_persons_file_in_the_place_of_a_folder_is_never_touched(repo, git, mine, shape) -> None:
    path = Path(repo.root, mine)
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine\n")
    head = git(repo.root, "rev-parse", "HEAD")
    with pytest.raises(errors.Failed):
        _write(repo, shape)
    assert git(repo.root, "rev-parse", "HEAD") == head
    assert path.read_text() == "mine\n"


def test_an_ignored_file_keeps_its_folder(repo, git) -> None:
    _write(repo, "files")
    git(repo.root, "config", "core.excludesFile", str(Path(repo.git_dir, "ignored")))
    Path(repo.git_dir, "ignored").write_text("*.tmp\n")
    Path(repo.root, "a/mine.tmp").write_text("mine\n")
    _write(repo, "nothing")
    assert Path(repo.root, "a/mine.tmp").read_text() == "mine\n"
    _write(repo, "others")
    assert git(repo.root, "status", "--porcelain") == ""
