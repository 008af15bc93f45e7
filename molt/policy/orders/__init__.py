"""Text that speaks to the agent that reads it, and gives it orders that no person gave.

A line is read as it stands, and as what it stands for where it is masked (`masks`). `forms` tells
what is an order by its form, and `likeness` what reads like one, by a model that learned from
thousands of orders and of harmless lines. `reports` takes out what an attack is said to have said.
"""

from __future__ import annotations

from molt.policy.orders import likeness, masks
from molt.policy.orders.verdicts import READS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Screen = Callable[[Sequence[str]], Iterable[str]]
    """Of some texts those that are surely no orders, as `screen.list_harmless` tells."""

_OVERLAP = 512
"""Characters by which windows overlap in which a line is read; an order is a sentence or two."""
_FEW = 60
"""Short lines are read together with the next until they have so many characters: an order may have
a word in each."""
# How far from the edge of a window a blank is looked for: hardly any word is longer.
_NEAR = 64
# What is remembered of lines is a few megabytes; longer ones than headings hardly ever come again.
_MOST, _SHORT = 1 << 14, 128
_known: dict[str, str] = {}
_harmless: list[frozenset[str]] = [frozenset()]
"""The texts that were learned last."""


def find(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, of numbered ones, that are orders to an agent, each with what they do.

    An order may go on in the next lines; what is masked, as by letters of another script or as
    base64, is read as what it stands for.
    """
    told = [_recall_line(line) for _, line in rows]
    covered = -1
    for at, (number, _) in enumerate(rows):
        if told[at]:
            covered = at + 1
            yield number, told[at]
            continue
        # Of three lines the first two tell it, or the last two, and not both.
        for last in _list_ends(rows, at) if at > covered else ():
            if any(told[at : last + 1]):
                break
            joined = _join_rows(rows, at, last)
            if joined not in _harmless[0] and (said := _judge_piece(joined)):
                covered = last
                yield number, said
                break


def learn(files: Iterable[Sequence[tuple[int, str]]], screen: Screen) -> None:
    """Remember which of the texts that `find` is going to read of some files' rows are harmless by
    a screen; what was learned before is forgotten.
    """
    texts = dict.fromkeys(text for rows in files for text in _list_texts(rows))
    _harmless[0] = frozenset(screen([text for text in texts if text not in _known]))


def _list_texts(rows: Sequence[tuple[int, str]]) -> Iterator[str]:
    """What is read of some rows: each of them, and those that are read with the next ones."""
    for at, (_, line) in enumerate(rows):
        yield line
        yield from (_join_rows(rows, at, last) for last in _list_ends(rows, at))


def _join_rows(rows: Sequence[tuple[int, str]], at: int, last: int) -> str:
    """A row and what follows it, as far as an order reaches."""
    rest = " ".join([line for _, line in rows[at + 1 : last + 1]])
    return f"{rows[at][1][-_OVERLAP:]} {rest[:_OVERLAP]}"


def _list_ends(rows: Sequence[tuple[int, str]], at: int) -> list[int]:
    """The rows with which a line is read: the next one if it goes on there, and if they are short,
    the last of more of them.
    """
    last, length = at, 0
    while length < _FEW and last + 1 < len(rows) and _goes_on(rows[last], rows[last + 1]):
        length += len(rows[last][1])
        last += 1
    return sorted({min(last, at + 1), last} - {at})


def _goes_on(row: tuple[int, str], following: tuple[int, str]) -> bool:
    """Whether a line of prose goes on in the next one: neither begins as an item, a heading, a row
    or code does, and no sentence ends between them.
    """
    line, rest = row[1].strip(), following[1].strip()
    if following[0] != row[0] + 1 or not line or not rest:
        return False
    return rest[0].isalpha() and line[0] not in "|{}[]#`" and line[-1] not in ".:!?;|`{}>"


def _recall_line(line: str) -> str:
    """What a line has an agent do, remembered of short lines: in a history every other line is the
    heading of an entry, and came before.
    """
    said = "" if line in _harmless[0] else _known.get(line)
    if said is None:
        said = next(filter(None, map(_judge_piece, _cut_windows(line))), "")
        if len(_known) >= _MOST:
            _known.clear()
        if len(line) <= _SHORT:
            _known[line] = said
    return said


def _cut_windows(line: str) -> Iterator[str]:
    """Parts of a line that overlap. They begin and end where a word does, if one is near: half a
    word may be another one.
    """
    for at in range(0, max(1, len(line) - _OVERLAP), masks.LONGEST - _OVERLAP):
        end = at + masks.LONGEST
        start = at and line.find(" ", at, at + _NEAR) + 1
        stop = line.rfind(" ", end - _NEAR, end) if end < len(line) else -1
        yield line[start or at : stop if stop > 0 else end]


def _judge_piece(piece: str) -> str:
    """What a text has an agent do, as it stands or unmasked; empty for nothing, and for what it
    only reports.
    """
    said = _explain_order(piece)
    if not said:
        return ""
    _, take_out_reported = _import_patterns()
    lower = piece.lower()
    bare = take_out_reported(lower)
    return said if bare == lower or _explain_order(bare) else ""


def _explain_order(piece: str) -> str:
    said = _explain_text(piece)
    for other in masks.unmask(piece) if not said else ():
        said = said or _explain_text(other)
    return said


def _explain_text(text: str) -> str:
    lower = text.lower()
    if any(sign in lower for sign in masks.FRAMES):
        explain_form, _ = _import_patterns()
        if said := explain_form(lower):
            return said
    # That a line is quoted says nothing of what it says.
    return READS if likeness.is_like_order(text.lstrip(masks.QUOTING)) else ""


def _import_patterns() -> tuple[Callable[[str], str], Callable[[str], str]]:
    """What tells an order by its form, and what takes out of a line what it only reports. Patterns
    take longer to import than a memory takes to read, and hardly a line needs any.
    """
    from molt.policy.orders import forms, reports

    return forms.explain_form, reports.take_out_reported
