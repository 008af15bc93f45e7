from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import ROOT
from hypothesis import example, given
from hypothesis import strategies as st

from molt import errors
from molt.policy.names import fold_name
from molt.repo import find, objects, process, staged, tree_objects
from molt.repo.write import loose
from molt.repo.write.collector import SIGN
from molt.trees import Entry, compare, diff

# Names and ids of random bytes, and such as look like the entries around them.
PIECE = st.sampled_from([b"100644 ", b"40000 ", b"120000 a", b"\0", b"\0100644 a", b"a", b" "])
LOOKALIKE = st.lists(PIECE, min_size=1, max_size=9).map(b"".join)
OID = st.binary(min_size=20, max_size=20) | st.builds(
    lambda pieces, at: (pieces + bytes(20))[at : at + 20], LOOKALIKE, st.integers(0, 5)
).filter(lambda oid: len(oid) == 20)
NAME = (st.binary(min_size=1, max_size=30) | LOOKALIKE).map(
    lambda name: name.translate(None, b"\0/") or b"a"
)
MODE = st.sampled_from([0o100644, 0o100755, 0o120000, 0o160000, 0o40000])


def tree(entries: dict[bytes, tuple[int, bytes]]) -> bytes:
    rows = ((b"%o %s\0" % (mode, name)) + oid for name, (mode, oid) in sorted(entries.items()))
    return b"".join(rows)


@given(st.dictionaries(NAME, st.tuples(MODE, OID), max_size=12), NAME)
@example({b"100644 a": (0o100644, b"x" * 20)}, b"a")
@example({b"b": (0o100644, b"\0" * 10 + b"100644 a\0.")}, b"a")
@example({b"b": (0o100644, b"..........1234567 a\0"), b"a": (0o40000, b"y" * 20)}, b"a")
def test_an_entry_is_found_by_its_name_and_by_nothing_that_looks_like_it(entries, other) -> None:
    data = tree(entries)
    for name in (*entries, other):
        mode, oid = entries.get(name, (0, b""))
        assert tree_objects.find_entry(data, name) == (Entry(oid.hex(), mode) if mode else None)
    names = frozenset(name.decode("utf-8", "surrogateescape") for name in entries)
    assert tree_objects.names_in(data) == names
    assert tree_objects.list_entries(data) == {
        name: tree_objects.find_entry(data, name) for name in entries
    }


class Searched(bytes):
    """A tree object that counts how often all of it is searched."""

    times = 0

    def __contains__(self, part: object) -> bool:
        Searched.times += 1
        return super().__contains__(part)  # type: ignore[operator]

    def find(self, *args: object) -> int:
        Searched.times += 1
        return super().find(*args)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", [0o100644, 0o40000])
def test_a_folder_is_not_searched_once_for_each_name_that_is_new(mode) -> None:
    data = Searched(tree({b"%04d" % number: (mode, b"x" * 20) for number in range(500)}))
    Searched.times = 0
    assert list(tree_objects.find_unsound(b"", data)) == []
    assert Searched.times < 50


@pytest.mark.parametrize("count", [0, 3, 500])
def test_a_file_and_a_folder_of_one_name_are_told_however_many_names_are_new(count) -> None:
    names = sorted([b"a", *(b"a-%04d" % number for number in range(count))])
    rows = [*(b"100644 %s\0" % name + b"x" * 20 for name in names), b"40000 a\0" + b"y" * 20]
    assert list(tree_objects.find_unsound(b"", b"".join(rows))) == [b"a", b"a"]
    assert set(tree_objects.find_unsound(rows[-1], b"".join(rows))) == {b"a"}


@given(st.dictionaries(NAME, st.tuples(MODE, OID), max_size=12), NAME)
@example({"\u212a.md".encode(): (0o100644, b"x" * 20)}, b"k.md")
@example({b"K.md": (0o100644, b"x" * 20)}, b"k.md")
@example({"stra\u1e9ee".encode(): (0o100644, b"x" * 20)}, b"strasse")
@example({"o\ufb03ce".encode(): (0o100644, b"x" * 20)}, b"office")
def test_a_name_that_differs_in_case_alone_is_never_left_out(entries, other) -> None:
    wanted = other.decode("utf-8", "surrogateescape")
    names = [name.decode("utf-8", "surrogateescape") for name in entries]
    alike = any(fold_name(name) == fold_name(wanted) for name in names)
    assert not wanted.isascii() or tree_objects.may_resemble(tree(entries), wanted) or not alike


