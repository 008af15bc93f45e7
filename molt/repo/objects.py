"""Trees and blobs of git, answered by one `git cat-file --batch` for each repository."""

from __future__ import annotations

from molt import errors, trees
from molt.repo import process
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from molt.trees import FileChange, Tree

FOLDER = 0o40000
NO_IGNORE = "--ignore-submodules=none"
"""For every comparison: a tracked `.gitmodules` could leave a submodule out of it otherwise."""
_HEX = frozenset(b"0123456789abcdef")
_MODES = frozenset({b"100644 ", b"100755 ", b"120000 ", b"160000 "})

# What letters beyond ASCII are folded to: the Kelvin sign to k, sharp and long s, the ligatures
# of f and s, and two marks that have an ASCII twin (Unicode's CaseFolding.txt, UnicodeData.txt).
_FOLDED = "ksf;`"


class Reader:
    """The objects of one repository; the process behind it starts with the first question."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._batch: process.BatchProcess | None = None

    def ask(self, specs: Sequence[str]) -> list[tuple[str, str, bytes] | None]:
        """Id, type and content of each object named as git names them; None for none.

        Raises Failed where git stops answering, as on a damaged object.
        """
        if self._batch is None or self._batch.closed:
            self._batch = process.BatchProcess(
                (*process.GIT, "cat-file", "--batch", "-z"), self.root
            )
        found: list[tuple[str, str, bytes] | None] = []
        # The questions of one round fit into a pipe, so that neither side waits for the other.
        for start in range(0, len(specs), 64):
            some = [spec.encode("utf-8", "surrogateescape") for spec in specs[start : start + 64]]
            self._batch.write(b"".join(spec + b"\0" for spec in some))
            found += [self._read_answer(self._batch, spec) for spec in some]
        return found

    def _read_answer(
        self, batch: process.BatchProcess, spec: bytes
    ) -> tuple[str, str, bytes] | None:
        head = batch.line()
        words = head.split(b" ")
        if len(words) == 3 and len(words[0]) == 40 and _HEX.issuperset(words[0]):
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
        answers = zip(oids, self.ask(oids), strict=True)
        return {oid: found[2] for oid, found in answers if found and found[1] == "blob"}


def require_blob(found: Mapping[str, bytes], oid: str, path: str) -> bytes:
    """The bytes of a blob that must be there. Raises Failed: a lost one is no absent file."""
    if oid not in found:
        raise errors.Failed(f"{path}: git has lost its object {oid}", "`git fsck` says more")
    return found[oid]


def find_entry(data: bytes, name: bytes) -> Entry | None:
    """The entry of a name in a tree object.

    A folder may hold ten thousand names, so the name is searched as bytes, and entries are only
    stepped over from nearby, to see that one begins there.
    """
    wanted = b" " + name + b"\0"
    found = data.find(wanted)
    while found >= 0:
        at = find_entry_start(data, found)
        while (following := data.index(b"\0", at) + 21) <= found:
            at = following
        if data.index(b" ", at) == found:
            oid = found + len(wanted)
            return Entry(data[oid : oid + 20].hex(), int(data[at:found], 8))
        found = data.find(wanted, found + 1)
    return None


def find_entry_start(data: bytes, at: int) -> int:
    """A place at or before `at` where an entry of a tree object begins for sure.

    An entry is MODE, a space, the name, a zero byte and 20 bytes of an id. A zero byte that is
    followed by 20 bytes without a space and then by a mode ends a name: were it inside an id, the
    next entry would begin within these 20 bytes, and for a mode to stand behind them, its own
    mode and space would lie within them as well.
    """
    zero = at
    for _ in range(50):
        zero = data.rfind(b"\0", 0, zero)
        if zero < 0:
            break
        start = zero + 21
        if start > at or b" " in data[zero:start]:
            continue
        if data[start : start + 7] in _MODES or data[start : start + 6] == b"40000 ":
            return start
    return 0


def diff_folders(old: bytes, new: bytes) -> dict[str, Entry | None]:
    """What a tree object has otherwise than another one, by name; None for what it has not.

    Two versions of a folder of ten thousand names are alike but for a few: what is the same in
    both is stepped over as bytes.
    """
    gone: dict[str, Entry | None] = {}
    fresh: dict[str, Entry | None] = {}
    at = to = 0
    while at < len(old) and to < len(new):
        same = _skip_shared(old, at, new, to)
        at, to = at + same, to + same
        if at == len(old) or to == len(new):
            break
        before, after = old.index(b"\0", at) + 21, new.index(b"\0", to) + 21
        one, other = _sort_key(old[at : before - 21]), _sort_key(new[to : after - 21])
        if one <= other:
            gone.update([_take_entry(old, at, before)])
            at = before
        if other <= one:
            fresh.update([_take_entry(new, to, after)])
            to = after
    gone.update(_take_rest(old, at))
    fresh.update(_take_rest(new, to))
    changed = {**dict.fromkeys(gone), **fresh}
    return {name: one for name, one in changed.items() if one is None or gone.get(name) != one}


# Bytes that are compared at once.
_BLOCK = 4096


def _skip_shared(old: bytes, at: int, new: bytes, to: int) -> int:
    """How many bytes of whole entries follow in both."""
    size = 0
    while (part := old[at + size : at + size + _BLOCK]) == new[to + size : to + size + _BLOCK]:
        size += len(part)
        if len(part) < _BLOCK:
            return size
    step = max(0, find_entry_start(old, at + size) - at)
    while True:
        end = old.find(b"\0", at + step) + 21
        if end < 21 or old[at + step : end] != new[to + step : to + end - at]:
            return step
        step = end - at


def _sort_key(head: bytes) -> bytes:
    """What git sorts an entry by, from its mode and name: a folder as if a slash followed."""
    mode, _, name = head.partition(b" ")
    return name + b"/" * (mode == b"40000")


def _take_entry(data: bytes, at: int, end: int) -> tuple[str, Entry]:
    mode, _, name = data[at : end - 21].partition(b" ")
    entry = Entry(data[end - 20 : end].hex(), int(mode, 8))
    return name.decode("utf-8", "surrogateescape"), entry


def _take_rest(data: bytes, at: int) -> Iterator[tuple[str, Entry]]:
    """All entries from a place on."""
    while at < len(data):
        end = data.index(b"\0", at) + 21
        yield _take_entry(data, at, end)
        at = end


def render_folder(entries: Mapping[str, Entry]) -> bytes:
    """The tree object of a folder that holds files alone, by their names."""
    names = {name.encode("utf-8", "surrogateescape"): one for name, one in entries.items()}
    return b"".join(
        b"%o %s\0%s" % (names[name].mode, name, bytes.fromhex(names[name].oid))
        for name in sorted(names)
    )


def _entry_heads(data: bytes) -> list[bytes]:
    """The entries of a tree object without their ids: MODE, a space, the name."""
    found: list[bytes] = []
    at, behind = 0, len(data)
    index, add = data.index, found.append
    while at < behind:
        end = index(b"\0", at)
        add(data[at:end])
        at = end + 21
    return found


def names_in(data: bytes) -> frozenset[str]:
    """The names in a tree object."""
    # A mode has five digits for a folder, 40000, and six for everything else.
    found = [head[6 if head[0] == 52 else 7 :] for head in _entry_heads(data)]
    if not found:
        return frozenset()
    return frozenset(b"\0".join(found).decode("utf-8", "surrogateescape").split("\0"))


def may_resemble(data: bytes, name: str) -> bool:
    """Whether a tree object may hold a name that differs from an ASCII one in case or form."""
    name = name.lower()
    wanted = b" %s\0" % name.encode()
    if not any(char in name for char in _FOLDED):
        # What a match in an id costs is a look at all names.
        return wanted in data.lower()
    heads = b"\0".join(_entry_heads(data)) + b"\0"
    return not heads.isascii() or wanted in heads.lower()


Raw = tuple[bytes, bytes]
"""Mode and id of an entry as a tree object holds them."""


def rows_in(data: bytes, at: int = 0) -> Iterator[tuple[int, bytes, Raw]]:
    """Where each entry of a tree object ends, its name, and what it holds."""
    behind = len(data)
    while at < behind:
        zero = data.index(b"\0", at)
        mode, _, name = data[at:zero].partition(b" ")
        at = zero + 21
        yield at, name, (mode, data[zero + 1 : at])


def raw_entry(raw: Raw) -> Entry:
    """An entry; of the modes that git gives to a file, old ones too, one of the two of today."""
    mode = _MODES_OF_TODAY.get(raw[0]) or int(raw[0], 8)
    if mode & 0o170000 == 0o100000:
        mode = trees.EXECUTABLE if mode & 0o100 else trees.REGULAR
    return Entry(raw[1].hex(), mode)


_MODES_OF_TODAY = {b"100644": trees.REGULAR, b"40000": FOLDER}


def differing(old: bytes, new: bytes) -> dict[bytes, tuple[Raw | None, Raw | None]]:
    """The names under which two tree objects do not hold the same, with what each holds.

    A folder may hold ten thousand names of which one differs: what is the same at both ends is
    not taken apart.
    """
    start = find_entry_start(old, _shared_start(old, new))
    tail = _shared_end(old, new, min(len(old), len(new)) - start)
    before, after = _Middle(old, start, tail), _Middle(new, start, tail)
    while before.left != after.left:
        (before if before.left > after.left else after).step()
    names = {**before.found, **after.found}
    pairs = ((name, (before.found.get(name), after.found.get(name))) for name in names)
    return {name: pair for name, pair in pairs if pair[0] != pair[1]}


class _Middle:
    """The entries of a tree object from a place on, up to where its tail begins."""

    def __init__(self, data: bytes, start: int, tail: int) -> None:
        self._rows = rows_in(data, start)
        self._size = len(data)
        self.left = self._size - start
        self.found: dict[bytes, Raw] = {}
        while self.left > tail:
            self.step()

    def step(self) -> None:
        """Take one entry more."""
        end, name, raw = next(self._rows)
        self.left = self._size - end
        self.found[name] = raw


def _shared_start(one: bytes, other: bytes) -> int:
    """How many bytes two begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _shared_end(one: bytes, other: bytes, most: int) -> int:
    """How many bytes two end with in common, `most` at most."""
    low, high = 0, most
    first, second = len(one), len(other)
    while low < high:
        middle = (low + high + 1) // 2
        same = one[first - middle : first - low] == other[second - middle : second - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return low


# Looking for a name among 10,000 takes 0.05 ms, taking them all apart 6 ms: from here on it pays.
_OFTEN = 100


class GitTree:
    """The tree of a revision (empty for None), read folder by folder and file by file."""

    def __init__(self, reader: Reader, rev: str | None) -> None:
        self._reader = reader
        self.rev = rev
        self._all: dict[str, Entry] | None = None if rev else {}
        self._listing: list[str] | None = None
        self._raw: dict[str, bytes] = {}
        self._rows: dict[str, dict[bytes, Raw]] = {}
        self._asked: dict[str, int] = {}
        self._names: dict[str, frozenset[str]] = {}
        self.known: Mapping[str, Entry | None] = {}
        self._files: dict[str, bytes] = {}

    def entries(self) -> Mapping[str, Entry]:
        if self._all is None:
            args = ("ls-tree", "-r", "-z", "--full-tree", str(self.rev))
            self._all = _parse_listing(process.run_git(self._reader.root, *args))
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
            if entry is None or entry.mode != FOLDER:
                return b""
            spec = entry.oid
        found = self._reader.ask([spec])[0]
        if found is None:
            where = folder or "the tree"
            raise errors.Failed(f"cannot read {where} of {self.rev}", "`git fsck` says more")
        return found[2]

    def _find_listed(self, path: str) -> Entry | None:
        folder, _, last = path.rpartition("/")
        name = last.encode("utf-8", "surrogateescape")
        self._asked[folder] = self._asked.get(folder, 0) + 1
        if self._asked[folder] < _OFTEN:
            return find_entry(self._tree(folder), name)
        if folder not in self._rows:
            self._rows[folder] = {name: raw for _, name, raw in rows_in(self._tree(folder))}
        raw = self._rows[folder].get(name)
        return raw_entry(raw) if raw else None

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
            if like and like.isascii() and not may_resemble(self._tree(folder), like):
                return frozenset()
            self._names[folder] = names_in(self._tree(folder))
        return self._names[folder]

    def entry(self, path: str) -> Entry | None:
        if self._all is not None:
            return self._all.get(path)
        if path in self.known:
            return self.known[path]
        entry = self._find_listed(path)
        return None if entry is None or entry.mode == FOLDER else entry

    def read(self, path: str) -> bytes | None:
        if path in self._files:
            return self._files[path]
        entry = self.entry(path)
        if entry is None or entry.mode == trees.SUBMODULE:
            return None
        self._files[path] = require_blob(self._reader.blobs([entry.oid]), entry.oid, path)
        return self._files[path]

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        wanted = {path: self.entry(path) for path in paths if path not in self._files}
        oids = {
            path: one.oid for path, one in wanted.items() if one and one.mode != trees.SUBMODULE
        }
        blobs = self._reader.blobs(list(dict.fromkeys(oids.values())))
        kept = {path: self._files[path] for path in paths if path in self._files}
        return kept | {path: require_blob(blobs, oid, path) for path, oid in oids.items()}

    def prefetch(self, paths: Mapping[str, str]) -> None:
        """Read many files, path to blob id, at once for later `read`s."""
        blobs = self._reader.blobs(list(paths.values()))
        self._files.update({path: blobs[oid] for path, oid in paths.items() if oid in blobs})

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if not isinstance(base, GitTree):
            return None
        if self.rev is None or base.rev is None:
            return trees.compare(base.entries(), self.entries())
        args = ("diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", NO_IGNORE)
        return parse_raw_diff(process.run_git(self._reader.root, *args, base.rev, self.rev))


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
