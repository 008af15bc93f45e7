"""Trees of git objects, read by one `git cat-file --batch` per question."""

from __future__ import annotations

from molt import errors, trees
from molt.repo import process
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.trees import FileChange, Tree


def listing(out: bytes) -> dict[str, Entry]:
    """Path to entry from `git ls-tree -r -z`."""
    found: dict[str, Entry] = {}
    for record in out.split(b"\0"):
        if record:
            meta, _, path = record.partition(b"\t")
            mode, _, oid = meta.split(b" ")
            found[path.decode("utf-8", "surrogateescape")] = Entry(oid.decode(), int(mode, 8))
    return found


def blobs(root: str, oids: Sequence[str]) -> dict[str, bytes]:
    """The bytes of blobs by id; those that are missing or no blobs are left out."""
    if not oids:
        return {}
    data = "".join(f"{oid}\n" for oid in oids).encode()
    out = process.run((*process.GIT, "cat-file", "--batch"), input=data, cwd=root)
    found: dict[str, bytes] = {}
    at = 0
    for oid in oids:
        end = out.index(b"\n", at)
        words = out[at:end].split(b" ")
        at = end + 1
        if len(words) == 3 and words[2].isdigit():
            size = int(words[2])
            if words[1] == b"blob":
                found[oid] = out[at : at + size]
            at += size + 1
    return found


def present(found: Mapping[str, bytes], oid: str, path: str) -> bytes:
    """The bytes of a blob that must be there. Raises Failed: a lost one is no absent file."""
    if oid not in found:
        raise errors.Failed(f"{path}: git has lost its object {oid}", "`git fsck` says more")
    return found[oid]


class GitTree:
    """The tree of a revision (empty for None), listed folder by folder, read on demand."""

    def __init__(self, root: str, rev: str | None) -> None:
        self.root = root
        self.rev = rev
        self._all: dict[str, Entry] | None = None if rev else {}
        self._folders: dict[str, dict[str, Entry]] = {}
        self._blobs: dict[str, bytes] = {}

    def entries(self) -> Mapping[str, Entry]:
        if self._all is None:
            out = process.git(self.root, "ls-tree", "-r", "-z", "--full-tree", str(self.rev))
            self._all = listing(out)
        return self._all

    def _folder(self, folder: str) -> dict[str, Entry]:
        if self._all is not None:
            prefix = f"{folder}/" if folder else ""
            names = trees.children(self._all, folder)
            return {name: self._all.get(prefix + name, Entry("", 0o40000)) for name in names}
        if folder not in self._folders:
            spec = f"{self.rev}:{folder}"
            status, out, _ = process.call((*process.GIT, "ls-tree", "-z", spec), cwd=self.root)
            if status:
                self._absent(folder)
            self._folders[folder] = {} if status else listing(out)
        return self._folders[folder]

    def _absent(self, folder: str) -> None:
        """Raises Failed unless the folder is truly not there: no damage may read as empty."""
        spec = (str(self.rev), "--", folder) if folder else (str(self.rev),)
        found = process.git(self.root, "ls-tree", "-z", "--full-tree", *spec)
        if not folder or found.startswith(b"040000"):
            raise errors.Failed(f"cannot read {folder or 'the tree'} of {self.rev}", "`git fsck`")

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._folder(folder))

    def entry(self, path: str) -> Entry | None:
        if self._all is not None:
            return self._all.get(path)
        folder, _, name = path.rpartition("/")
        entry = self._folder(folder).get(name)
        return None if entry is None or entry.mode == 0o40000 else entry

    def read(self, path: str) -> bytes | None:
        entry = self.entry(path)
        if entry is None or entry.mode == trees.SUBMODULE:
            return None
        if entry.oid not in self._blobs:
            self._blobs.update(blobs(self.root, [entry.oid]))
        return present(self._blobs, entry.oid, path)

    def prefetch(self, oids: Sequence[str]) -> None:
        """Read many blobs with one process, for later `read`s."""
        self._blobs.update(blobs(self.root, [oid for oid in oids if oid not in self._blobs]))

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if not isinstance(base, GitTree):
            return None
        if self.rev is None or base.rev is None:
            return trees.compare(base.entries(), self.entries())
        args = ("diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev")
        return raw(process.git(self.root, *args, base.rev, self.rev))


def raw(out: bytes) -> tuple[FileChange, ...]:
    """The changes in the output of `git diff-… --raw -z --no-renames --no-abbrev`."""
    words = out.decode("utf-8", "surrogateescape").split("\0")
    found = []
    for meta, path in zip(words[::2], words[1::2], strict=False):
        old_mode, new_mode, old, new, _ = meta.lstrip(":").split(" ")
        before = Entry(old, int(old_mode, 8)) if int(old_mode, 8) else None
        after = Entry(new, int(new_mode, 8)) if int(new_mode, 8) else None
        found.append(trees.change(path, before, after))
    return tuple(found)
