"""What a text gains by a change: the added lines, and the characters that do not show."""

from __future__ import annotations

from molt.formats import facts, sections
from molt.policy import parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from molt.formats.meta.tombstones import Graveyard, Tombstone
    from molt.trees import Tree

MARKERS = (b"<<<<<<< ", b"||||||| ", b">>>>>>> ")
"""How lines begin that git leaves in a file with conflicts."""
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows, and so show another text than is stored."""
SEPARATORS = frozenset("\u2028\u2029")
"""What some programs take for the end of a line, and git and molt do not."""
CONTROLS = frozenset(
    chr(code) for code in (*range(9), 0x0B, *range(0x0D, 0x20), *range(0x7F, 0xA0))
)
_NOT_UTF8 = frozenset(chr(code) for code in range(0xDC80, 0xDD00))
_SORTS = (BIDI, _NOT_UTF8, CONTROLS, SEPARATORS)
_ANY = frozenset().union(*_SORTS)
_PLAIN = bytes((*range(9), 0x0B, *range(0x0D, 0x20), 0x7F))
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""How a text in UTF-16 begins."""
_BEGINNING = 8000
"""How many bytes git looks at before it calls a file binary."""
_WIDE_HALF, _ALL_BUT_TEXT = 0.25, 0.8
"""Shares of zeros in a beginning: at even or odd places at least, and in all of it at most, where
it is a text of two or four bytes a letter.
"""
_KEPT = 1 << 22
"""Bytes of files whose lines are kept: lines take some times as much."""
_SHORT = 1000
"""Bytes that are told apart in no time; the lines are asked for again."""
_LARGE = 100_000
"""Bytes of a file from which on its changed parts are looked for: all its lines take longer."""


def is_plain(data: bytes) -> bool:
    """Whether a text surely holds nothing odd (see `list_odd`): it is ASCII without controls, or
    all that it shows is printed.
    """
    if data.isascii():
        return data.translate(None, _PLAIN) == data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _find_odd(line: str) -> Iterator[tuple[str, str]]:
    """The first odd character of each sort in a line, for a byte that is no UTF-8 the empty text,
    each with the line without its end: a harmless one hides no worse one behind it.
    """
    # All that is odd is not printable.
    line = line if line.isprintable() else line.removesuffix("\r")
    odd = frozenset() if line.isprintable() else _ANY.intersection(line)
    for sort in _SORTS if odd else ():
        if some := odd & sort:
            yield "" if sort is _NOT_UTF8 else min(some, key=line.find), line


def take_out_odd(text: str) -> tuple[str, int]:
    """A text without the odd characters that its lines may not hold, and how many these were;
    surrogates, which are parts of a character, are odd as well.
    """
    if text.isprintable():
        return text, 0
    # A carriage return is the end of a line, or of one as older programs wrote it.
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = [char for char in plain if char not in _ANY and not "\ud800" <= char <= "\udfff"]
    return "".join(kept), len(plain) - len(kept)


def strip_odd(text: str) -> tuple[str, int]:
    """The same with the lines ended as they are."""
    parts = [take_out_odd(part) for part in text.split("\r\n")]
    return "\r\n".join(part for part, _ in parts), sum(odd for _, odd in parts)


def find_appended(before: bytes, after: bytes) -> int:
    """Where what was appended to whole lines begins; 0 where anything else was done, too."""
    return len(before) if before.endswith(b"\n") and after.startswith(before) else 0


def is_binary(data: bytes) -> bool:
    """Whether git would call it a binary file, by the same look at its beginning."""
    return b"\0" in data[:_BEGINNING]


