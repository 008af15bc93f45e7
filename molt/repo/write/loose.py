"""Objects that a write adds: trees, blobs and commits, stored as git's loose objects, and as packs
where somebody prunes.

A loose object is one file below `objects`, named by its id: the deflated bytes of its kind, its
size and its content (gitrepository-layout(5), gitformat-loose(5)).
"""

from __future__ import annotations

import contextlib
import os

from molt import errors, trees
from molt.repo.tree_objects import FOLDER, find_entry_start
from molt.repo.write import packs
from molt.repo.write.collector import PruneWatch
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from molt.repo.objects import GitTree
    from molt.repo.repository import Repo
    from molt.trees import Edits

    Nested = dict[str, "Nested | bytes | None"]

_NEAR = 1000  # bytes of a tree, some twenty entries, that are faster read than halved
_LARGE = 8192  # bytes
_TRIES = 20  # a `git gc` takes a folder away in a moment; this is for one that runs again and again
# Every object is on the disk before its id is used; git's own default leaves that to the system.
DURABLE = ("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync")


class Loose:
    """Blobs, trees and commits by id; `store` writes those that are not written yet.

    As a context manager it keeps what it wrote from whoever prunes until it ends.
    """

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._folder = os.environ.get("GIT_OBJECT_DIRECTORY") or f"{repo.common_dir}/objects"
        self._gone: set[str] = set()
        self._objects: dict[str, tuple[str, bytes]] = {}
        self._stored: dict[str, tuple[str, bytes]] = {}
        self._watch: PruneWatch | None = None
        self._calm = True
        self._kept: list[str] = []
        self.folders: dict[str, tuple[str, str]] = {}
        """The ids of the folders of the last tree that was made, before and after its edits."""

    def blob(self, data: bytes | None) -> str:
        """The id that these bytes will have; empty for None."""
        return "" if data is None else self._add_object("blob", data)

    def commit(self, data: bytes) -> str:
        """The id of a commit of these bytes."""
        return self._add_object("commit", data)

    def _add_object(self, kind: str, data: bytes) -> str:
        oid = trees.object_oid(kind, data)
        if oid not in self._stored:
            self._objects[oid] = (kind, data)
        return oid

    def tree(self, base: GitTree, edits: Edits) -> str:
        """The id of the base with the edits; only the folders that they touch are rewritten.

        Raises Failed where a folder of a path is a link or a submodule in the base, or a file that
        the edits do not delete, and where the folder of a new file's name keeps others.
        """
        self.folders = {}
        self._gone = {path for path, data in edits.items() if data is None}
        return self._add_folder(base, "", _nest_edits(edits)) or self._add_object("tree", b"")

    def _add_folder(self, base: GitTree, folder: str, inner: Nested) -> str:
        """The id of a folder with its edits; empty for one that holds nothing any more."""
        data = b"" if folder in self._gone else base.folder(folder)
        for name, content in inner.items():
            path = f"{folder}/{name}" if folder else name
            old = base.listed(path)
            new = self._edited_entry(base, path, content, old)
            data = _splice_entry(data, name, old, new)
        return self._add_object("tree", data) if data else ""

    def _edited_entry(
        self, base: GitTree, path: str, content: Nested | bytes | None, old: Entry | None
    ) -> Entry | None:
        if isinstance(content, dict):
            if old is not None and old.mode != FOLDER and path not in self._gone:
                raise errors.Failed(f"{path} is no folder in the last commit")
            oid = self._add_folder(base, path, content)
            self.folders[path] = (old.oid if old else "", oid)
            return Entry(oid, FOLDER) if oid else None
        is_folder = old is not None and old.mode == FOLDER and not self._is_emptied(base, path)
        if is_folder or (old is not None and old.mode == trees.SUBMODULE):
            raise errors.Failed(f"{path} is no file in the last commit")
        if content is None:
            return None
        known = old is not None and old.mode not in (trees.SYMLINK, FOLDER)
        return Entry(
            self._add_object("blob", content), old.mode if old and known else trees.REGULAR
        )

    def _is_emptied(self, base: GitTree, folder: str) -> bool:
        """Whether the edits delete all that a folder of the base holds."""
        inside = (path for path in base.entries() if path.startswith(f"{folder}/"))
        return all(path in self._gone for path in inside)

    def store(self) -> None:
        """Write all objects to the disk. Raises Failed, and no object is there in part."""
        if not self._objects:
            return
        self._watch_prunes()
        self._write(self._objects)
        self._stored.update(self._objects)
        self._objects.clear()

    def keep(self, oid: str, kind: str, data: bytes) -> None:
        """Take in an object that somebody else has stored, loose."""
        self._watch_prunes()
        (self._stored if self._calm else self._objects)[oid] = (kind, data)

    def _watch_prunes(self) -> None:
        if self._watch is None:
            self._watch = PruneWatch(self.repo, self._folder)
            self._calm = self._watch.is_calm()

    def settle(self) -> None:
        """Call this when a ref leads to the objects. Raises Failed where those that a `git prune`
        may have taken meanwhile cannot be written again.
        """
        if self._calm and self._watch and not self._watch.was_calm():
            self._calm = False
            self._write(self._stored)

    def __enter__(self) -> Loose:
        return self

    def __exit__(self, *_: object) -> None:
        for path in self._kept:
            packs.release(path)
        self._kept.clear()

    def _write(self, objects: Mapping[str, tuple[str, bytes]]) -> None:
        shared = _shared_bits(self.repo.config("core.sharedRepository") or "")
        try:
            if self._calm:
                for oid, (kind, data) in objects.items():
                    _write_beside_gc(_place_of(self._folder, oid), _deflate(kind, data), shared)
            else:
                made = packs.write_pack(
                    self._folder, objects, lambda path, data: _put_file(path, data, shared)
                )
                self._kept.append(made)
        except OSError as error:
            said = f"cannot write an object to {self._folder}: {error.strerror}"
            raise errors.Failed(said) from error


