from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from molt.repo import index_parts
from molt.repo.write import indexfile
from molt.repo.write.indexfile import IndexFile

OLD, NEW = "1" * 40, "2" * 40
NAMES = ("a", "b-c", "b", "x" * 70, "x", "é", "tool--9", "tool--10", "tool--1.md", "a.md", "a-b")


def stage(root: Path, rows: dict[str, str]) -> bytes:
    """What git's index is with these paths on top of what it holds."""
    data = "".join(f"100644 {oid}\t{path}\0" for path, oid in rows.items()).encode()
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(command, cwd=root, input=data, check=True)
    return (root / ".git/index").read_bytes()


@pytest.fixture
def root(tmp_path: Path, git) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


@pytest.mark.parametrize("seed", range(6))
def test_an_index_with_new_paths_is_the_one_that_git_makes(root, git, seed) -> None:
    chance = random.Random(seed)
    folders = ("m/e/", "m/e/f/", "m/", "m/e-f/", "m/ee/", "n/")
    every = sorted(f"{folder}{name}.md" for folder in folders for name in NAMES)
    some = [path for path in every if chance.random() < 0.6]
    here = [path for folder in folders for path in some if path.rpartition("/")[0] + "/" == folder]
    before = stage(root, dict.fromkeys(here, OLD))
    left = sorted(set(every) - set(here))
    fresh = chance.sample(left, 3)
    changed = dict.fromkeys((*fresh, here[0]), NEW)
    made = IndexFile(before)
    assert made.put({path: (0o100644, oid) for path, oid in changed.items()})
    assert made.render() == stage(root, changed)


def test_the_cache_of_trees_forgets_the_folders_of_a_new_path_alone(root, git) -> None:
    for path in ("m/e/a.md", "m/e/c.md", "n/b.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    git(root, "add", ".")
    git(root, "write-tree")
    made = IndexFile((root / ".git/index").read_bytes())
    (oid,) = git(root, "ls-files", "-s", "--", "n").split()[1:2]
    assert made.put({"m/e/b.md": (0o100644, oid)})
    assert b"TREE" in made.render()
    (root / ".git/index").write_bytes(made.render())
    listed = git(root, "ls-files", "-s").split("\n")
    assert [row.partition("\t")[2] for row in listed if row] == [
        *("m/e/a.md", "m/e/b.md", "m/e/c.md", "n/b.md")
    ]
    assert git(root, "ls-tree", "-r", "--name-only", git(root, "write-tree").strip()).split() == [
        *("m/e/a.md", "m/e/b.md", "m/e/c.md", "n/b.md")
    ]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("new/a.md", id="no-folder"),
        pytest.param("top.md", id="top"),
        pytest.param("m/e", id="a-folder-is-there"),
        pytest.param("m/e/f/b.md/c", id="a-file-is-there"),
        pytest.param(f"m/e/{'x' * 4095}", id="long"),
    ],
)
def test_what_only_git_can_tell_is_left_to_git(root, path) -> None:
    before = stage(root, dict.fromkeys(("m/e/a.md", "m/e/f/b.md"), OLD))
    made = IndexFile(before)
    assert not made.put({path: (0o100644, NEW), "m/e/a.md": (0o100644, NEW)})
    assert made.render() == before


def test_a_path_in_conflict_is_left_to_git(root) -> None:
    rows = "".join(f"100644 {OLD} {at}\tm/e/b.md\0" for at in (1, 2, 3)).encode()
    stage(root, {"m/e/a.md": OLD})
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(command, cwd=root, input=rows, check=True)
    made = IndexFile((root / ".git/index").read_bytes())
    assert not made.put({"m/e/b.md": (0o100644, NEW)})
    assert not made.put({"m/e/c.md": (0o100644, NEW)})


def test_a_name_that_holds_the_folder_of_another_is_no_place(root) -> None:
    paths = ("k/m/e/a.md", "m/e/m/e/a.md", "m/e/z.md", "z/m/e/a.md")
    before = stage(root, dict.fromkeys(paths, OLD))
    for path in ("m/e/b.md", "m/e/zz.md", "m/e/m.md"):
        made = IndexFile(before)
        done = made.put({path: (0o100644, NEW)})
        (root / ".git/index").write_bytes(before)
        assert made.render() == (stage(root, {path: NEW}) if done else before)