def test_each_letter_that_is_folded_to_ascii_is_known() -> None:
    every = map(chr, (*range(0x80, 0xD800), *range(0xE000, sys.maxunicode + 1)))
    folded = {letter: form for letter in every if (form := fold_name(letter)).isascii()}
    assert folded == tree_objects._FOLDED


LETTERS = st.text("".join((*tree_objects._FOLDED, "ksfiltKSFILT;`.")), min_size=1, max_size=6)


@given(st.dictionaries(LETTERS.map(str.encode), st.tuples(MODE, OID), max_size=3), LETTERS)
@example({b"other": (0o100644, b"x" * 18 + "\u017f".encode())}, "s")
def test_a_name_of_letters_that_are_folded_is_never_left_out(entries, other) -> None:
    wanted = fold_name(other)
    alike = any(fold_name(name.decode()) == wanted for name in entries)
    found = tree_objects.may_resemble(tree(entries), wanted)
    assert found or not alike


FOLDERS = st.dictionaries(NAME, st.tuples(MODE, OID), max_size=200)


@given(FOLDERS, st.dictionaries(NAME, st.tuples(MODE, OID), max_size=3), st.integers(0, 200))
@example(
    {b"a%04d" % n: (0o100644, bytes(20)) for n in range(900)}, {b"a0500": (0o120000, b"x" * 20)}, 7
)
@example({}, {b"a": (0o100644, bytes(20))}, 0)
def test_two_versions_of_a_folder_differ_in_what_git_would_say(old, edits, gone) -> None:
    new = {**old, **edits}
    if gone < len(new):
        del new[sorted(new)[gone]]
    for one, other in ((old, new), (new, old), (old, old), ({}, new)):
        names = {*one, *other}
        wanted = {
            name.decode("utf-8", "surrogateescape"): (
                Entry(other[name][1].hex(), other[name][0]) if name in other else None
            )
            for name in names
            if one.get(name) != other.get(name)
        }
        assert tree_objects.diff_folders(tree(one), tree(other)) == wanted


@given(st.dictionaries(NAME.map(lambda name: name.decode("utf-8", "surrogateescape")), OID))
def test_a_folder_of_files_is_rendered_as_git_stores_it(names) -> None:
    entries = {name: Entry(oid.hex()) for name, oid in names.items()}
    rows = {name.encode("utf-8", "surrogateescape"): (0o100644, oid) for name, oid in names.items()}
    assert tree_objects.render_folder(entries) == tree(rows)


@given(FOLDERS, NAME)
def test_a_new_entry_is_placed_where_git_sorts_it(entries, name) -> None:
    entries.pop(name, None)
    rows = sorted((key + b"/" * (mode == 0o40000), key) for key, (mode, _) in entries.items())
    data = b"".join(tree({key: entries[key]}) for _, key in rows)
    text = name.decode("utf-8", "surrogateescape")
    for folder in (False, True):
        end = sum(row < (name + b"/" * folder, b"") for row in rows)
        before = b"".join(tree({key: entries[key]}) for _, key in rows[:end])
        assert loose._find_place(data, text, folder=folder) == len(before)


def test_the_reader_answers_for_names_of_any_kind(tmp_path: Path, git) -> None:
    root = tmp_path / "w"
    reader = find.init(str(root)).reader
    (root / "f").write_bytes(b"two\nlines\n")
    blob = git(root, "hash-object", "-w", "f").strip()
    assert reader.blobs([blob, "0" * 40]) == {blob: b"two\nlines\n"}
    assert reader.ask(["no\nsuch\nname", blob])[1] == (blob, "blob", b"two\nlines\n")
    assert reader.oid("HEAD:with space") is None


