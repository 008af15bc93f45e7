"""The lines of a large text that stand in one before it elsewhere or nowhere.

What is the same in both is compared in large pieces and not taken apart, so a few changes in many
places of a megabyte cost no more than a look at it.
"""

from __future__ import annotations

from molt.formats import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Bytes by which two places are taken for the same again: some lines. Whichever places that are,
# the lines between are the same.
_SAME = 200
# Lines after a difference that are tried, and differences that are looked for one by one: a text
# with more is another one.
_REACH, _MANY = 32, 200
# Distinct lines that are looked for in the text before; for more it is taken apart, which takes
# as long as to look for some twenty of them.
_FEW = 24


def cut_changed(old: bytes, new: bytes) -> bytes:
    """The parts of a text that are not as they were, whole lines: all that are not in the text
    before are among them.
    """
    before, after = _end_line(old), _end_line(new)
    return b"".join(after[start:end] for start, end in _list_windows(before, after))


def list_fresh(old: bytes, new: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a text that are not in the one before, with their numbers from 1; none that is
    empty.
    """
    before, after = _end_line(old), _end_line(new)
    found: list[tuple[int, bytes]] = []
    number, last = 1, 0
    for start, end in _list_windows(before, after):
        number += after.count(b"\n", last, start)
        rows = after[start:end].split(b"\n")[:-1]
        found += enumerate(rows, number)
        number, last = number + len(rows), end
    known = _find_known(before, {line for _, line in found})
    return (one for one in found if one[1] and one[1] not in known)


def _end_line(text: bytes) -> bytes:
    return text if text.endswith(b"\n") else text + b"\n"


def _find_known(text: bytes, rows: set[bytes]) -> set[bytes]:
    """Those of some lines that a text has."""
    if len(rows) > _FEW:
        return rows.intersection(text.split(b"\n"))
    return {row for row in rows if b"\n%s\n" % row in text or text.startswith(row + b"\n")}


def _list_windows(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Where the parts of a text begin and end that are not as they were; both end with a line."""
    i = j = 0
    for _ in range(_MANY):
        same = lines.count_same(old, new, (i, j), min(len(old) - i, len(new) - j))
        if same == len(new) - j:
            return
        start = max(new.rfind(b"\n", j, j + same) + 1, j)
        i, j = _find_same_again(old, new, i + start - j, start)
        yield start, j
    if j < len(new):
        yield j, len(new)


def _find_same_again(old: bytes, new: bytes, i: int, j: int) -> tuple[int, int]:
    """The first lines of two texts behind two that differ from which on they are the same for a
    while; their ends where there are none near.
    """
    olds, news = [i], [j]
    for count in range(1, _REACH):
        _add_line(old, olds)
        _add_line(new, news)
        for before, after in ((count, count), (0, count), (count, 0)):
            if before < len(olds) and after < len(news):
                i, j = olds[before], news[after]
                if old[i : i + _SAME] == new[j : j + _SAME]:
                    return i, j
    return len(old), len(new)


def _add_line(text: bytes, starts: list[int]) -> None:
    """Add where the next line begins, of which the last is the end."""
    if starts[-1] < len(text):
        starts.append(text.index(b"\n", starts[-1]) + 1)