def _deflate(kind: str, data: bytes) -> bytes:
    """A loose object as it lies on the disk."""
    from zlib import compressobj

    # The ids in a large folder do not get smaller, and `git gc` packs everything anyway.
    level = 0 if kind == "tree" and len(data) > _LARGE else 1
    packer = compressobj(level)
    head = packer.compress(trees.object_head(kind, data))
    return b"".join((head, packer.compress(data), packer.flush()))


def _place_of(folder: str, oid: str) -> str:
    return os.path.join(folder, oid[:2], oid[2:])


def _write_beside_gc(place: str, data: bytes, shared: int) -> None:
    """`_write_object`, again where a `git gc --prune=now` took the folder or the file meanwhile."""
    for _ in range(_TRIES):
        with contextlib.suppress(FileNotFoundError):
            _write_object(place, data, shared)
            return
    _write_object(place, data, shared)


def _write_object(place: str, data: bytes, shared: int) -> None:
    """One loose object, as git writes them: beside its place, onto the disk, then renamed."""
    fan = os.path.dirname(place)
    with contextlib.suppress(FileNotFoundError):
        # A younger time keeps what is there from being pruned before it is referred to.
        os.utime(place)
        return
    # `git prune` removes what is left of files with such a name.
    fresh = os.path.join(fan, f"tmp_obj_molt{os.getpid()}")
    try:
        try:
            _put_file(fresh, data, shared)
        except FileNotFoundError:
            _make_folder(fan, shared)
            _put_file(fresh, data, shared)
        os.rename(fresh, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh)
        raise


def _put_file(path: str, data: bytes, shared: int) -> None:
    """A file as git has them below `objects`, onto the disk; what is left of a failure is there."""
    with _create_file(path) as file:
        file.write(data)
        file.flush()
        if shared:
            os.fchmod(file.fileno(), _shared_mode(os.fstat(file.fileno()).st_mode, shared))
        os.fsync(file.fileno())