def narrow(data: bytes) -> bytes:
    """A text in UTF-16 or UTF-32 without the zeros that its letters of ASCII have; anything else as
    it is.
    """
    if b"\0" not in data[:_BEGINNING]:
        return data
    head = data[: _BEGINNING // 2 * 2]
    halves = [head[at::2].count(0) / len(head) for at in (0, 1)]
    # Half of the bytes of UTF-16, three quarters of those of UTF-32; of one text in two scripts
    # fewer. What is mostly zeros is no text.
    wide = max(halves) > _WIDE_HALF and sum(halves) < _ALL_BUT_TEXT
    return data.replace(b"\0", b"") if wide or data.startswith(WIDE) else data


def _find_window(before: bytes, after: bytes) -> tuple[int, int]:
    """Where the differing middle of `after` starts, and how long its equal tail is, at line ends.

    By halving, for it is asked of every changed file.
    """
    if after.startswith(before) and before[-1:] in (b"", b"\n"):
        return len(before), 0
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    start = after.rfind(b"\n", 0, low) + 1
    tail, high = 0, min(len(before), len(after)) - start
    while tail < high:
        middle = (tail + high + 1) // 2
        ends = (len(before) - middle, len(after) - middle)
        if before[ends[0] : len(before) - tail] == after[ends[1] : len(after) - tail]:
            tail = middle
        else:
            high = middle - 1
    return start, tail


def list_added(before: bytes, after: bytes, odd: str = "replace") -> Iterator[tuple[int, str]]:
    """The lines that were not there before, with their numbers from 1; `odd` says how bytes are
    read that are no UTF-8.
    """
    if len(after) > _LARGE and before and not find_appended(before, after):
        for number, raw in parted.list_fresh(before, after):
            yield number, raw.decode("utf-8", odd)
        return
    start, tail = _find_window(before, after)
    end = after.find(b"\n", len(after) - tail)
    old_end = before.find(b"\n", len(before) - tail)
    old = before[start : old_end if old_end >= 0 else None].decode("utf-8", odd)
    known = frozenset(old.split("\n"))
    rows = after[start : end if end >= 0 else None].decode("utf-8", odd).split("\n")
    for number, line in enumerate(rows, _count_lines(before, after, start) + 1):
        if line and line not in known:
            yield number, line


def _count_lines(before: bytes, after: bytes, start: int) -> int:
    """How many lines end before a place. The log of a day is the end of one commit and the start
    of the next, so where something is appended its lines are counted once.
    """
    if start != len(before):
        return after.count(b"\n", 0, start)
    known, count = _counted[0]
    if before is not known:
        count = after.count(b"\n", 0, start)
    _counted[0] = after, count + after.count(b"\n", start)
    return count


# The last text whose lines were counted.
_counted = [(b"", 0)]


class AddedLines:
    """The lines that files have in one tree and not in another; of many files, those that were
    read last are kept.
    """

    def __init__(self, base: Tree, new: Tree) -> None:
        self._base, self._new = base, new
        self._known: dict[str, tuple[tuple[int, str], ...]] = {}
        self._parts: dict[str, bytes] = {}
        self._kept = 0

    def read(self, path: str) -> tuple[tuple[int, str], ...]:
        """The lines of a file, with their numbers."""
        found = self._known.get(path)
        if found is None:
            before, after = self._base.read(path) or b"", self._new.read(path) or b""
            self._make_room(len(after))
            found = tuple(list_added(before, after))
            if (wide := narrow(after)) is not after:
                # As PowerShell writes it; what only looks so is read as it is, too.
                found += tuple(list_added(narrow(before), wide))
            self._known[path] = found
        return found

    def read_around(self, path: str, near: int) -> list[tuple[int, str]]:
        """What `read` gives, with so many lines before and behind each of these; where lines only
        changed their places, all.
        """
        found, after = self.read(path), self._new.read(path) or b""
        before = self._base.read(path)
        if len(after) > _LARGE or before is None:
            return list(found)
        rows = after.decode("utf-8", "replace").split("\n")
        if not found:
            olds = iter(before.decode("utf-8", "replace").split("\n"))
            return [] if all(row in olds for row in rows) else list(enumerate(rows, 1))
        wanted = {at for line, _ in found for at in range(line - near, line + near + 1)}
        return [(line, row) for line, row in enumerate(rows, 1) if line in wanted]

    def read_part(self, path: str) -> bytes:
        """Lines of a file among which are all that were not there before: what was appended, the
        parts of a large one that changed, or all of it. To find them takes less than `read`.
        """
        if path in self._parts:
            return self._parts[path]
        before, after = self._base.read(path) or b"", self._new.read(path) or b""
        at = find_appended(before, after)
        if at or len(after) <= _LARGE:
            return after[at:]
        part = self._parts[path] = parted.cut_changed(before, after)
        self._make_room(len(part))
        return part

    def _make_room(self, size: int) -> None:
        """Forget what was read, where so many bytes more would be too much."""
        if self._kept > _KEPT:
            self._known.clear()
            self._parts.clear()
            self._kept = 0
        self._kept += size

    def read_some(self, path: str) -> list[str]:
        """Some lines of a file, among which are all that `read` gives; of a large one sooner."""
        part, after = self.read_part(path), self._new.read(path) or b""
        if len(part) > _SHORT and len(part) < len(after) and narrow(after) is after:
            return part.decode("utf-8", "replace").split("\n")
        return [line for _, line in self.read(path)]

    def list_odd(self, path: str) -> Iterator[tuple[int, str, str]]:
        """The first odd character of each sort in each added line, with its number and the line: a
        mark of direction, for a byte that is no UTF-8 the empty text, a control, a separator.
        """
        if is_plain(self.read_part(path)):
            return
        before, after = self._base.read(path) or b"", self._new.read(path) or b""
        for number, line in list_added(before, after, "surrogateescape"):
            for char, shown in _find_odd(line):
                yield number, char, shown


def find_markers(data: bytes, known: Container[str]) -> Iterator[int]:
    """The numbers of the lines that git has left in a file with conflicts, but for those that are
    known, and those that stand in a block of code.
    """
    rows = data.decode("utf-8", "replace").split("\n")
    starts = tuple(marker.decode() for marker in MARKERS)
    for number, (row, quoted) in enumerate(zip(rows, sections.find_fences(rows), strict=True), 1):
        if row.startswith(starts) and not quoted and row not in known:
            yield number


def list_said(known: Graveyard, rows: Sequence[str], *, most: int | None) -> list[Tombstone]:
    """The tombstones of what some lines say: together, each alone, or without what stands beside
    it. Raises ValueError where they are more than `most` to look for.
    """
    bare = [(row, facts.strip_asides(row)) for row in rows]
    found = list(known.find_said("\n".join(rows), most=most))
    found += [one for _, row in bare for one in known.find_said(row, whole=True)]
    found += [one for old, row in bare if row != old for one in known.find_said(row)]
    return list(dict.fromkeys(found))
