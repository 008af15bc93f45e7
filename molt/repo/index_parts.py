"""The parts of git's index that follow its entries (gitformat-index(5)).

Nothing says where the entries end, but the parts do where they end themselves, and the last one
ends at the checksum: a path that has the letters of a name leads nowhere.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Parts = dict[bytes, tuple[int, int]]
    """Where parts begin and end, by their names."""

HEAD, STAT, ID = 12, 40, 20  # bytes
TREE, UNDO = b"TREE", b"REUC"
_OTHERS = (b"link", b"sdir", b"FSMN", b"UNTR", b"IEOT", b"EOIE")
_NAME = STAT + ID + 2
_MODES = frozenset(mode.to_bytes(4, "big") for mode in (0o100644, 0o100755, 0o120000, 0o160000))
# An entry of version 4 with a path that adds nothing to the one before.
_SHORTEST = STAT + ID + 4


def count_entries(index: bytes) -> int:
    """How many entries an index has."""
    return int.from_bytes(index[8:HEAD], "big")


def find_parts(index: bytes) -> Parts:
    """Where the parts of an index begin and end."""
    parts = _find_from(index, TREE)
    if parts and _ends_entry(index, parts[TREE][0]):
        return parts
    return max((_find_from(index, name) for name in (TREE, UNDO, *_OTHERS)), key=len)


def _ends_entry(index: bytes, at: int) -> bool:
    """Whether an entry ends at a place, so that no part stands before it: none need be looked for.
    False says nothing, as of a name that is long.
    """
    behind = at - 8 + len(index[at - 8 : at].rstrip(b"\0"))
    # A zero byte and the length stand before a name, and before these what is known of the file.
    name = index.rfind(b"\0", HEAD, behind) + 2
    start = name - _NAME
    whole = behind < at and (start - HEAD) % 8 == 0 and index[start + 24 : start + 28] in _MODES
    return whole and index[name - 1] == behind - name


def _find_from(index: bytes, name: bytes) -> Parts:
    """The parts from the first one of a name on; none if there is none."""
    # The entries take as many bytes at least, and to look through them takes longer than all else.
    at = index.find(name, HEAD + _SHORTEST * count_entries(index))
    while at >= 0:
        parts = _chain(index, at)
        if parts:
            return parts
        at = index.find(name, at + 1)
    return {}


def _chain(index: bytes, at: int) -> Parts:
    """The parts from a place up to the checksum; none if they do not end there."""
    found: Parts = {}
    end = len(index) - ID
    while at < end:
        behind = at + 8 + int.from_bytes(index[at + 4 : at + 8], "big")
        found[index[at : at + 4]] = (at, behind)
        at = behind
    return found if at == end else {}


def find_root(index: bytes) -> str:
    """The id of the tree that all entries make, where git has noted it; empty where not.

    The part begins with the empty name of the root, entries and folders in digits, and the id.
    """
    start, end = _find_from(index, TREE).get(TREE, (0, 0))
    name, _, behind = index[start + 8 : end].partition(b"\0")
    counts, _, behind = behind.partition(b"\n")
    whole = counts.startswith(b"%d " % count_entries(index)) and not name
    return behind[:ID].hex() if whole else ""
