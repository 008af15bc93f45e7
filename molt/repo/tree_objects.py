"""Tree objects of git as bytes: entries found, compared and written without taking all apart."""

from __future__ import annotations

from molt import trees
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDER = 0o40000  # the mode of a tree in a tree
_MODES = frozenset({b"100644 ", b"100755 ", b"120000 ", b"160000 "})
_WRITTEN = frozenset((b"100644", b"100755", b"120000", b"160000", b"40000", b"100664"))
"""The modes that git writes; the last one it wrote long ago."""
_MODES_OF_TODAY = {b"100644": trees.REGULAR, b"40000": FOLDER}

# The letters beyond ASCII that are folded to it, in UTF-8: sharp and long s, the Kelvin sign, the
# ligatures of f and s, two marks that have a twin (Unicode's CaseFolding.txt, UnicodeData.txt).
_FOLDED = {
    "\u00df": "ss",
    "\u1e9e": "ss",
    "\u017f": "s",
    "\u212a": "k",
    **dict(zip("\ufb00\ufb01\ufb02\ufb03\ufb04", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
    **dict.fromkeys("\ufb05\ufb06", "st"),
    "\u037e": ";",
    "\u1fef": "`",
}
_FIRST = frozenset(letter.encode()[0] for letter in _FOLDED)
_LAST = frozenset(letter.encode()[-1] for letter in _FOLDED)

# Bytes that are compared at once.
_BLOCK = 4096

_FEW = 16
"""Names up to which each is searched in the whole of a folder; of more all are taken apart once."""

DEEPEST = 100
"""Folders below each other; what lies deeper Windows has no path for, and nobody here reads it."""

Raw = tuple[bytes, bytes]
"""Mode and id of an entry as a tree object holds them."""


def is_deep(folder: str) -> bool:
    """Whether a folder lies deeper than any that is read."""
    return folder.count("/") >= DEEPEST


def find_entry(data: bytes, name: bytes) -> Entry | None:
    """The entry of a name in a tree object."""
    at, oid = find_place(data, name)
    if oid < 0:
        return None
    return Entry(data[oid : oid + 20].hex(), int(data[at : oid - len(name) - 2], 8))


def list_entries(data: bytes) -> dict[bytes, Entry]:
    """The entries of a tree object by name, each as `find_entry` gives it."""
    found: dict[bytes, Entry] = {}
    for _, name, (mode, oid) in rows_in(data):
        found.setdefault(name, Entry(oid.hex(), int(mode, 8)))
    return found


def find_place(data: bytes, name: bytes) -> tuple[int, int]:
    """Where the entry of a name begins in a tree object, and where its id does; -1 for none.

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
            return at, found + len(wanted)
        found = data.find(wanted, found + 1)
    return -1, -1


class Step:
    """The one entry of which a folder got another id with its last change, as `mode` and `name`,
    and where in the folder's object `new` that id is.
    """

    __slots__ = ("at", "mode", "name", "new")

    def __init__(self, name: bytes, mode: bytes, at: int, new: bytes) -> None:
        self.name, self.mode, self.at, self.new = name, mode, at, new

    def repeat(self, old: bytes, new: bytes) -> tuple[Raw, Raw] | None:
        """The entry before and after, where nothing but this id differs again."""
        at, end = self.at, self.at + 20
        if len(old) != len(new) or old[:at] != new[:at] or old[end:] != new[end:]:
            return None
        return (self.mode, old[at:end]), (self.mode, new[at:end])


def find_step(
    data: bytes, found: Mapping[bytes, tuple[Raw | None, Raw | None]], oid: bytes
) -> Step | None:
    """The step that led to the object of a folder, from the differences; None for any other."""
    if len(found) != 1:
        return None
    ((name, (old, new)),) = found.items()
    if old is None or new is None or old[0] != new[0]:
        return None
    return Step(name, new[0], find_place(data, name)[1], oid)


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
    """What a tree object has otherwise than another one, by name; None for what it has not."""
    return {
        name.decode("utf-8", "surrogateescape"): raw_entry(after) if after else None
        for name, (_, after) in find_differences(old, new).items()
    }


def find_differences(old: bytes, new: bytes) -> dict[bytes, tuple[Raw | None, Raw | None]]:
    """The names under which two tree objects do not hold the same, with what each holds.

    Two versions of a folder of ten thousand names are alike but for a few: what is the same in
    both is stepped over as bytes.
    """
    gone: dict[bytes, Raw] = {}
    fresh: dict[bytes, Raw] = {}
    at = to = 0
    while at < len(old) and to < len(new):
        same = _skip_shared(old, at, new, to)
        at, to = at + same, to + same
        if at == len(old) or to == len(new):
            break
        before, after = old.index(b"\0", at) + 21, new.index(b"\0", to) + 21
        one, other = _sort_key(old[at : before - 21]), _sort_key(new[to : after - 21])
        if one <= other:
            gone.update([_take_row(old, at, before)])
            at = before
        if other <= one:
            fresh.update([_take_row(new, to, after)])
            to = after
    gone.update((name, raw) for _, name, raw in rows_in(old, at))
    fresh.update((name, raw) for _, name, raw in rows_in(new, to))
    pairs = ((name, (gone.get(name), fresh.get(name))) for name in {**gone, **fresh})
    return {name: pair for name, pair in pairs if pair[0] != pair[1]}


def find_unsound(old: bytes, new: bytes) -> Iterator[bytes]:
    """The names that a tree object has, where it differs from another, as git never writes them:
    twice, out of order, with a slash, or with another mode. Of such, programs see different files.
    """
    rows = list(_list_differing(old, new))
    both, last = _find_both(new, rows), b""
    for name, mode in rows:
        key = _sort_key(b"%s %s" % (mode, name))
        if key <= last or b"/" in name or mode not in _WRITTEN or name in both:
            yield name
        last = key


def _list_differing(old: bytes, new: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and mode of the entries of a tree object from where it differs from another to where it
    no longer does, and of the one beyond either end, for what follows has to be in order, too.
    """
    first, tail = _skip_shared(old, 0, new, 0), _count_shared_end(old, new)
    at = first
    start = find_entry_start(new, first - 1) if first else 0
    for end, name, (mode, _) in rows_in(new, start):
        yield name, mode
        if end > first and len(new) - at <= tail:
            break
        at = end


def _count_shared_end(old: bytes, new: bytes) -> int:
    """How many bytes two end with in common, by halving."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        same = old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def _find_both(data: bytes, rows: Sequence[tuple[bytes, bytes]]) -> set[bytes]:
    """The names among some entries that a tree object has for a folder and for something else."""
    if len(rows) <= _FEW:
        return {name for name, mode in rows if _is_both(data, name, mode)}
    found: tuple[set[bytes], set[bytes]] = set(), set()
    for _, name, (mode, _) in rows_in(data):
        found[mode == b"40000"].add(name)
    return found[0] & found[1]


def _is_both(data: bytes, name: bytes, mode: bytes) -> bool:
    if mode != b"40000":
        return b"40000 %s\0" % name in data
    found = find_entry(data, name)
    return found is not None and found.mode != FOLDER


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


def _take_row(data: bytes, at: int, end: int) -> tuple[bytes, Raw]:
    mode, _, name = data[at : end - 21].partition(b" ")
    return name, (mode, data[end - 20 : end])


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
    lower = data.lower()
    # What a match in an id costs is a look at all names.
    if b" %s\0" % name.encode() in lower:
        return True
    beside = frozenset(name.encode())
    before, behind = beside | _LAST | {ord(" ")}, beside | _FIRST | {0}
    for letter, plain in _FOLDED.items():
        if plain in name and _stands_among(letter.encode(), lower, before, behind):
            return True
    return False


def _stands_among(part: bytes, data: bytes, before: frozenset[int], behind: frozenset[int]) -> bool:
    """Whether a part stands somewhere in a tree object between two bytes of some."""
    at, size = data.find(part), len(part)
    while at >= 0:
        # Behind a name there is an id.
        if data[at - 1] in before and at + size < len(data) and data[at + size] in behind:
            return True
        at = data.find(part, at + 1)
    return False


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