@pytest.mark.parametrize("names", [range(9), ["a" * size for size in (1, 7, 8, 9, 250, 255)]])
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--index-version=4",),
        ("--split-index",),
        ("--force-untracked-cache",),
        ("--index-version=3", "--fsmonitor"),
    ],
)
@pytest.mark.parametrize("threads", ["1", "4"])
def test_the_parts_of_an_index_are_those_that_git_wrote(root, git, options, names, threads) -> None:
    for key, value in {"threads": threads, "recordOffsetTable": "true"}.items():
        git(root, "config", f"index.{key}", value)
    for name in names:
        (root / f"{name}").write_text("TREE")
        git(root, "add", ".")
        git(root, "write-tree")
        git(root, "update-index", *options)
        index = (root / ".git/index").read_bytes()
        known = (index_parts.TREE, index_parts.UNDO, *index_parts._OTHERS)
        places = (at for at in range(12, len(index) - 20) if index[at : at + 4] in known)
        # The first place from which one leads to the next, up to the checksum.
        wanted = next(filter(None, (index_parts._chain(index, at) for at in places)))
        assert index_parts.find_parts(index) == wanted


@pytest.fixture
def cached(root: Path, git) -> bytes:
    """An index whose cache of trees knows all folders."""
    for path in ("m/e/a.md", "m/e/c.md", "m/f/d.md", "n/b.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    git(root, "add", ".")
    git(root, "write-tree")
    return (root / ".git/index").read_bytes()


def list_known(data: bytes | bytearray) -> dict[str, tuple[bytes, str]]:
    """The folders that the cache of trees of an index knows: how many entries, and the id."""
    start, _ = index_parts.find_parts(bytes(data))[index_parts.TREE]
    found, waiting = {}, [("", indexfile._read_nodes(bytearray(data), start + 8))]
    while waiting:
        path, node = waiting.pop()
        waiting += ((f"{path}/{one.name.decode()}", one) for one in node.inner.values())
        if node.valid:
            count, _, oid = node.valid.partition(b"\0")
            found[path] = count, oid.hex()
    return found


ROWS = {"m/e/a.md": NEW, "m/e/b.md": NEW}


def name_folders(root: Path, git, before: bytes) -> dict[str, tuple[str, str]]:
    """The ids of the folders of ROWS in an index, and with them."""
    old = {path.lstrip("/"): oid for path, (_, oid) in list_known(before).items()}
    stage(root, ROWS)
    git(root, "write-tree", "--missing-ok")
    new = list_known((root / ".git/index").read_bytes())
    return {path: (old[path], new[f"/{path}"][1]) for path in ("m", "m/e")}


def test_the_cache_of_trees_follows_a_commit_as_that_of_git(root, git, cached) -> None:
    folders = name_folders(root, git, cached)
    wanted = list_known((root / ".git/index").read_bytes())
    made = IndexFile(cached)
    assert made.put({path: (0o100644, oid) for path, oid in ROWS.items()}, folders)
    assert list_known(made.render()) == {path: wanted[path] for path in wanted if path}


@pytest.mark.parametrize(
    ("lost", "mode", "known"),
    [
        pytest.param("m/e", 0o100644, {"/m/f", "/n"}, id="another-before"),
        pytest.param("m", 0o100644, {"/m/e", "/m/f", "/n"}, id="another-above"),
        pytest.param("", 0o100755, {"/m/f", "/n"}, id="another-mode"),
    ],
)
def test_it_forgets_a_folder_that_is_not_what_the_commit_had(
    root, git, cached, lost, mode, known
) -> None:
    folders = name_folders(root, git, cached)
    if lost:
        folders[lost] = (OLD, folders[lost][1])
    made = IndexFile(cached)
    assert made.put({path: (mode, oid) for path, oid in ROWS.items()}, folders)
    assert set(list_known(made.render())) == known
