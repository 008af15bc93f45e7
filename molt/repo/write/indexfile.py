"""git's index as a file: entries that are looked up and changed without starting git.

Only what every write needs: a path gets another blob or, below a folder that has some, an entry;
and what is known of its file on disk. That is empty in an entry that `git update-index
--index-info` makes, and then scripts that ask `git diff-files` or `git diff-index` take the file
for changed. Whatever is not plain, as a split or sparse index, is left to git (gitformat-index(5)).
"""

from __future__ import annotations

from molt import trees
from molt.repo import index_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    # A file on disk: its stat, and the second in which it changes for the last time.
    Known = tuple[os.stat_result, int]

_HEAD, _STAT, _ID = index_parts.HEAD, index_parts.STAT, index_parts.ID
_NAME = _STAT + _ID + 2
_SECOND = 1_000_000_000
# The bits of an entry's flags that are the length of its name.
_LENGTH = 0xFFF
_TREE, _UNDO = index_parts.TREE, index_parts.UNDO
_UNKNOWN: Mapping[str, tuple[str, str]] = {}


class IndexFile:
    """The bytes of an index; `plain` says whether its entries may be changed here."""

    def __init__(self, data: bytes) -> None:
        self._data = bytearray(data)
        self._version = int.from_bytes(data[4:8], "big")
        self._parts = index_parts.find_parts(data)
        simple = self._version in (2, 3) and set(self._parts) <= {_TREE, _UNDO}
        self.plain = data[:4] == b"DIRC" and simple

    def blobs(self, paths: list[str]) -> dict[str, str] | None:
        """The blobs of those paths that have an entry; None if only git can tell."""
        if not self.plain:
            return None
        found = {}
        for path in paths:
            name = _bytes(path)
            at = self._find_entry(name)
            if at >= 0:
                found[path] = self._data[at + _STAT : at + _STAT + _ID].hex()
            elif name + b"\0" in self._data:
                return None
        return found

    def _find_entry(self, path: bytes, oid: bytes = b"") -> int:
        """Where the entry of a path begins, with a certain blob if one is given; -1 for none.

        A name is looked for as bytes. That an entry begins before it is told by its length,
        which two bytes before the name must say: the characters of a path mean a longer one.
        """
        name = path + b"\0"
        wanted = min(len(path), _LENGTH)
        at = self._data.find(name, _HEAD)
        while at >= 0:
            start = at - _STAT - _ID - 2
            same = not oid or self._data[start + _STAT : start + _STAT + _ID] == oid
            if start >= _HEAD and not (start - _HEAD) % 8 and self._flags(start) == wanted and same:
                return start
            at = self._data.find(name, at + 1)
        return -1

    def _flags(self, entry: int) -> int:
        at = entry + _STAT + _ID
        return int.from_bytes(self._data[at : at + 2], "big")

    def put(
        self,
        blobs: Mapping[str, tuple[int, str]],
        folders: Mapping[str, tuple[str, str]] = _UNKNOWN,
    ) -> bool:
        """Give paths other blobs, and those without an entry a new one of a mode; False, and
        nothing changes, where that is for git to do.

        `folders` has the ids of folders before and after all that a commit changes, where `blobs`
        are that. Where the index knows a folder by the first it knows it by the second then, and
        the next `git status` need not compare ten thousand files with HEAD. Others are forgotten.
        """
        if not self.plain or not all(oid for _, oid in blobs.values()):
            return False
        places = {path: self._find_entry(_bytes(path)) for path in blobs}
        fresh = [path for path, at in places.items() if at < 0]
        # Each moves what is behind it, so the last one goes first.
        spots = sorted(((self._find_spot(_bytes(path)), path) for path in fresh), reverse=True)
        if any(at < 0 for at, _ in spots):
            return False
        for path in places.keys() - set(fresh):
            kept = int.from_bytes(self._data[places[path] + 24 : places[path] + 28], "big")
            folders = folders if kept == blobs[path][0] else {}
            self._replace(places[path], blobs[path][1])
        for at, path in spots:
            self._insert(at, _bytes(path), blobs[path])
        added = {_bytes(path): path in fresh for path in blobs}
        self._follow(added, {_bytes(path): ids for path, ids in folders.items()})
        return True

    def _replace(self, at: int, oid: str) -> None:
        # What was known of the file is no longer so; but the mode stays.
        self._data[at : at + 24] = bytes(24)
        self._data[at + 28 : at + _STAT] = bytes(_STAT - 28)
        self._data[at + _STAT : at + _STAT + _ID] = bytes.fromhex(oid)

    def _insert(self, at: int, path: bytes, what: tuple[int, str]) -> None:
        mode, oid = what
        entry = bytearray(_STAT) + bytes.fromhex(oid) + len(path).to_bytes(2, "big") + path
        entry[24:28] = mode.to_bytes(4, "big")
        self._data[at:at] = entry + bytes(_size(path) - len(entry))
        count = int.from_bytes(self._data[8:_HEAD], "big") + 1
        self._data[8:_HEAD] = count.to_bytes(4, "big")
        self._parts = {
            name: (start + _size(path), end + _size(path))
            for name, (start, end) in self._parts.items()
        }

    def _find_spot(self, path: bytes) -> int:
        """Where the entry of a path that has none belongs, among those below the same folder; -1
        where only git can tell.

        Such entries follow each other, and each begins that many bytes before the name of the
        folder, so that they can be halved without a walk through all.
        """
        folder = path[: path.rfind(b"/") + 1]
        taken = path + b"\0" in self._data or path + b"/" in self._data
        first, last = self._data.find(folder, _HEAD), self._data.rfind(folder)
        if not folder or taken or first < 0 or len(path) >= _LENGTH:
            return -1
        low, high = first - _NAME, last - _NAME + 1
        while low < high:
            at = self._data.rfind(folder, low + _NAME, (low + high) // 2 + _NAME + len(folder))
            name = self._read_name(at - _NAME)
            if not name.startswith(folder):
                return -1
            low, high = (at - _NAME + _size(name), high) if name < path else (low, at - _NAME)
        return low

    def _read_name(self, entry: int) -> bytes:
        """The path of an entry that begins there, if one does that has no more than every entry
        has; empty for any other.
        """
        size = self._flags(entry)
        if entry < _HEAD or (entry - _HEAD) % 8 or not size < _LENGTH:
            return b""
        name = bytes(self._data[entry + _NAME : entry + _NAME + size])
        behind = self._data[entry + _NAME + size : entry + _size(name)]
        return name if b"\0" not in name and behind and not any(behind) else b""

    def _follow(
        self, added: Mapping[bytes, bool], folders: Mapping[bytes, tuple[str, str]]
    ) -> None:
        """Bring the folders of some paths, which may be `added`, up in the cache of trees."""
        if _TREE not in self._parts:
            return
        start, end = self._parts[_TREE]
        root = _read_nodes(self._data, start + 8)
        counts: dict[bytes, int] = {}
        for path, is_new in added.items():
            while path:
                path = path.rpartition(b"/")[0]
                counts[path] = counts.get(path, 0) + is_new
        lost: set[bytes] = set()
        # Those that are deepest first: none is known above one that is not.
        for folder in sorted(counts, key=len, reverse=True):
            node = root.find(folder)
            ids = ("", "") if folder in lost else folders.get(folder, ("", ""))
            if node is None or not node.follow(ids, counts[folder]):
                lost.add(folder.rpartition(b"/")[0])
        fresh = root.render()
        self._data[start:end] = _TREE + len(fresh).to_bytes(4, "big") + fresh

    def note(self, path: str, oid: str, known: Known) -> None:
        """Write down what is known of the file of a path, if its entry has that blob."""
        at = self._place(_bytes(path), bytes.fromhex(oid))
        if at >= 0:
            numbers = _numbers(*known)
            self._data[at : at + 24] = numbers[:24]
            self._data[at + 28 : at + _STAT] = numbers[24:]

    def _place(self, path: bytes, oid: bytes) -> int:
        if self._version < 4:
            return self._find_entry(path, oid)
        at = self._data.find(oid)
        while at >= 0:
            if self._flags(at - _STAT) == min(len(path), _LENGTH) and self._ends(at, path):
                return at - _STAT
            at = self._data.find(oid, at + 1)
        return -1

    def _ends(self, at: int, path: bytes) -> bool:
        """Whether the name behind a blob at `at` may be this path, in version 4.

        It says how much of the name before it is dropped, in groups of seven bits, and what is
        put there.
        """
        at += _ID + 2
        while self._data[at] & 0x80:
            at += 1
        return path.endswith(bytes(self._data[at + 1 : self._data.index(b"\0", at + 1)]))

    def render(self) -> bytearray:
        """The whole file, with its checksum; with `index.skipHash` there is none, but zeros. It is
        no copy: of a large index that takes as long as a tenth of its hash.
        """
        if any(self._data[-_ID:]):
            with memoryview(self._data) as data:
                digest = trees.sha1(data[:-_ID]).digest()
            self._data[-_ID:] = digest
        return self._data


class _Node:
    """A folder in the cache of trees: name, what follows its number of folders, the folders."""

    def __init__(self, name: bytes, valid: bytes) -> None:
        self.name = name
        self.valid = valid
        self.inner: dict[bytes, _Node] = {}

    def find(self, path: bytes) -> _Node | None:
        """The folder of a path below it; itself for an empty one."""
        node: _Node | None = self
        for name in path.split(b"/") if path else ():
            node = node.inner.get(name) if node else None
        return node

    def follow(self, ids: tuple[str, str], added: int) -> bool:
        """Take the second of two ids where it has the first, for as many entries more; else it has
        none. Whether it has one.
        """
        count, _, oid = self.valid.partition(b"\0")
        same = bool(oid) and oid.hex() == ids[0]
        self.valid = b"%d\0%s" % (int(count) + added, bytes.fromhex(ids[1])) if same else b""
        return same

    def render(self) -> bytes:
        """As it stands in the index: number of entries, number of folders, id, folders."""
        rows: list[bytes] = []
        # However deep they lie: git has no limit of its own that Python would reach.
        waiting = [self]
        while waiting:
            node = waiting.pop()
            count, _, oid = node.valid.partition(b"\0")
            rows += (b"%s\0%s %d\n" % (node.name, count or b"-1", len(node.inner)), oid)
            waiting += reversed(node.inner.values())
        return b"".join(rows)


def _read_nodes(data: bytearray, at: int) -> _Node:
    """The folder at a place of the cache of trees, with all below it."""
    root, count, at = _read_node(data, at)
    open_ones = [(root, count)]
    while open_ones:
        node, count = open_ones.pop()
        if count:
            child, inner, at = _read_node(data, at)
            node.inner[child.name] = child
            open_ones += ((node, count - 1), (child, inner))
    return root


def _read_node(data: bytearray, at: int) -> tuple[_Node, int, int]:
    """The folder at a place of the cache of trees, how many it has, and where these begin."""
    name_end = data.index(b"\0", at)
    line_end = data.index(b"\n", name_end)
    count, _, inner = data[name_end + 1 : line_end].partition(b" ")
    behind = line_end + 1
    valid = b""
    if count != b"-1":
        valid = bytes(count) + b"\0" + bytes(data[behind : behind + _ID])
        behind += _ID
    return _Node(bytes(data[at:name_end]), valid), int(inner), behind


def _numbers(found: os.stat_result, second: int) -> bytes:
    """Nine numbers of 32 bits in the order of an entry, without the mode."""
    numbers = (
        second,
        found.st_ctime_ns % _SECOND,
        *divmod(found.st_mtime_ns, _SECOND),
        found.st_dev,
        found.st_ino,
        found.st_uid,
        found.st_gid,
        found.st_size,
    )
    return b"".join((number & 0xFFFFFFFF).to_bytes(4, "big") for number in numbers)


def _size(path: bytes) -> int:
    """How long the entry of a path is: one to eight zero bytes make it a multiple of eight."""
    return (_NAME + len(path) + 8) // 8 * 8


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
