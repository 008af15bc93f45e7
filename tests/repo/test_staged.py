"""The tree that git is about to commit reads files as they are staged, however many there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import trees
from molt.repo import find, objects, staged
from molt.repo.repository import Repo


@pytest.mark.parametrize("most", [0, 1 << 24])
def test_of_many_files_each_side_is_read_in_any_order(
    tmp_path: Path, git, monkeypatch, most: int
) -> None:
    monkeypatch.setattr(staged, "_KEPT", most)
    repo = find.init(str(tmp_path / "w"))
    names = [f"{number:03}.{'md' if number % 3 else 'txt'}" for number in range(200)]
    for name in names[::2]:
        (tmp_path / "w" / name).write_text(f"old {name}")
    git(repo.root, "add", ".")
    git(repo.root, "commit", "-qm", "old")
    for name in names:
        (tmp_path / "w" / name).write_text(f"new {name}")
    git(repo.root, "add", ".")
    found = staged.Staged(find.find_repo(repo.root))
    for name in (*names, *reversed(names), *names[::7]):
        old = f"old {name}".encode() if name in names[::2] else None
        assert found.head.read(name) == old
        assert found.index.read(name) == f"new {name}".encode()


NAMES = (
    b"a",
    b"a.b",
    b"a-b",
    b"b",
    b"TREE",
    b"TREE\n1 0",
    "\u00e9".encode(),
    b"\xff",
    b"\xef\xbc\x81",
)
FILES = st.dictionaries(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(b"/".join),
    st.tuples(st.sampled_from([b"100644", b"100755", b"120000", b"160000"]), st.integers(1, 3)),
    max_size=9,
)


def stage(repo: Repo, files: dict[bytes, tuple[bytes, int]]) -> None:
    """Make the index hold these files and no other; what is below a file is left out."""
    repo.git("read-tree", "--empty").require()
    above = {path[:at] for path in files for at, char in enumerate(path) if char == ord("/")}
    rows = [
        b"%s %040x\t%s" % (mode, number, path)
        for path, (mode, number) in files.items()
        if path not in above
    ]
    repo.git("update-index", "-z", "--index-info", input=b"\0".join(rows)).require()


def write_tree(repo: Repo) -> str:
    """The tree of the index, which tells it from here on."""
    return repo.run("write-tree", "--missing-ok").strip()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return find.init(str(tmp_path_factory.mktemp("w")))


@given(FILES, FILES)
def test_what_is_staged_differs_from_head_as_git_says(bare: Repo, before: Any, after: Any) -> None:
    stage(bare, before)
    base = bare.run("commit-tree", "-m", "x", write_tree(bare)).strip()
    bare.run("update-ref", "HEAD", base)
    stage(bare, after)
    args = ("--raw", "-z", "--no-renames", "--no-abbrev", objects.NO_IGNORE)
    said = objects.parse_raw_diff(bare.git("diff-index", "--cached", *args, "HEAD").out)
    wanted = sorted(said, key=lambda one: one.path)
    assert not (after and staged.Staged(bare).tree_id)
    assert list(trees.diff(bare.tree("HEAD"), staged.Staged(bare).index)) == wanted
    tree = write_tree(bare)
    found = staged.Staged(bare)
    assert found.tree_id == tree
    assert list(found.index.changes(found.head) or ()) == wanted
    said = objects.parse_raw_diff(bare.git("diff-tree", "-r", *args, tree, base).out)
    back = trees.diff(bare.tree(tree), bare.tree(base))
    assert list(back) == sorted(said, key=lambda one: one.path)


def test_the_tree_is_told_by_no_index_that_has_changed_since(tmp_path: Path, git) -> None:
    root = tmp_path / "w"
    repo = find.init(str(root))
    for number in range(3):
        (root / f"TREE{number}").write_text("a")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()
    for version in ("2", "3", "4"):
        git(root, "update-index", f"--index-version={version}")
        assert staged.Staged(repo).tree_id == tree
    (root / "added").write_text("a")
    git(root, "add", "-N", "added")
    assert staged.Staged(repo).tree_id == ""
    git(root, "reset", "-q", "--hard")
    # Names of files that nobody staged follow, with an untracked cache.
    (root / "sub").mkdir()
    for name in ("TREEabcd", "3 0\n" + "x" * 20):
        (root / "sub" / name).write_text("a")
    git(root, "update-index", "--force-untracked-cache")
    git(root, "status", "-uall")
    assert b"UNTR" in (root / ".git/index").read_bytes()
    assert staged.Staged(repo).tree_id == tree
    # Behind a root that has changed the ids of its folders follow.
    git(root, "add", "sub")
    git(root, "commit", "-qm", "two")
    (root / "TREE0").write_text("b")
    git(root, "add", "TREE0")
    assert staged.Staged(repo).tree_id == ""
