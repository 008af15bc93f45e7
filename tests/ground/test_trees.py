from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import trees

names = st.sampled_from(["a", "b", "c", "d/e", "d/f", "g/h/i"])
files = st.dictionaries(names, st.binary(max_size=4))


def test_blob_ids_are_those_of_git() -> None:
    out = subprocess.run(
        ["git", "hash-object", "--stdin"], input=b"hello\n", capture_output=True, check=True
    )
    assert trees.blob_oid(b"hello\n") == out.stdout.decode().strip()


@given(files, st.dictionaries(names, st.none() | st.binary(max_size=4)))
def test_an_overlay_is_the_tree_with_its_edits_applied(
    base: dict[str, bytes], edits: dict[str, bytes | None]
) -> None:
    expected = {**base, **{path: data for path, data in edits.items() if data is not None}}
    for path, data in edits.items():
        if data is None:
            expected.pop(path, None)
    start = trees.DictTree(base)
    overlay, plain = trees.Overlay(start, edits), trees.DictTree(expected)
    assert dict(overlay.entries()) == dict(plain.entries())
    for folder in ("", "d", "g", "g/h"):
        assert overlay.names(folder) == plain.names(folder)
    for path in base | edits | expected:
        assert overlay.read(path) == plain.read(path)
        assert overlay.entry(path) == plain.entry(path)
    assert trees.diff(start, overlay) == trees.diff(start, plain)


@given(files, files)
def test_a_difference_names_every_path_that_differs_once(
    old: dict[str, bytes], new: dict[str, bytes]
) -> None:
    changes = trees.diff(trees.DictTree(old), trees.DictTree(new))
    paths = [change.path for change in changes]
    assert paths == sorted(path for path in old | new if old.get(path) != new.get(path))
    for change in changes:
        expected = "A" if change.path not in old else "D" if change.path not in new else "M"
        assert change.status == expected


def test_an_overlay_keeps_the_mode_of_a_file() -> None:
    base = trees.DictTree({"run": (b"1", trees.EXECUTABLE)})
    entry = trees.Overlay(base, {"run": b"2"}).entry("run")
    assert entry is not None
    assert entry.mode == trees.EXECUTABLE


@pytest.mark.parametrize("folder", ["", "a", "a/b", "a-b", "a0", "none"])
def test_the_names_below_a_folder_are_found_in_sorted_paths(folder: str) -> None:
    paths = sorted(["a-b/x", "a/b/1", "a/b/2/3", "a/b.md", "a/c", "a0", "a0b", "top", "a/b0/x"])
    prefix = f"{folder}/" if folder else ""
    below = [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]
    assert trees.child_names(paths, folder) == {path.partition("/")[0] for path in below}
    assert trees.leads_to(paths, folder) == bool(below)


edited = st.dictionaries(names, st.none() | st.binary(max_size=4))


@given(files, edited, edited)
def test_overlays_know_what_they_change_of_any_tree_below(
    base: dict[str, bytes], one: dict[str, bytes | None], other: dict[str, bytes | None]
) -> None:
    start = trees.DictTree(base)
    made = trees.Overlay(trees.Overlay(start, one), other)
    assert made.changes(start) == trees.compare(start.entries(), made.entries())
    assert made.changes(trees.DictTree(base)) is None
