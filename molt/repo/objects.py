"""Trees and blobs of git, answered by one `git cat-file --batch` for each repository."""

from __future__ import annotations

from molt import errors, trees
from molt.repo import disk, process, tree_objects
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from molt.repo.tree_objects import Raw
    from molt.trees import FileChange, Tree

NO_IGNORE = "--ignore-submodules=none"
"""For every comparison: a tracked `.gitmodules` could leave a submodule out of it otherwise."""
_HEX = frozenset("0123456789abcdef")


def _is_id(name: str) -> bool:
    return len(name) == 40 and _HEX.issuperset(name)


class Reader:
    """The objects of one repository; the process behind it starts with the first question, and
    lives until `close`. A question after that starts another one.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self._batch: process.BatchProcess | None = None
        self._kept: dict[str, bytes] = {}
        self._listed: tuple[str, dict[str, Entry]] = ("", {})

    def ask(self, specs: Sequence[str]) -> list[tuple[str, str, bytes] | None]:
        """Id, type and content of each object named as git names them; None for none.

        Raises Failed where git stops answering, as on a damaged object.
        """
        if self._batch is None or self._batch.closed:
            self._batch = process.BatchProcess(self.root, "cat-file", "--batch", "-z")
        found: list[tuple[str, str, bytes] | None] = []
        # The questions of one round fit into a pipe, so that neither side waits for the other.
        for start in range(0, len(specs), 64):
            some = [spec.encode("utf-8", "surrogateescape") for spec in specs[start : start + 64]]
            self._batch.write(b"".join(spec + b"\0" for spec in some))
            found += [self._read_answer(self._batch, spec) for spec in some]
        return found

    def close(self) -> None:
        """End the process, if there is one, and wait for it."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def _read_answer(
        self, batch: process.BatchProcess, spec: bytes
    ) -> tuple[str, str, bytes] | None:
        head = batch.line()
        words = head.split(b" ")
        if len(words) == 3 and _is_id(words[0].decode("latin-1")):
            content = batch.read(int(words[2]) + 1)[:-1]
            return words[0].decode(), words[1].decode(), content
        # Said of a name with line breaks, `NAME missing` takes as many lines more.
        for _ in range(spec.count(b"\n")):
            head += b"\n" + batch.line()
        if head.startswith(spec):
            return None
        raise errors.Failed(f"git cannot read {spec!r}", "`git fsck` says more")

    def oid(self, spec: str) -> str | None:
        """The id of an object named as git names it; None for none."""
        found = self.ask([spec])[0]
        return found[0] if found else None

    def tree_id(self, rev: str) -> str | None:
        """The id of a revision's tree; None where there is no such revision."""
        return self.oid(f"{rev}^{{tree}}")

    def blobs(self, oids: Sequence[str]) -> dict[str, bytes]:
        """The bytes of blobs by id; those that are missing or no blobs are left out."""
        missing = [oid for oid in oids if oid not in self._kept]
        answers = zip(missing, self.ask(missing), strict=True)
        blobs = {oid: found[2] for oid, found in answers if found and found[1] == "blob"}
        return {oid: self._kept[oid] for oid in oids if oid in self._kept} | blobs

    def list_files(self, rev: str) -> Mapping[str, Entry]:
        """All files of a revision. Those of the commit that was asked for last by its id are kept:
        a write looks at the tree that it is made on as often as it asks for it. Raises Failed.
        """
        if self._listed[0] != rev:
            args = ("ls-tree", "-r", "-z", "--full-tree", rev)
            listed = _parse_listing(process.git(self.root, *args).require().out)
            if not _is_id(rev):
                return listed
            self._listed = (rev, listed)
        return self._listed[1]

    def keep_blob(self, data: bytes) -> str:
        """Spare git the reading of one blob, the last that was kept: of a large file that was read
        already. Gives its id.
        """
        oid = trees.blob_oid(data)
        self._kept = {oid: data}
        return oid


def require_blob(found: Mapping[str, bytes], oid: str, path: str) -> bytes:
    """The bytes of a blob that must be there. Raises Failed: a lost one is no absent file."""
    if oid not in found:
        raise errors.Failed(f"{path}: git has lost its object {oid}", "`git fsck` says more")
    return found[oid]


# From so many files on, looking at the disk first pays.
_BULK = 64
# Bytes of a file up to which it is worth looking whether the disk has it.
_SMALL = 1_000_000