def test_a_partial_clone_whose_remote_is_gone_says_so_and_reads_what_it_has(
    tmp_path: Path, git, capfd
) -> None:
    source, clone = tmp_path / "source", tmp_path / "clone"
    find.init(str(source))
    for text in ("old", "new"):
        (source / "f").write_text(text)
        git(source, "add", "f")
        git(source, "commit", "-qm", text)
    git(source, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{source}", str(clone))
    lacking = git(source, "rev-parse", "HEAD~1:f").strip()
    away = source.rename(tmp_path / "away")
    reader = find.find_repo(str(clone)).reader
    with pytest.raises(errors.Failed, match=f"without {lacking}, and its remote") as caught:
        reader.blobs([lacking])
    assert reader.ask(["HEAD:f"])[0] == (git(clone, "rev-parse", "HEAD:f").strip(), "blob", b"new")
    assert capfd.readouterr() == ("", "")
    away.rename(source)
    (line,) = [word for word in caught.value.hint.split("`") if word.startswith("git ")]
    git(clone, *line.split()[1:])
    git(clone, "remote", "remove", "origin")
    assert reader.blobs([lacking]) == {lacking: b"old"}


def test_an_object_longer_than_a_pipe_is_read_whole(tmp_path: Path, git) -> None:
    root = tmp_path / "w"
    reader = find.init(str(root)).reader
    (root / "f").write_bytes(b"x" * 3_000_000)
    blob = git(root, "hash-object", "-w", "f").strip()
    assert reader.blobs([blob]) == {blob: b"x" * 3_000_000}


@pytest.mark.parametrize("shared", ["umask", "group", "all", "0640", "0660"])
@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_objects_have_the_modes_that_git_gives_them(
    tmp_path: Path, git, shared: str, umask: int
) -> None:
    before = os.umask(umask)
    try:
        modes = []
        for name in ("git", "molt"):
            repo = find.init(str(tmp_path / name))
            git(repo.root, "config", "core.sharedRepository", shared)
            if name == "git":
                (tmp_path / "f").write_bytes(b"words")
                oid = git(repo.root, "hash-object", "-w", str(tmp_path / "f")).strip()
            else:
                made = loose.Loose(repo)
                assert made.blob(b"words") == oid
                made.store()
                made.blob(b"words")
                made.store()
            place = Path(repo.root, ".git/objects", oid[:2])
            modes.append([oct(path.stat().st_mode) for path in (place, place / oid[2:])])
            assert git(repo.root, "cat-file", "blob", oid) == "words"
        assert modes[0] == modes[1]
    finally:
        os.umask(before)


def test_what_cannot_be_stored_leaves_nothing_behind(tmp_path: Path) -> None:
    repo = find.init(str(tmp_path / "w"))
    made = loose.Loose(repo)
    oid = made.blob(b"words")
    Path(repo.root, ".git/objects", oid[:2]).write_bytes(b"in the way")
    with pytest.raises(errors.Failed, match="cannot write an object"):
        made.store()
    left = {path.name for path in Path(repo.root, ".git/objects").rglob("tmp_obj*")}
    assert left <= {os.path.basename(SIGN)}


def test_a_reader_that_is_gone_leaves_no_process(tmp_path: Path) -> None:
    find.init(str(tmp_path))
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    for _ in range(3):
        reader = objects.Reader(str(tmp_path))
        assert reader.oid("HEAD") is None
        del reader
    if before is None:
        pytest.skip("no /proc here")
    assert set(os.listdir("/proc/self/fd")) <= before


# In a process of its own, for it counts all the children that a process has.
OPENS = """
import os, sys
from molt.repo import find

def has_children():
    try:
        return os.waitpid(-1, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False

kept = []
for path in sys.argv[1:]:
    kept.append(find.find_repo(path))
    with kept[-1] as repo:
        assert repo.reader.oid("HEAD") is None and repo.config("core.filemode")
        assert has_children()
    assert not has_children(), "a process is left of a repository that is kept"
tree = kept[0].tree("HEAD")
assert tree._reader.oid("HEAD") is None and has_children(), "a tree begins anew"
kept[0].close()
kept[0].close()
assert not has_children(), "closed twice is closed, trees that were handed out too"
for path in sys.argv[1:]:
    assert find.find_repo(path).reader.oid("HEAD") is None
assert not has_children(), "a process is left of what was forgotten"
"""


def test_a_repository_that_is_closed_leaves_no_process(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in "abc"]
    for path in paths:
        find.init(path)
    args = [sys.executable, "-c", OPENS, *paths]
    done = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_repository_asks_anew_what_is_configured(tmp_path: Path) -> None:
    repo = find.init(str(tmp_path))
    with repo:
        assert repo.config("molt.actor") is None
        repo.run("config", "molt.actor", "manual")
        assert repo.config("molt.actor") is None
    assert repo.config("molt.actor") == "manual"


def test_a_reader_goes_on_after_all_were_closed_and_in_a_fork(tmp_path: Path) -> None:
    find.init(str(tmp_path))
    reader = objects.Reader(str(tmp_path))
    assert reader.oid("HEAD") is None
    process.close_all()
    assert reader.oid("HEAD") is None
    child = os.fork()
    if not child:
        os._exit(0 if reader.oid("HEAD") is None else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert reader.oid("HEAD") is None


def test_what_is_staged_compares_with_any_commit_as_the_listings_do(
    tmp_path, git, monkeypatch
) -> None:
    root = tmp_path
    git(root, "init", "-q")

    def put(**files: str) -> None:
        for name, text in files.items():
            (root / name).write_text(text)
            git(root, "add", name)

    put(same="1", back="1", gone="1", twice="1", other="1")
    git(root, "commit", "-qm", "one")
    git(root, "rm", "-q", "gone")
    put(back="2", twice="2", fresh="2")
    git(root, "commit", "-qm", "two")
    git(root, "rm", "-qf", "fresh")
    put(back="1", gone="1", twice="3", other="3", new="3")
    monkeypatch.chdir(root)
    index = staged.here().index
    for rev in ("HEAD", "HEAD~1"):
        base = find.here().tree(rev)
        wanted = compare(base.entries(), index.entries())
        assert diff(base, index) == wanted
        assert index.changes(base) == wanted
    assert {change.path for change in wanted} == {"twice", "other", "new"}


def test_many_files_are_read_as_they_were_committed_whatever_the_disk_has(
    tmp_path: Path, git
) -> None:
    names = [f"{n:03}.md" for n in range(100)]
    git(tmp_path, "init", "-q")
    for name in names:
        (tmp_path / name).write_text(f"this is {name}\n")
    (tmp_path / "large").write_bytes(b"x" * 2_000_000)
    (tmp_path / "link").symlink_to("001.md")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    committed = {name: f"this is {name}\n".encode() for name in names}
    (tmp_path / "001.md").write_text("changed\n")
    (tmp_path / "002.md").unlink()
    (tmp_path / "003.md").unlink()
    (tmp_path / "003.md").symlink_to("004.md")
    (tmp_path / "005.md").unlink()
    os.mkfifo(tmp_path / "005.md")
    (tmp_path / "006.md").write_bytes(b"this is 006.md\r\n")
    with find.find_repo(str(tmp_path)) as repo:
        found = repo.tree("HEAD").read_many([*names, "large", "link", "none"])
    assert found == {**committed, "large": b"x" * 2_000_000, "link": b"001.md"}


def test_many_files_that_are_on_disk_as_git_has_them_need_no_object(tmp_path: Path, git) -> None:
    names = [f"{n:03}.md" for n in range(100)]
    git(tmp_path, "init", "-q")
    for name in names:
        (tmp_path / name).write_text(f"this is {name}\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    lost = git(tmp_path, "rev-parse", "HEAD:007.md").strip()
    (tmp_path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    with find.find_repo(str(tmp_path)) as repo:
        assert repo.tree("HEAD").read_many(names)["007.md"] == b"this is 007.md\n"
        (tmp_path / "007.md").unlink()
        with pytest.raises(errors.Failed, match="lost"):
            repo.tree("HEAD").read_many(names)


def test_files_of_any_size_are_read_from_the_disk(tmp_path: Path, git) -> None:
    sizes = [0, 1, *range((1 << 14) - 1, (1 << 14) + 2), 3 << 14, 1_000_000]
    files = {f"{n}.md": b"x" * n for n in (*sizes, *range(2, 90))}
    git(tmp_path, "init", "-q")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    for size in sizes:
        lost = git(tmp_path, "rev-parse", f"HEAD:{size}.md").strip()
        (tmp_path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    with find.find_repo(str(tmp_path)) as repo:
        assert repo.tree("HEAD").read_many([*files]) == files


def test_a_large_file_that_is_on_disk_as_git_has_it_needs_no_object(tmp_path: Path, git) -> None:
    files = {name: name.encode() * 100_000 for name in ("same", "changed", "gone", "link")}
    git(tmp_path, "init", "-q")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    lost = git(tmp_path, "rev-parse", "HEAD:same").strip()
    (tmp_path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    (tmp_path / "changed").write_bytes(b"CHANGED" * 100_000)
    for name in ("gone", "link"):
        (tmp_path / name).unlink()
    (tmp_path / "link").symlink_to("same")
    with find.find_repo(str(tmp_path)) as repo:
        tree = repo.tree("HEAD")
        assert {name: tree.read(name) for name in files} == files
        (tmp_path / "same").write_bytes(b"other")
        with pytest.raises(errors.Failed, match="lost"):
            repo.tree("HEAD").read("same")


def test_what_a_name_of_a_revision_lists_is_what_it_is_now(tmp_path: Path, git) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "a")
    with find.find_repo(str(tmp_path)) as repo:
        first = repo.tip()
        assert repo.tree("HEAD").entries() == repo.tree(first).entries() == {}
        (tmp_path / "a.md").write_text("a\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", "b")
        assert (
            list(repo.tree("HEAD").entries()) == list(repo.tree(repo.tip()).entries()) == ["a.md"]
        )
        assert repo.tree(first).entries() == {}
