"""A tree is a value: paths with blob ids, modes and bytes, wherever they come from."""

from __future__ import annotations

from bisect import bisect_left

from molt import errors
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from hashlib import _Hash as Hash
    from typing import Protocol
else:
    Protocol = object

REGULAR = 0o100644
EXECUTABLE = 0o100755
SYMLINK = 0o120000
SUBMODULE = 0o160000


class Entry(Value):
    """One file of a tree: blob id (40 hex digits) and git file mode."""

    oid: str
    mode: int = REGULAR


class Tree(Protocol):
    """What every source of files can answer. Paths are relative, with `/`."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where there is none (a submodule has none)."""

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        """The bytes of many files by path; those that are not there are left out."""

    def entry(self, path: str) -> Entry | None:
        """Id and mode of a file; None where there is none."""

    def entries(self) -> Mapping[str, Entry]:
        """All files."""

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        """The names directly below a folder (`""` is the top), files and folders alike.

        With `like`, those may be left out that differ from it in more than case and form.
        """

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        """The changes from `base`, where this tree knows them without a full comparison."""


Edits = dict[str, "bytes | None"]
"""Path to new bytes, or None to delete."""


class FileChange(Value):
    """How one path differs: status `A`, `M` or `D`, with the entries before and after."""

    status: str
    path: str
    old: Entry | None
    new: Entry | None


def sha1(data: bytes | memoryview, *, size: int = 0) -> Hash:
    """The SHA-1 hash by which git names things, of data to which `size` bytes will be added."""
    try:
        if len(data) + size > _LARGE:
            return _hash_fast(data)
        # OpenSSL takes a hook longer to load than all that it hashes.
        from _sha1 import sha1
    except ImportError:
        from hashlib import sha1
    found: Hash = sha1(data, usedforsecurity=False)
    return found


# Bytes from which on OpenSSL's, eight times as fast, is worth the 2 ms that it takes to load: of
# a folder of so many, whose index is hashed next and has two or three times as many.
_LARGE = 300_000


def _hash_fast(data: bytes | memoryview) -> Hash:
    """Raises ImportError for a Python without OpenSSL."""
    from _hashlib import openssl_sha1

    found: Hash = openssl_sha1(data, usedforsecurity=False)
    return found


def sha256(data: bytes) -> Hash:
    """The SHA-256 hash of some bytes."""
    try:
        from _sha256 import sha256
    except ImportError:
        # Python 3.12 has it in another module, and OpenSSL's in `hashlib`.
        from hashlib import sha256
    found: Hash = sha256(data)
    return found


def object_oid(kind: str, data: bytes) -> str:
    """The id that git gives to an object: a `blob`, `tree` or `commit` with these bytes."""
    if len(data) <= _LARGE:
        return sha1(object_bytes(kind, data)).hexdigest()
    for known, oid in _hashed:
        # To compare a megabyte takes a twentieth of hashing it.
        if known == (kind, data):
            return oid
    found = sha1(object_head(kind, data), size=len(data))
    found.update(data)
    _hashed[:] = [((kind, data), found.hexdigest()), *_hashed[:1]]
    return found.hexdigest()


# The last large objects, and their ids: each step of a write asks for that of the file before it
# and of the one after it.
_hashed: list[tuple[tuple[str, bytes], str]] = []


def object_bytes(kind: str, data: bytes) -> bytes:
    """An object as git names and stores it: kind, size and content."""
    return object_head(kind, data) + data


def object_head(kind: str, data: bytes) -> bytes:
    """What of an object stands before its content."""
    return b"%s %d\0" % (kind.encode(), len(data))


def blob_oid(data: bytes) -> str:
    """The id that git gives to a blob with these bytes."""
    return object_oid("blob", data)


def diff(base: Tree, new: Tree) -> tuple[FileChange, ...]:
    """What changed from `base` to `new`, sorted by path; no rename detection."""
    known = new.changes(base)
    return compare(base.entries(), new.entries()) if known is None else known


