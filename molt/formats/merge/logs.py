"""Files that only grow: what each side added goes whole behind what is there."""

from __future__ import annotations

from molt.formats import lines
from molt.formats.merge import texts
from molt.formats.merge.result import MergeResult
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    IsHead = Callable[[str], bool]


class Grown(Value):
    """What one side has added to a log: what goes on in the last entry of before, and entries, each
    with the blank lines behind it.
    """

    more: tuple[str, ...]
    entries: tuple[str, ...]


def merge_log(
    base: str, ours: str, theirs: str, *, is_head: IsHead, mark: int = texts.MARK
) -> MergeResult:
    """The log with the entries of both sides: ours as it is, then those that only theirs has.

    `is_head` tells the heading line of an entry. Where a side changed what was written before,
    the lines are merged, and what both changed is left to a person.
    """
    base = base or _find_preamble(ours, theirs, is_head)
    added = find_added(base, theirs, is_head)
    own = find_added(base, ours, is_head)
    if added and not added.more:
        return MergeResult(append_entries(ours, drop_known(added, base, ours, is_head)))
    if added and own:
        return _merge_continued(base, own, added, mark=mark, is_head=is_head)
    if own and not own.more:
        return MergeResult(append_entries(theirs, drop_known(own, base, theirs, is_head)))
    return _merge_rewritten(base, ours, theirs, mark)


def _find_preamble(ours: str, theirs: str, is_head: IsHead) -> str:
    """What both begin with, up to the first entry: the base of two files that are new."""
    shared: list[str] = []
    for mine, yours in zip(lines.split_lines(ours), lines.split_lines(theirs), strict=False):
        if mine != yours or is_head(lines.strip_newline(mine)):
            break
        shared.append(mine)
    return "".join(shared)


def find_added(base: str, text: str, is_head: IsHead) -> Grown | None:
    """What a text has behind another one; None where it does not begin with that."""
    whole = base if not base or base.endswith("\n") else f"{base}{lines.detect_newline(base)}"
    ended = text if not text or text.endswith("\n") else f"{text}{lines.detect_newline(text)}"
    if not ended.startswith(whole):
        return None
    more, *entries = _split_entries(ended[len(whole) :], is_head)
    return Grown(tuple(lines.split_lines(more)) if more.strip() else (), tuple(entries))


def _split_entries(text: str, is_head: IsHead) -> list[str]:
    """What is before the first entry, and each entry."""
    found: list[list[str]] = [[]]
    for line in lines.split_lines(text):
        if is_head(lines.strip_newline(line)):
            found.append([])
        found[-1].append(line)
    return ["".join(rows) for rows in found]


def drop_known(added: Grown, base: str, other: str, is_head: IsHead) -> tuple[str, ...]:
    """The added entries that the other side has not added as well, word for word."""
    known: dict[str, int] = {}
    for block in _split_entries(other, is_head)[1:]:
        known[block.rstrip()] = known.get(block.rstrip(), 0) + 1
    for block in _split_entries(base, is_head)[1:]:
        known[block.rstrip()] = known.get(block.rstrip(), 0) - 1
    kept = []
    for block in added.entries:
        if known.get(block.rstrip(), 0) > 0:
            known[block.rstrip()] -= 1
        else:
            kept.append(block)
    return tuple(kept)


def append_entries(text: str, entries: Sequence[str]) -> str:
    """A text with entries behind it, a blank line before them."""
    if not entries:
        return text
    end = lines.detect_newline(text) if text else lines.detect_newline(entries[0])
    if text and not text.endswith("\n"):
        text += end
    last = lines.split_lines(text)[-1:] or [end]
    gap = end if lines.strip_newline(last[0]).strip() else ""
    return text + gap + "".join(entries)


def _merge_continued(
    base: str, own: Grown, added: Grown, *, is_head: IsHead, mark: int
) -> MergeResult:
    """Where theirs goes on in the last entry of the base: nothing may come between."""
    whole = base if base.endswith("\n") else f"{base}{lines.detect_newline(base)}"
    conflicts: tuple[str, ...] = ()
    more: Sequence[str] = own.more or added.more
    if own.more and own.more != added.more:
        if any(map(is_head, map(lines.strip_newline, lines.split_lines(base)))):
            more = texts.mark_conflict(own.more, added.more, mark)
            conflicts = ("both sides go on in the last entry",)
        else:
            # Prose is nobody's entry: what both wrote stands one below the other.
            more = (*own.more, *added.more)
    text = append_entries(whole + "".join(more), own.entries)
    known = append_entries(whole + "".join(own.more), own.entries)
    return MergeResult(append_entries(text, drop_known(added, base, known, is_head)), conflicts)


def _merge_rewritten(base: str, ours: str, theirs: str, mark: int) -> MergeResult:
    conflicts: list[str] = []

    def settle(piece: texts.Piece) -> Sequence[str]:
        before, mine, yours = piece
        if not before:
            gap = [] if not mine or not mine[-1].strip() or not yours[0].strip() else ["\n"]
            return [*mine, *gap, *yours]
        conflicts.append("both sides changed what was written before")
        return texts.mark_conflict(mine, yours, mark)

    before, mine, yours = (lines.split_lines(text) for text in (base, ours, theirs))
    merged = texts.merge_lines(before, mine, yours, settle=settle)
    return MergeResult("".join(merged), tuple(conflicts))