def _read_unchanged(root: str, oids: Mapping[str, str]) -> dict[str, bytes]:
    """The bytes of those files, path to blob id, that are on disk as git has them: to read and hash
    one takes a quarter of what git takes to unpack it and hand it over.
    """
    found: dict[str, bytes] = {}
    fresh = trees.sha1(b"", size=_SMALL)
    for path, oid in oids.items():
        data = disk.read_small(f"{root}/{path}", _SMALL)
        if data is not None:
            made = fresh.copy()
            made.update(trees.object_bytes("blob", data))
            if made.hexdigest() == oid:
                found[path] = data
    return found


# Bytes of a file from which on it is worth looking whether the disk has it, and beyond which it is
# not worth the memory.
_LARGE, _HUGE = 100_000, 100_000_000


def _read_large(root: str, path: str, oid: str) -> bytes | None:
    """The bytes of a large file if it is on disk as git has it: for git to unpack a megabyte and
    hand it over takes four times as long as to read and hash it.
    """
    data = disk.read_large(f"{root}/{path}", _LARGE, _HUGE)
    return data if data is not None and trees.blob_oid(data) == oid else None


# Looking for a name among 10,000 takes 0.05 ms, taking them all apart 6 ms: from here on it pays.
_OFTEN = 100


class GitTree:
    """The tree of a revision (empty for None), read folder by folder and file by file."""

    def __init__(self, reader: Reader, rev: str | None) -> None:
        self._reader = reader
        self.rev = rev
        self._all: Mapping[str, Entry] | None = None if rev else {}
        self._listing: list[str] | None = None
        self._raw: dict[str, bytes] = {}
        self._listed: dict[str, Entry | None] = {}
        self._rows: dict[str, dict[bytes, Raw]] = {}
        self._asked: dict[str, int] = {}
        self._names: dict[str, frozenset[str]] = {}
        self.known: Mapping[str, Entry | None] = {}
        self._files: dict[str, bytes] = {}

    def entries(self) -> Mapping[str, Entry]:
        if self._all is None:
            self._all = self._reader.list_files(str(self.rev))
        return self._all

    def _tree(self, folder: str) -> bytes:
        """The tree object of a folder; empty where it is none. Raises Failed for a lost one."""
        if folder not in self._raw:
            self._raw[folder] = self._fetch_tree(folder)
        return self._raw[folder]

    def _fetch_tree(self, folder: str) -> bytes:
        spec = f"{self.rev}^{{tree}}"
        if folder:
            entry = self._find_listed(folder)
            if entry is None or not _is_folder(entry):
                return b""
            spec = entry.oid
        found = self._reader.ask([spec])[0]
        if found is None:
            where = folder or "the tree"
            raise errors.Failed(f"cannot read {where} of {self.rev}", "`git fsck` says more")
        return found[2]

    def _find_listed(self, path: str) -> Entry | None:
        """What stands under a path, kept: each rule asks for the same few."""
        if path not in self._listed:
            self._listed[path] = self._look_up(path)
        return self._listed[path]

    def _look_up(self, path: str) -> Entry | None:
        folder, _, last = path.rpartition("/")
        if tree_objects.is_deep(folder):
            return None
        name = last.encode("utf-8", "surrogateescape")
        self._asked[folder] = self._asked.get(folder, 0) + 1
        if self._asked[folder] < _OFTEN:
            return tree_objects.find_entry(self._tree(folder), name)
        if folder not in self._rows:
            self._rows[folder] = {
                name: raw for _, name, raw in tree_objects.rows_in(self._tree(folder))
            }
        raw = self._rows[folder].get(name)
        return tree_objects.raw_entry(raw) if raw else None

    def folder(self, folder: str) -> bytes:
        """The tree object of a folder; empty where it is none. Raises Failed for a lost one."""
        return self._tree(folder) if self.rev else b""

    def listed(self, path: str) -> Entry | None:
        """What a folder has under a name, folders and submodules too; None for nothing."""
        return self._find_listed(path) if self.rev else None

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        if self._all is not None:
            if self._listing is None:
                self._listing = sorted(self._all)
            return trees.child_names(self._listing, folder)
        if folder not in self._names:
            if like and like.isascii() and not tree_objects.may_resemble(self._tree(folder), like):
                return frozenset()
            self._names[folder] = tree_objects.names_in(self._tree(folder))
        return self._names[folder]

    def entry(self, path: str) -> Entry | None:
        if self._all is not None:
            return self._all.get(path)
        if path in self.known:
            return self.known[path]
        entry = self._find_listed(path)
        return None if _is_folder(entry) else entry

    def read(self, path: str) -> bytes | None:
        if path in self._files:
            return self._files[path]
        entry = self.entry(path)
        if entry is None or entry.mode == trees.SUBMODULE:
            return None
        data = _read_large(self._reader.root, path, entry.oid)
        if data is None:
            data = require_blob(self._reader.blobs([entry.oid]), entry.oid, path)
        self._files[path] = data
        return data

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        wanted = {path: self.entry(path) for path in paths if path not in self._files}
        oids = {
            path: one.oid for path, one in wanted.items() if one and one.mode != trees.SUBMODULE
        }
        kept = {path: self._files[path] for path in paths if path in self._files}
        if len(oids) >= _BULK:
            kept |= _read_unchanged(self._reader.root, oids)
        rest = {path: oid for path, oid in oids.items() if path not in kept}
        blobs = self._reader.blobs(list(dict.fromkeys(rest.values())))
        return kept | {path: require_blob(blobs, oid, path) for path, oid in rest.items()}

    def prefetch(self, paths: Mapping[str, str]) -> int:
        """Read many files, path to blob id, at once for later `read`s; gives how many bytes."""
        blobs = self._reader.blobs(list(paths.values()))
        self._files.update({path: blobs[oid] for path, oid in paths.items() if oid in blobs})
        return sum(map(len, blobs.values()))

    def forget_files(self, paths: Iterable[str]) -> None:
        """Read some files anew when they are asked for again."""
        for path in paths:
            self._files.pop(path, None)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if not isinstance(base, GitTree):
            return None
        if self.rev == base.rev:
            return ()
        if self.rev is None or base.rev is None:
            return trees.compare(base.entries(), self.entries())
        return tuple(sorted(self._find_changes(base), key=lambda change: change.path))

    def list_unsound(self, base: GitTree) -> Iterator[str]:
        """The paths that git never writes so, in the folders that differ from those of `base`: to
        be asked when the changes are known.
        """
        for folder, data in self._raw.items():
            for name in tree_objects.find_unsound(base._raw.get(folder, b""), data):
                text = name.decode("utf-8", "surrogateescape")
                yield f"{folder}/{text}" if folder else text

    def _find_changes(self, base: GitTree) -> Iterator[FileChange]:
        """The changes from `base`: only folders whose ids differ are read."""
        pending = [("", base._tree(""), self._tree(""))]
        while pending:
            folder, *sides = pending.pop()
            for name, pair in tree_objects.find_differences(*sides).items():
                text = name.decode("utf-8", "surrogateescape")
                path = f"{folder}/{text}" if folder else text
                old, new = (raw and tree_objects.raw_entry(raw) for raw in pair)
                below = base._read_folder(path, old), self._read_folder(path, new)
                if any(below):
                    pending.append((path, *below))
                files = [None if _is_folder(entry) else entry for entry in (old, new)]
                if files[0] != files[1]:
                    yield trees.make_change(path, *files)

    def _read_folder(self, path: str, entry: Entry | None) -> bytes:
        """The tree object of an entry, kept; empty where it is no folder."""
        if entry is None or not _is_folder(entry):
            return b""
        if not self._raw.get(path):
            found = self._reader.ask([entry.oid])[0]
            if found is None or found[1] != "tree":
                raise errors.Failed(f"cannot read {path} of {self.rev}", "`git fsck` says more")
            self._raw[path] = found[2]
        return self._raw[path]


def _is_folder(entry: Entry | None) -> bool:
    return entry is not None and entry.mode == tree_objects.FOLDER


def _parse_listing(out: bytes) -> dict[str, Entry]:
    """Path to entry from `git ls-tree -r -z`."""
    found: dict[str, Entry] = {}
    for record in out.split(b"\0"):
        if record:
            meta, _, path = record.partition(b"\t")
            mode, _, oid = meta.split(b" ")
            found[path.decode("utf-8", "surrogateescape")] = Entry(oid.decode(), int(mode, 8))
    return found


def parse_raw_diff(out: bytes) -> tuple[FileChange, ...]:
    """The changes in the output of `git diff-… --raw -z --no-renames --no-abbrev`."""
    words = out.decode("utf-8", "surrogateescape").split("\0")
    found = []
    for meta, path in zip(words[::2], words[1::2], strict=False):
        old_mode, new_mode, old, new, _ = meta.lstrip(":").split(" ")
        before = Entry(old, int(old_mode, 8)) if int(old_mode, 8) else None
        after = Entry(new, int(new_mode, 8)) if int(new_mode, 8) else None
        found.append(trees.make_change(path, before, after))
    return tuple(found)
