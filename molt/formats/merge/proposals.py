"""The proposals of sub-agents, entry by entry: ids are kept, numbers are given again."""

from __future__ import annotations

from molt.formats import lines
from molt.formats.merge import texts
from molt.formats.merge.result import MergeResult
from molt.formats.meta import proposals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.formats.meta.proposals import Proposal

    Blocks = Mapping[str, tuple[str, ...]]


def merge_proposals(base: str, ours: str, theirs: str, *, mark: int = texts.MARK) -> MergeResult:
    """The proposals of both sides: those of ours in their order, then what only theirs has.

    One that a side has decided is as that left it, or gone. Where both changed one in their own
    way it is left to a person.
    """
    ours = ours if not ours or ours.endswith("\n") else ours + lines.detect_newline(ours)
    before, mine, yours = map(_split_proposals, (base, ours, theirs))
    merged = _read_preamble(ours) or _read_preamble(theirs)
    conflicts: list[str] = []
    for key, block in mine.items():
        sides = (before.get(key, ()), block, yours.get(key, ()))
        chosen = texts.choose_side(*sides)
        if chosen or not sides[2]:
            merged += sides[chosen or 1]
        else:
            conflicts.append(f"both sides changed proposal {key}")
            merged += texts.mark_conflict(sides[1], sides[2], mark)
    for key, block in yours.items():
        # What ours has decided, and theirs has left as it was, is gone.
        if key not in mine and before.get(key) != block and before.get(key):
            merged += block
    text = "".join(merged)
    fresh = [key for key in yours if key not in mine and key not in before]
    return MergeResult(
        _append_fresh(text, theirs, fresh, _list_numbers(ours, base)), tuple(conflicts)
    )


def _read_preamble(text: str) -> list[str]:
    """The lines above the first proposal and its rule."""
    found = proposals.parse_proposals(text)
    rows = lines.split_lines(text)
    return rows[: _find_start(rows, found[0])] if found else rows


def _find_start(rows: Sequence[str], one: Proposal) -> int:
    """Where a proposal begins, its rule included, from 0."""
    start = one.start - 1
    return start - 1 if start and rows[start - 1].strip() == "---" else start


def _split_proposals(text: str) -> dict[str, tuple[str, ...]]:
    """The lines of each proposal, its rule included, by its id; by its words where it has none."""
    rows = lines.split_lines(text)
    rows[-1:] = [row if row.endswith("\n") else f"{row}\n" for row in rows[-1:]]
    found = proposals.parse_proposals(text)
    starts = [*(_find_start(rows, one) for one in found), len(rows)]
    blocks: dict[str, tuple[str, ...]] = {}
    for one, start, stop in zip(found, starts, starts[1:], strict=False):
        blocks.setdefault(_proposal_key(one), tuple(rows[start:stop]))
    return blocks


def _proposal_key(one: Proposal) -> str:
    return one.id or "\0".join((one.agent, one.timestamp, one.content))


def _list_numbers(*sides: str) -> set[int]:
    return {one.number for text in sides for one in proposals.parse_proposals(text)}


def _append_fresh(text: str, theirs: str, fresh: Sequence[str], taken: set[int]) -> str:
    """The text with the new proposals of theirs behind it, under numbers that are free."""
    wanted = set(fresh)
    blocks = _split_proposals(theirs)
    given: dict[int, int] = {}
    for one in proposals.parse_proposals(theirs):
        if _proposal_key(one) not in wanted:
            continue
        wanted.discard(_proposal_key(one))
        number = one.number if one.number not in taken else max(taken) + 1
        taken.add(number)
        given[one.number] = number
        block = "".join(blocks[_proposal_key(one)])
        text += _renumber_lines(block, given)
    return text


def _renumber_lines(block: str, given: Mapping[int, int]) -> str:
    """A proposal with its new number, and those of the new ones that it names."""
    rows = lines.split_lines(block)
    for at, row in enumerate(rows):
        named = row.startswith(("## Proposal #", "- **Status**:"))
        if named:
            rows[at] = "#".join(_renumber_part(part, given) for part in row.split("#"))
    return "".join(rows)


def _renumber_part(part: str, given: Mapping[int, int]) -> str:
    rest = part.lstrip("0123456789")
    digits = part[: len(part) - len(rest)]
    known = digits.isascii() and digits.isdigit() and len(digits) < 10
    return f"{given.get(int(digits), int(digits))}{rest}" if known else part
