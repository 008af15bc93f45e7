"""Objects and trees of ranges, held equal to what git itself says of them."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from histories import START, History, said
from hypothesis import given
from hypothesis import strategies as st

from molt import errors, trees
from molt.repo import ranges, tree_objects
from molt.repo.ranges import ObjectStore

NAMES = ("a", "b.md", "c", "a-b", "a.b", "é")
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.sampled_from(["", "1\n", "2\n"]), max_size=8)


def possible(files: dict[str, str]) -> dict[str, str]:
    """Without those that would stand where another has a folder."""
    return {path: text for path, text in files.items() if not any(
        other.startswith(f"{path}/") for other in files)}  # fmt: skip


@pytest.fixture(scope="module", autouse=True, params=[10_000, 0], ids=["git", "pygit2"])
def _reader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Who gives the objects: the first ones git, and pygit2 what follows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "_FIRST", request.param)
        yield


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return History(tmp_path_factory.mktemp("h") / "w")


@given(FILES, FILES)
def test_a_tree_is_what_git_lists_and_differs_as_git_says(
    history: History, one: dict[str, str], other: dict[str, str]
) -> None:
    files = [possible(one), possible(other)]
    store = ObjectStore(history.repo)
    oids = [history.write_tree(dict(each)) for each in files]
    before, after = (store.tree(oid) for oid in oids)
    known = [trees.DictTree({path: text.encode() for path, text in f.items()}) for f in files]
    assert dict(before.entries()) == dict(known[0].entries())
    for path in {*files[0], *files[1], "a", "none/at/all"}:
        assert before.read(path) == known[0].read(path)
        assert before.entry(path) == known[0].entry(path)
    for folder in ("", "a", "c/a"):
        assert before.names(folder) == known[0].names(folder)
    assert after.changes(before) == trees.compare(known[0].entries(), known[1].entries())


@given(
    st.lists(st.tuples(st.sampled_from(["c/a/b.md", "c/é", "d"]), st.integers(0, 9)), max_size=9)
)
def test_a_tree_that_follows_others_knows_what_a_fresh_one_finds(
    history: History, edits: list[tuple[str, int]]
) -> None:
    files, store = {"c/a/b.md": "1\n", "c/é": "1\n"}, ObjectStore(history.repo)
    oids = [history.write_tree(dict(files))]
    for path, number in edits:
        files[path] = f"{number}\n"
        oids.append(history.write_tree(dict(files)))
    asked = ("c/a", "c/a/b.md", "c/é", "d", "none/at/all")
    for (old, new), (_, number) in zip(itertools.pairwise(oids), edits, strict=True):
        before, after, fresh = store.tree(old), store.tree(new), ObjectStore(history.repo).tree(new)
        before.read(asked[::2][number % 3])
        after.changes(before)
        path = asked[number % 5]
        assert after.entry(path) == fresh.entry(path)
        assert after.read(path) == fresh.read(path)


class Searched(bytes):
    """A tree object that counts how often all of it is searched."""

    times = 0

    def find(self, *args: object) -> int:
        Searched.times += 1
        return super().find(*args)  # type: ignore[arg-type]


class CountingStore(ObjectStore):
    def folder(self, oid: str, what: str) -> bytes:
        return Searched(super().folder(oid, what))


def test_many_files_of_a_folder_are_not_each_searched_in_all_of_it(history: History) -> None:
    names = [f"d/{number:03}" for number in range(300)]
    store = CountingStore(history.repo)
    tree = store.tree(history.write_tree(dict.fromkeys(names, "x\n")))
    Searched.times = 0
    assert all(map(tree.entry, names))
    assert tree.entry("d/none") is None
    assert 0 < Searched.times < 100


@given(
    st.dictionaries(st.binary(min_size=1, max_size=4), st.binary(min_size=20, max_size=20)),
    st.dictionaries(st.binary(min_size=1, max_size=4), st.binary(min_size=20, max_size=20)),
    st.integers(0, 40),
)
def test_the_names_that_differ_in_two_folders(old, new, filler) -> None:
    # What looks like an entry within an id, and many that are the same on both sides.
    same = {b"m%03d" % number: b"100644 a\0" + b"x" * 11 for number in range(filler)}
    sides = [
        {name.translate(None, b"\0/") or b"z": oid for name, oid in {**side, **same}.items()}
        for side in (old, new)
    ]
    raws = [
        b"".join(b"100644 %s\0%s" % (name, oid) for name, oid in sorted(side.items()))
        for side in sides
    ]
    found = tree_objects.find_differences(*raws)
    names = {name for side in sides for name in side if sides[0].get(name) != sides[1].get(name)}
    assert set(found) == names
    for name, pair in found.items():
        assert [raw and raw[1] for raw in pair] == [side.get(name) for side in sides]


def test_a_submodule_that_the_repository_hides_is_seen(history: History) -> None:
    hidden = '[submodule "x"]\n\tpath = memory/x\n\turl = x\n\tignore = all\n'
    base = history.write_tree({".gitmodules": hidden})
    oid = history.git("hash-object", "-w", "--stdin", text="x")
    index = {"GIT_INDEX_FILE": str(history.root / ".git/hidden")}
    history.git("read-tree", base, **index)
    history.git("update-index", "--add", "--cacheinfo", f"160000,{oid},memory/x", **index)
    made = history.git("write-tree", **index)
    store = ObjectStore(history.repo)
    (change,) = store.tree(made).changes(store.tree(base)) or ()
    assert (change.path, change.new and change.new.mode) == ("memory/x", trees.SUBMODULE)
    assert store.tree(made).read("memory/x") is None
    (seen,) = trees.diff(history.repo.tree(base), history.repo.tree(made))
    assert seen == change


def test_objects_of_a_push_that_is_not_accepted_yet_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(tmp_path / "w")
    first = history.start()
    here, aside = history.root / ".git/objects", tmp_path / "aside"
    accepted = {*here.glob("??/*")}
    second = history.commit({"SOUL.md": "other\n"})
    for path in {*here.glob("??/*")} - accepted:
        (aside / path.parent.name).mkdir(parents=True, exist_ok=True)
        path.rename(aside / path.relative_to(here))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(aside))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(here))
    store = ObjectStore(history.repo)
    assert store.commit(second).parents == (first,)
    tree = store.tree(store.commit(second).tree)
    assert tree.read("SOUL.md") == b"other\n"
    assert tree.read("IDENTITY.md") == START["IDENTITY.md"].encode()
    monkeypatch.delenv("GIT_OBJECT_DIRECTORY")
    monkeypatch.delenv("GIT_ALTERNATE_OBJECT_DIRECTORIES")
    assert ObjectStore(history.repo).read(second) is None


def test_objects_are_the_same_whoever_gives_them(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = history.git("hash-object", "-w", "--stdin", text="words\n")
    oids = [history.start(), history.write_tree({"a": "1\n", "b/c": "2\n"}), blob, "2" * 40]
    monkeypatch.setattr(ranges, "_FIRST", len(oids))
    store = ObjectStore(history.repo)
    first = [store.read(oid) for oid in oids]
    assert [found and found[0] for found in first] == ["commit", "tree", "blob", None]
    assert [store.read(oid) for oid in oids] == first


def test_a_lost_object_is_said_in_words(history: History) -> None:
    store = ObjectStore(history.repo)
    with pytest.raises(errors.Failed, match="git has no commit"):
        store.commit("1" * 40)
    with pytest.raises(errors.Failed, match=r"SOUL\.md: git has no object"):
        store.content("1" * 40, "SOUL.md")


def test_a_file_in_the_place_of_a_folder_is_said_in_words(history: History) -> None:
    blob = history.git("hash-object", "-w", "--stdin", text="no tree\n")
    row = b"40000 memory\0" + bytes.fromhex(blob)
    oid = history.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin",
                      text=row.decode("utf-8", "surrogateescape"))  # fmt: skip
    store = ObjectStore(history.repo)
    assert store.content(blob, "a file") == b"no tree\n"
    with pytest.raises(errors.Failed, match=rf"memory: {blob} is a blob, and no tree"):
        store.changes(store.tree("").oid, oid)
    with pytest.raises(errors.Failed, match="is a tree, and no blob"):
        store.content(oid, "SOUL.md")


def test_what_each_side_changed_alone_is_merged_without_git(tmp_path: Path) -> None:
    history = History(tmp_path / "w")
    base = history.start()
    ours = history.commit({"notes/a.md": "a\n", "SOUL.md": "ours\n"})
    theirs = history.commit({"notes/b.md": "b\n", "IDENTITY.md": None}, "", base)
    trees_of = {name: history.git("rev-parse", f"{oid}^{{tree}}") for name, oid in
                (("base", base), ("ours", ours), ("theirs", theirs))}  # fmt: skip
    merged = history.git("merge-tree", "--write-tree", ours, theirs).split("\n")[0]
    store = ObjectStore(history.repo)
    sides = (trees_of["ours"], trees_of["theirs"])
    assert ranges.merges_alike(store, trees_of["base"], sides, merged)
    for other in (*sides, trees_of["base"], history.write_tree({"SOUL.md": "evil\n"}, merged)):
        assert not ranges.merges_alike(store, trees_of["base"], sides, other)
    both = history.write_tree({"SOUL.md": "theirs\n"}, theirs)
    assert not ranges.merges_alike(store, trees_of["base"], (sides[0], both), both)


def test_replaced_objects_and_grafts_are_not_believed(tmp_path: Path) -> None:
    history = History(tmp_path / "w")
    first = history.start()
    second = history.commit({"SOUL.md": "evil\n"}, said("EDIT", "SOUL.md", "bot:main"))
    good = history.commit({"SOUL.md": "s\n"}, "", first)
    history.move(second)
    history.git("replace", second, good)
    grafts = history.root / ".git/info/grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{second}\n")
    repo = history.repo
    assert repo.tree("HEAD").read("SOUL.md") == b"evil\n"
    assert [log.parents for log in repo.log_newest("-1")] == [(first,)]
    store = ObjectStore(repo)
    assert store.commit(second).parents == (first,)
    done = subprocess.run(
        ["git", "show", "HEAD:SOUL.md"], cwd=repo.root, capture_output=True, env=os.environ
    )
    assert done.stdout == b"s\n"
