"""Text that speaks to the agent who reads it, and gives it orders that no person gave.

Hardly any line holds a sign of it. Words that tell are looked for first, all together and without a
pattern, so that a commit of an ordinary memory pays for nothing else.
"""

from __future__ import annotations

from molt.policy.orders import masks, senses, signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST = 4096
"""Of a line as much is read at once, in windows that overlap by the longest order."""
_OVERLAP = 512


def find(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, of numbered ones, that are orders to an agent, each with what they do.

    An order may go on in the next line; what is masked, as by letters of another script or as
    base64, is read as what it stands for.
    """
    whole = "\n".join(line for _, line in rows)
    lower = whole.lower()
    masked = masks.may_mask(whole, lower)
    if not masked and not _may_order(lower):
        return
    told = [_read_line(line, masked=masked) for _, line in rows]
    for at, (number, line) in enumerate(rows):
        follows = at + 1 < len(rows) and _goes_on(rows[at], rows[at + 1])
        if told[at]:
            yield number, told[at]
        elif follows and not told[at + 1] and not (at and told[at - 1]):
            said = _read_line(f"{line[-_OVERLAP:]} {rows[at + 1][1][:_OVERLAP]}", masked=masked)
            # Of three lines the first two tell it, or the last two, and not both.
            told[at] = said
            if said:
                yield number, said


def _goes_on(row: tuple[int, str], following: tuple[int, str]) -> bool:
    """Whether a line of prose goes on in the next one: neither begins as an item, a heading, a row
    or code does, and no sentence ends between them.
    """
    line, rest = row[1].strip(), following[1].strip()
    if following[0] != row[0] + 1 or not line or not rest:
        return False
    return rest[0].isalpha() and line[0] not in "|{}[]#`" and line[-1] not in ".:!?;|`{}>"


def _read_line(line: str, *, masked: bool) -> str:
    """What a line has an agent do, as it stands or unmasked; empty for nothing."""
    for at in range(0, max(1, len(line) - _OVERLAP), _LONGEST - _OVERLAP):
        piece = line[at : at + _LONGEST]
        said = _read_text(piece)
        for other in masks.unmask(piece) if masked and not said else ():
            said = said or _read_text(other, veiled=True)
        if said:
            return said
    return ""


def _may_order(lower: str) -> bool:
    return signs.may_order(lower) or senses.may_order(lower)


def _read_text(text: str, *, veiled: bool = False) -> str:
    lower = text.lower()
    if not _may_order(lower):
        return ""
    # Patterns are read where something tells of an order.
    from molt.policy.orders import patterns

    return patterns.explain_order(lower, veiled=veiled)
