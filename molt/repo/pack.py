"""Objects that a write adds: made here, and stored by one `git unpack-objects`."""

from __future__ import annotations

from molt import errors, trees
from molt.repo import process
from molt.repo.objects import FOLDER, certain_start
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.objects import GitTree
    from molt.trees import Edits

    Nested = dict[str, "Nested | bytes | None"]

_KINDS = {"tree": 2, "blob": 3}
_NEAR = 1000  # bytes of a tree, some twenty entries, that are faster read than halved
# Every object is on the disk before its id is used; git's own default leaves that to the system.
DURABLE = ("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync")


class Pack:
    """Blobs and trees by id, until `store` gives them to git."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._objects: dict[str, tuple[str, bytes]] = {}

    def blob(self, data: bytes | None) -> str:
        """The id that these bytes will have; empty for None."""
        return "" if data is None else self._put("blob", data)

    def _put(self, kind: str, data: bytes) -> str:
        oid = trees.object_oid(kind, data)
        self._objects[oid] = (kind, data)
        return oid

    def tree(self, base: GitTree, edits: Edits) -> str:
        """The id of the base with the edits; only the folders that they touch are rewritten.

        Raises Failed where a folder of a path is a file, a link or a submodule in the base.
        """
        return self._folder(base, "", _nested(edits)) or self._put("tree", b"")

    def _folder(self, base: GitTree, folder: str, inner: Nested) -> str:
        """The id of a folder with its edits; empty for one that holds nothing any more."""
        data = base.folder(folder)
        for name, content in inner.items():
            path = f"{folder}/{name}" if folder else name
            old = base.listed(path)
            new = self._entry(base, path, content, old)
            data = _spliced(data, name, old, new)
        return self._put("tree", data) if data else ""

    def _entry(
        self, base: GitTree, path: str, content: Nested | bytes | None, old: Entry | None
    ) -> Entry | None:
        if isinstance(content, dict):
            if old is not None and old.mode != FOLDER:
                raise errors.Failed(f"{path} is no folder in the last commit")
            oid = self._folder(base, path, content)
            return Entry(oid, FOLDER) if oid else None
        if old is not None and old.mode in (FOLDER, trees.SUBMODULE):
            raise errors.Failed(f"{path} is no file in the last commit")
        if content is None:
            return None
        regular = old is not None and old.mode != trees.SYMLINK
        return Entry(self._put("blob", content), old.mode if old and regular else trees.REGULAR)

    def store(self) -> None:
        """Give all objects to git, which writes them to the disk."""
        if not self._objects:
            return
        from zlib import compress

        body = bytearray(b"PACK\0\0\0\2" + len(self._objects).to_bytes(4, "big"))
        for kind, data in self._objects.values():
            # git deflates them once more for its own files; here it would be time lost.
            body += _head(_KINDS[kind], len(data)) + compress(data, 0)
        # The ids in a large folder do not get smaller, and `git gc` packs everything anyway.
        size = dict.fromkeys(_KINDS, 0)
        for kind, data in self._objects.values():
            size[kind] += len(data)
        level = ("-c", "core.looseCompression=0") if size["tree"] > size["blob"] else ()
        args = (*process.GIT, *DURABLE, *level, "unpack-objects", "-q")
        process.run(args, input=bytes(body) + trees.sha1(bytes(body)).digest(), cwd=self._root)
        self._objects.clear()


def _head(kind: int, size: int) -> bytes:
    """Type and size as a pack has them: four bits of the size, then seven a byte."""
    found = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        found[-1] |= 128
        found.append(size & 127)
        size >>= 7
    return bytes(found)


def _nested(edits: Edits) -> Nested:
    """The edits as folders in folders. Raises Failed where a path is a file and a folder."""
    nested: Nested = {}
    for path, data in edits.items():
        *folders, name = path.split("/")
        place = nested
        for folder in folders:
            inner = place.setdefault(folder, {})
            if not isinstance(inner, dict):
                raise errors.Failed(f"{path}: {folder} cannot be a file and a folder")
            place = inner
        if name in place:
            raise errors.Failed(f"{path} cannot be a file and a folder")
        place[name] = data
    return nested


def _record(name: str, entry: Entry) -> bytes:
    raw = name.encode("utf-8", "surrogateescape")
    return b"%o %s\0" % (entry.mode, raw) + bytes.fromhex(entry.oid)


def _spliced(data: bytes, name: str, old: Entry | None, new: Entry | None) -> bytes:
    """A tree object with one entry replaced, added or removed."""
    fresh = _record(name, new) if new else b""
    if old is not None:
        # Mode, name and id together are in a tree once, so its entries need no reading.
        at = data.index(found := _record(name, old))
        return data[:at] + fresh + data[at + len(found) :]
    at = _place(data, name, folder=new.mode == FOLDER) if new else 0
    return data[:at] + fresh + data[at:]


def _place(data: bytes, name: str, *, folder: bool) -> int:
    """Where an entry belongs: git sorts by name, as if a folder's ended in a slash."""
    wanted = name.encode("utf-8", "surrogateescape") + (b"/" if folder else b"")
    at, behind = 0, len(data)
    while behind - at > _NEAR:
        middle = certain_start(data, (at + behind) // 2)
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
