"""Ranges of history: their commits and trees, read as objects from git's own store.

Nothing that a repository says about itself has a say here: no replace refs and grafts, no settings
and attributes of diffs, no `ignore` of submodules, for what is compared are the tree objects. No
process is started for a commit: the first objects are asked of one git, and pygit2, which takes
longer to import than a hundred commits to judge, for the rest. It is imported nowhere else.
"""

from __future__ import annotations

import os
from operator import attrgetter

from molt import errors, trees
from molt.repo import process, tree_objects
from molt.repo.commits import Commit
from molt.repo.tree_objects import Raw, Step
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pygit2

    from molt.repo.repository import Repo
    from molt.trees import FileChange, Tree

# What is kept of trees and blobs, in bytes: those of a commit come again with the next one.
_KEPT = 32 << 20
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_FOLDER_MODE = b"40000"
_UNREAD = (tree_objects.FOLDER, trees.SUBMODULE)
# Objects: the pipe of a git takes 25 to 40 µs longer for each, and importing pygit2 as long as that
# for 1,500. A third of them, for nobody knows how many will follow.
_FIRST = 500


class ObjectStore:
    """The objects of a repository by their ids, also those that a push has just brought along."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._asked = 0
        self._odb: pygit2.Odb | None = None
        self._young: dict[tuple[str, str], bytes] = {}
        self._old: dict[tuple[str, str], bytes] = {}
        self._size = 0
        self._commits: dict[str, Commit] = {}
        self._trees: dict[str, ObjectTree] = {}
        self._changes: dict[tuple[str, str], tuple[FileChange, ...]] = {}
        self._unsound: dict[tuple[str, str], tuple[str, ...]] = {}
        self.noted: list[str] = []
        self.steps: dict[str, tuple[str, Step]] = {}
        # Whether what was compared last is as the step before it, in each folder.
        self.again = False

    def read(self, oid: str) -> tuple[str, bytes] | None:
        """Kind and bytes of an object; None where there is none. Of a partial clone, git fetches
        what is not here.
        """
        self._asked += 1
        if self._asked <= _FIRST:
            return self._ask_git(oid)
        if self._odb is None:
            self._odb = _open_database(self._repo)
        try:
            kind, data = self._odb.read(oid)
        except (KeyError, ValueError):
            return self._ask_git(oid)
        return _KINDS.get(kind, ""), data

    def _ask_git(self, oid: str) -> tuple[str, bytes] | None:
        try:
            found = self._repo.reader.ask([oid])[0]
        except errors.Failed as error:
            raise lost(self._repo, f"git has no object {oid}") from error
        return found and found[1:]

    def content(self, oid: str, what: str) -> bytes:
        """The bytes of a blob. Raises Failed where it is lost, which says `what` it is."""
        return self._recall("blob", oid, what)

    def folder(self, oid: str, what: str) -> bytes:
        """The bytes of a tree. Raises Failed where there is none: an entry may call a blob one."""
        return self._recall("tree", oid, what)

    def _recall(self, sort: str, oid: str, what: str) -> bytes:
        key = sort, oid
        data = self._young.get(key)
        if data is None:
            data = self._old.get(key)
            if data is None:
                data = self._present(sort, oid, what)
            self._keep(key, data)
        return data

    def _present(self, sort: str, oid: str, what: str) -> bytes:
        if oid == _EMPTY_TREE:
            return b""
        found = self.read(oid)
        if found is None:
            raise lost(self._repo, f"{what}: git has no object {oid}")
        if found[0] != sort:
            raise lost(self._repo, f"{what}: {oid} is a {found[0]}, and no {sort}")
        return found[1]

    def _keep(self, key: tuple[str, str], data: bytes) -> None:
        """Two halves: what is asked again stays, and the older half goes when the other is full."""
        self._young[key] = data
        self._size += len(data)
        if self._size > _KEPT:
            self._old, self._young, self._size = self._young, {}, 0

    def commit(self, oid: str) -> Commit:
        """A commit; a parent is asked for soon after. Raises Failed where it is lost."""
        made = self._commits.get(oid)
        if made is None:
            found = self.read(oid)
            if found is None or found[0] != "commit":
                raise lost(self._repo, f"git has no commit {oid}")
            if len(self._commits) > _MANY:
                self._commits.clear()
            made = self._commits[oid] = Commit(oid, found[1])
        return made

    def tree(self, oid: str) -> ObjectTree:
        """The tree of an id, empty for none."""
        made = self._trees.get(oid)
        if made is None:
            if len(self._trees) > _FEW:
                self._trees.clear()
            made = self._trees[oid] = ObjectTree(self, oid or _EMPTY_TREE)
        return made

    def find_unsound(self, old: str, new: str) -> tuple[str, ...]:
        """The paths of a tree, where it differs from another, that git never writes so."""
        self.changes(old, new)
        return self._unsound[old, new]

    def changes(self, old: str, new: str) -> tuple[FileChange, ...]:
        """What changed from one tree to another, by path."""
        known = self._changes.get((old, new))
        if known is None:
            if len(self._changes) > _FEW:
                self._changes.clear()
                self._unsound.clear()
            if len(self.steps) > _MANY:
                self.steps.clear()
            self.noted.clear()
            self.again = True
            sides = (_FOLDER_MODE, bytes.fromhex(old)), (_FOLDER_MODE, bytes.fromhex(new))
            known = tuple(sorted(_changed(self, "", *sides), key=attrgetter("path")))
            self._changes[old, new] = known
            self._unsound[old, new] = tuple(dict.fromkeys(self.noted))
            before = self._trees.get(old)
            if before and self.again and len(known) == 1:
                self.tree(new).take_over(before, known[0])
        return known


_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
# Commits that are kept, and trees and comparisons: a merge comes back to what came long before.
_MANY = 4096
_FEW, _SMALL = 64, 1 << 16
"""Trees and comparisons hold whole folders, and each tree a file of so many bytes. Who asks for
more paths has each folder read once."""


def _open_database(repo: Repo) -> pygit2.Odb:
    """The objects of a repository, and those of a push, as pygit2 reads them."""
    import pygit2

    # Nobody but who writes into `.git` can put other bytes under an id, and git itself believes
    # what it has stored, too: to compute all ids again takes longer than to read the objects.
    pygit2.option(pygit2.enums.Option.ENABLE_STRICT_HASH_VERIFICATION, False)
    # What comes again is kept here, and what is read once is not kept at all.
    pygit2.option(pygit2.enums.Option.ENABLE_CACHING, False)
    made = pygit2.Odb(_objects(repo))
    for folder in _alternates():
        made.add_disk_alternate(folder)
    return made


def _objects(repo: Repo) -> str:
    """The folder of the objects; inside of a push that of what comes, which git names."""
    own = os.environ.get("GIT_OBJECT_DIRECTORY")
    return os.path.abspath(own) if own else os.path.join(repo.common_dir, "objects")


def _alternates() -> Iterator[str]:
    """Where else git has been told to look; a quoted name holds what no path of a push does."""
    for folder in os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "").split(os.pathsep):
        if folder and os.path.isdir(folder):
            yield os.path.abspath(folder)


def lost(repo: Repo, said: str) -> errors.Failed:
    """The error about an object that is not here, with what can be done about it."""
    if repo.is_partial():
        told = f"{said}: this is a partial clone, and its remote does not answer"
        return errors.Failed(told, process.REFETCH)
    return errors.Failed(said, "`git fsck` says more")


class ObjectTree:
    """The tree of an id; what it has read of folders and files all trees of its store share."""

    def __init__(self, store: ObjectStore, oid: str) -> None:
        self._store = store
        self.oid = oid
        self._folders: dict[str, bytes] = {}
        self._found: dict[str, Entry | None] = {}
        self._listed: dict[str, dict[bytes, Entry]] = {}
        self._heir: tuple[ObjectTree, str] | None = None  # and the file in which it differs
        self._last: tuple[str | None, bytes] = None, b""

    def take_over(self, before: ObjectTree, change: FileChange) -> None:
        """Know what another tree has found, and finds later, from which this one differs in one
        file's id alone. Most of what is asked of one commit is asked of the next.
        """
        if self._found or len(before._found) > _FEW:
            return
        self._found = {**before._found}
        known, folder = self._found.pop(change.path, None), change.path
        if known and change.new and known.mode == change.new.mode:
            self._found[change.path] = change.new
        while folder := folder.rpartition("/")[0]:
            self._found.pop(folder, None)
        before._heir = self, change.path

    def _folder(self, folder: str) -> bytes:
        """The tree object of a folder; empty where it is none."""
        data = self._folders.get(folder)
        if data is None:
            found = self._find(folder) if folder else Entry(self.oid, tree_objects.FOLDER)
            is_one = found is not None and found.mode == tree_objects.FOLDER
            data = self._store.folder(found.oid, folder or "a tree") if found and is_one else b""
            self._folders[folder] = data
        return data

    def _find(self, path: str) -> Entry | None:
        """What stands under a path, kept: what was asked for is asked again, by another rule."""
        return self._found[path] if path in self._found else self._find_listed(path)

    def _find_listed(self, path: str) -> Entry | None:
        folder, _, name = path.rpartition("/")
        data = b"" if tree_objects.is_deep(folder) else self._folder(folder)
        key = name.encode("utf-8", "surrogateescape")
        if len(self._found) > _FEW and folder not in self._listed:
            self._listed[folder] = tree_objects.list_entries(data)
        listed = self._listed.get(folder)
        found = tree_objects.find_entry(data, key) if listed is None else listed.get(key)
        self._found[path] = found
        if self._heir and not f"{self._heir[1]}/".startswith(f"{path}/"):
            self._heir[0]._found.setdefault(path, found)
        return found

    def entry(self, path: str) -> Entry | None:
        found = self._find(path)
        return None if found is None or found.mode == tree_objects.FOLDER else found

    def read(self, path: str) -> bytes | None:
        # Most commits change one file, and ten times each is asked for it.
        if path == self._last[0]:
            return self._last[1]
        found = self._find(path)
        if found is None or found.mode in _UNREAD:
            return None
        data = self._store.content(found.oid, path)
        if len(data) <= _SMALL:
            self._last = path, data
        return data

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        return trees.read_each(self, paths)

    def entries(self) -> Mapping[str, Entry]:
        every = _below(self._store, "", (_FOLDER_MODE, bytes.fromhex(self.oid)))
        return {path: tree_objects.raw_entry(raw) for path, raw in every}

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        data = self._folder(folder)
        if like and like.isascii() and not tree_objects.may_resemble(data, like):
            return frozenset()
        return tree_objects.names_in(data)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if not isinstance(base, ObjectTree) or base._store is not self._store:
            return None
        return self._store.changes(base.oid, self.oid)


def _is_folder(raw: Raw | None) -> bool:
    return raw is not None and raw[0] == _FOLDER_MODE


def _below(store: ObjectStore, path: str, raw: Raw) -> Iterator[tuple[str, Raw]]:
    """All files of an entry, which may be one itself."""
    if not _is_folder(raw):
        yield path, raw
        return
    if tree_objects.is_deep(path):
        store.noted.append(path)
        return
    data = store.folder(raw[1].hex(), path or "a tree")
    _note_unsound(store, path, b"", data)
    for _, name, inner in tree_objects.rows_in(data):
        yield from _below(store, _join(path, name), inner)


def _note_unsound(store: ObjectStore, path: str, before: bytes, after: bytes) -> None:
    store.noted += (_join(path, name) for name in tree_objects.find_unsound(before, after))


def _join(folder: str, name: bytes) -> str:
    text = name.decode("utf-8", "surrogateescape")
    return f"{folder}/{text}" if folder else text


def _changed(
    store: ObjectStore, path: str, old: Raw | None, new: Raw | None
) -> Iterator[FileChange]:
    """What changed from one entry to another, either of which may be a folder or nothing."""
    if old and new and _is_folder(old) and _is_folder(new):
        yield from _enter(store, path, old[1], new[1])
        return
    if not (_is_folder(old) or _is_folder(new)):
        yield from _compare(path, old, new)
        return
    gone = dict(_below(store, path, old)) if old else {}
    come = dict(_below(store, path, new)) if new else {}
    for place in {**gone, **come}:
        yield from _compare(place, gone.get(place), come.get(place))


def _enter(store: ObjectStore, path: str, old: bytes, new: bytes) -> Iterator[FileChange]:
    """What changed from one folder to another.

    Most commits change the file that the one before has changed. Where nothing differs but the id
    that differed then, nothing need be looked for, and what was sound is.
    """
    if tree_objects.is_deep(path):
        store.noted.append(path)
        return
    before = store.folder(old.hex(), path or "a tree")
    after = store.folder(new.hex(), path or "a tree")
    below, last = store.steps.get(path, ("", None))
    same = last.repeat(before, after) if last and last.new == old else None
    if last and same:
        last.new = new
        yield from _changed(store, below, *same)
        return
    noted = len(store.noted)
    _note_unsound(store, path, before, after)
    found = tree_objects.find_differences(before, after)
    store.again = False
    step = tree_objects.find_step(after, found, new) if len(store.noted) == noted else None
    if step:
        store.steps[path] = _join(path, step.name), step
    for name, (one, other) in found.items():
        yield from _changed(store, _join(path, name), one, other)


def _compare(path: str, old: Raw | None, new: Raw | None) -> tuple[FileChange, ...]:
    """The change of one path; none where two old modes mean the same."""
    before, after = (raw and tree_objects.raw_entry(raw) for raw in (old, new))
    return () if before == after else (trees.make_change(path, before, after),)


def merges_alike(store: ObjectStore, base: str, sides: Sequence[str], made: str) -> bool:
    """Whether a tree is what merging others gives where each file changed on one side only.

    False says nothing: where two sides changed one file, git must merge them.
    """
    oids = (base or _EMPTY_TREE, *sides, made)
    start, *raws, end = ((_FOLDER_MODE, bytes.fromhex(oid)) for oid in oids)
    return _merged(store, [start, *raws, end], 0)


def _merged(store: ObjectStore, row: Sequence[Raw | None], depth: int) -> bool:
    """The same for one entry: that of the base, those of the sides, and what was made of them."""
    base, *sides, made = row
    changed = [side for side in dict.fromkeys(sides) if side != base]
    if len(changed) < 2:
        return made == (changed[0] if changed else base)
    every = [base, *changed, made]
    if depth > tree_objects.DEEPEST or not all(raw is None or _is_folder(raw) for raw in every):
        return False
    listed = [_inside(store, raw) for raw in every]
    names = dict.fromkeys(name for one in listed for name in one)
    rows = ([one.get(name) for one in listed] for name in names)
    return all(_merged(store, row, depth + 1) for row in rows)


def _inside(store: ObjectStore, raw: Raw | None) -> dict[bytes, Raw]:
    if raw is None:
        return {}
    data = store.folder(raw[1].hex(), "a folder")
    return {name: inner for _, name, inner in tree_objects.rows_in(data)}