def _create_file(path: str) -> BinaryIO:
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o444))


def _make_folder(fan: str, shared: int) -> None:
    """One of the 256 folders of objects."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(fan)
        if shared:
            mode = _shared_mode(os.stat(fan).st_mode, shared)
            # Who may read may look inside, and what is made inside belongs to the group.
            os.chmod(fan, mode | (mode & 0o444) >> 2 | (0o2000 if mode & 0o060 else 0))


def _shared_mode(mode: int, shared: int) -> int:
    """The mode of a new file or folder in a shared repository, as git computes it."""
    added = abs(shared) if mode & 0o200 else abs(shared) & ~0o222
    return added if shared < 0 else mode & 0o777 | added


def _shared_bits(value: str) -> int:
    """What `core.sharedRepository` adds to a mode, or negated what replaces it (git-config(1))."""
    value = value.lower()
    if value in ("group", "true", "yes", "on", "1"):
        return 0o660
    if value in ("all", "world", "everybody", "2"):
        return 0o664
    with contextlib.suppress(ValueError):
        return -(int(value, 8) & 0o666) if value.startswith("0") else 0
    return 0


def _nest_edits(edits: Edits) -> Nested:
    """The edits as folders in folders, without those that delete what a file or a folder takes the
    name of. Raises Failed where a path is a file and a folder.
    """
    nested: Nested = {}
    # What is written comes first: what is deleted gives way to it.
    for path, data in sorted(edits.items(), key=lambda item: item[1] is None):
        place: Nested | bytes | None = nested
        *folders, name = path.split("/")
        for folder in folders:
            place = place.setdefault(folder, {}) if isinstance(place, dict) else place
        if isinstance(place, dict) and name not in place:
            place[name] = data
        elif data is not None:
            raise errors.Failed(f"{path} cannot be a file and a folder")
    return nested


def _entry_bytes(name: str, entry: Entry) -> bytes:
    raw = name.encode("utf-8", "surrogateescape")
    return b"%o %s\0" % (entry.mode, raw) + bytes.fromhex(entry.oid)


def _splice_entry(data: bytes, name: str, old: Entry | None, new: Entry | None) -> bytes:
    """A tree object with one entry replaced, added or removed."""
    fresh = _entry_bytes(name, new) if new else b""
    if old is not None and new is not None and (old.mode == FOLDER) != (new.mode == FOLDER):
        # Each has a place of its own.
        data, old = _splice_entry(data, name, old, None), None
    if old is not None:
        # Mode, name and id together are in a tree once, so its entries need no reading.
        at = data.index(found := _entry_bytes(name, old))
        return data[:at] + fresh + data[at + len(found) :]
    at = _find_place(data, name, folder=new.mode == FOLDER) if new else 0
    return data[:at] + fresh + data[at:]


def _find_place(data: bytes, name: str, *, folder: bool) -> int:
    """Where an entry belongs: git sorts by name, as if a folder's ended in a slash."""
    wanted = name.encode("utf-8", "surrogateescape") + (b"/" if folder else b"")
    at, behind = 0, len(data)
    while behind - at > _NEAR:
        middle = find_entry_start(data, (at + behind) // 2)
        if middle <= at:
            break
        if _sorted_as(data, middle)[0] > wanted:
            behind = middle
        else:
            at = middle
    while at < len(data):
        found, following = _sorted_as(data, at)
        if found > wanted:
            return at
        at = following
    return at


def _sorted_as(data: bytes, at: int) -> tuple[bytes, int]:
    """The name of the entry at a place as git compares it, and where the next entry begins."""
    space = data.index(b" ", at)
    end = data.index(b"\0", space)
    slash = b"/" if data[at:space] == b"40000" else b""
    return data[space + 1 : end] + slash, end + 21
