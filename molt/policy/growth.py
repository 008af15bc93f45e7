"""How a log grows: nearly every commit appends an entry to that of a day, and does nothing else."""

from __future__ import annotations

from molt.formats import episodes, paths, sections
from molt.policy import texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.trees import FileChange, Tree

LIMIT = 1 << 20
"""How many bytes a file may have that is read as memory."""

_HIDING = tuple(map(str.encode, sections.HIDING))
# The last text that hides no headings, and how far back a mark may reach that does.
_searched = [b""]
_REACH = max(map(len, _HIDING))


def is_plain(base: Tree, new: Tree, changes: Sequence[FileChange]) -> bool:
    """Whether all that a commit does, which is no merge, is to append well-formed entries to the
    log of a day: in plain text, of times that are free, under no other heading. Then none of the
    rules on logs has anything to say, nor that on plain text.
    """
    if len(changes) != 1:
        return False
    path, status = changes[0].path, changes[0].status
    date = paths.date_of(path) if status == "M" else None
    if date is None or not appends_plainly(base, new, path):
        return False
    before, after = base.read(path) or b"", new.read(path) or b""
    added = after[len(before) :]
    odd = (
        len(after) > LIMIT
        or after.startswith(texts.WIDE)
        or added.startswith((b"# ", *texts.MARKERS))
        or b"\n# " in added
        or any(map(added.__contains__, texts.MARKERS))
        or not texts.is_plain(added)
    )
    return not odd and new.entry(f"memory/{date}.md") is None


def appends_plainly(base: Tree, new: Tree, path: str) -> bool:
    """Whether all that is new in a log are well-formed entries at its end, of times that nothing
    before says: almost every commit's, and then the rest of the day need not be read again.
    """
    if not path.startswith(paths.EPISODES):
        return False
    before, after = base.read(path) or b"", new.read(path) or b""
    if not before.endswith(b"\n") or not after.startswith(before) or b"\r" in after:
        return False
    # What hides headings in one place may end in another.
    if _may_hide_headings(before, after):
        return False
    return episodes.is_well_formed(after[len(before) :].decode("utf-8", "replace"), before)


def _may_hide_headings(before: bytes, after: bytes) -> bool:
    """Whether a text that begins with another holds what hides headings. The log of a day is the
    end of one commit and the start of the next, so it is searched once.
    """
    start = max(0, len(before) - _REACH) if before is _searched[0] else 0
    if any(after.find(mark, start) >= 0 for mark in _HIDING):
        return True
    _searched[0] = after
    return False