def compare(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> tuple[FileChange, ...]:
    """What changed between two listings, sorted by path."""
    paths = {path for path in new if old.get(path) != new[path]}
    paths.update(path for path in old if path not in new)
    return tuple(make_change(path, old.get(path), new.get(path)) for path in sorted(paths))


def make_change(path: str, old: Entry | None, new: Entry | None) -> FileChange:
    """The FileChange of one path that differs."""
    return FileChange("A" if old is None else "D" if new is None else "M", path, old, new)


def child_names(paths: Sequence[str], folder: str) -> frozenset[str]:
    """The names directly below `folder` among sorted paths: what they hold is stepped over."""
    prefix = f"{folder}/" if folder else ""
    found: list[str] = []
    at = bisect_left(paths, prefix)
    while at < len(paths) and paths[at].startswith(prefix):
        name, slash, _ = paths[at][len(prefix) :].partition("/")
        found.append(name)
        # "0" is what follows "/": behind it nothing of this folder can stand.
        at = bisect_left(paths, f"{prefix}{name}0", at) if slash else at + 1
    return frozenset(found)


def leads_to(paths: Sequence[str], folder: str) -> bool:
    """Whether one of some sorted paths is below `folder`."""
    prefix = f"{folder}/" if folder else ""
    at = bisect_left(paths, prefix)
    return at < len(paths) and paths[at].startswith(prefix)


def read_each(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    """What `read_many` gives, for a tree that reads one file as fast as many."""
    found = ((path, tree.read(path)) for path in paths)
    return {path: data for path, data in found if data is not None}


def read_text(tree: Tree, path: str) -> str:
    """A file as text; empty where there is none, with what is no UTF-8 replaced."""
    return (tree.read(path) or b"").decode("utf-8", "replace")


def read_strict(tree: Tree, path: str) -> str:
    """A file as text; empty where there is none. Raises Failed where it is no UTF-8."""
    try:
        return (tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.Failed(f"{path} is not UTF-8", "save it as UTF-8") from error


class DictTree:
    """A tree in memory, from path to bytes, or to (bytes, mode)."""

    def __init__(self, files: Mapping[str, bytes | tuple[bytes, int]] | None = None) -> None:
        self._bytes: dict[str, bytes] = {}
        self._entries: dict[str, Entry] = {}
        for path, content in (files or {}).items():
            data, mode = content if isinstance(content, tuple) else (content, REGULAR)
            self._bytes[path] = data
            self._entries[path] = Entry(blob_oid(data), mode)
        self._sorted = sorted(self._entries)

    def read(self, path: str) -> bytes | None:
        return self._bytes.get(path)

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        return read_each(self, paths)

    def entry(self, path: str) -> Entry | None:
        return self._entries.get(path)

    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def names(self, folder: str, like: str = "") -> frozenset[str]:  # noqa: ARG002 the protocol's
        return child_names(self._sorted, folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:  # noqa: ARG002 the protocol's
        return None


EMPTY: Tree = DictTree()


class Overlay:
    """A base tree with edits on top; modes of existing files are kept."""

    def __init__(self, base: Tree, edits: Edits) -> None:
        self.base = base
        self.edits = dict(edits)
        self._gone = sorted(path for path, data in self.edits.items() if data is None)
        self._made = sorted(path for path, data in self.edits.items() if data is not None)
        self._listing: list[str] | None = None

    def read(self, path: str) -> bytes | None:
        return self.edits[path] if path in self.edits else self.base.read(path)

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        below = self.base.read_many([path for path in paths if path not in self.edits])
        return {**below, **read_each(self, (path for path in paths if path in self.edits))}

    def entry(self, path: str) -> Entry | None:
        if path not in self.edits:
            return self.base.entry(path)
        data = self.edits[path]
        if data is None:
            return None
        before = self.base.entry(path)
        return Entry(blob_oid(data), before.mode if before else REGULAR)

    def entries(self) -> Mapping[str, Entry]:
        merged = dict(self.base.entries())
        for path in self.edits:
            entry = self.entry(path)
            if entry is None:
                merged.pop(path, None)
            else:
                merged[path] = entry
        return merged

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        if not leads_to(self._gone, folder):
            return self.base.names(folder, like) | child_names(self._made, folder)
        if self._listing is None:
            self._listing = sorted(self.entries())
        return child_names(self._listing, folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        edited, below = set(self.edits), self.base
        while below is not base:
            if not isinstance(below, Overlay):
                return None
            edited.update(below.edits)
            below = below.base
        pairs = ((path, base.entry(path), self.entry(path)) for path in sorted(edited))
        return tuple(make_change(*pair) for pair in pairs if pair[1] != pair[2])


class Veil:
    """A base tree of which some files, at `places`, are as `show` gives them from their bytes: as
    other bytes, or None where nobody is to see the file. They are read when they are asked for.
    `places` are also those of a veil below.
    """

    def __init__(
        self, base: Tree, places: Iterable[str], show: Callable[[str, bytes], bytes | None]
    ) -> None:
        self.base = base
        self._veiled = frozenset(places)
        self._show = show
        self.places: frozenset[str] = self._veiled | getattr(base, "places", frozenset())

    def read(self, path: str) -> bytes | None:
        data = self.base.read(path)
        return data if data is None or path not in self._veiled else self._show(path, data)

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        below = self.base.read_many([path for path in paths if path not in self._veiled])
        return {**below, **read_each(self, (path for path in paths if path in self._veiled))}

    def entry(self, path: str) -> Entry | None:
        found = self.base.entry(path)
        if found is None or path not in self._veiled:
            return found
        data = self.read(path)
        return None if data is None else Entry(blob_oid(data), found.mode)

    def entries(self) -> Mapping[str, Entry]:
        merged = dict(self.base.entries())
        for path in self._veiled:
            found = self.entry(path)
            if found is None:
                merged.pop(path, None)
            else:
                merged[path] = found
        return merged

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        if not any(path.startswith(f"{folder}/") or not folder for path in self._veiled):
            return self.base.names(folder, like)
        return child_names(sorted(self.entries()), folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:  # noqa: ARG002 the protocol's
        return None
