"""Text that speaks to the agent that reads it, and gives it orders that no person gave.

A line is read in three ways, and the first that finds an order says what it has the agent do:
- `bids`, by the parts that words play in a sentence, in English (`moods`, `roles`) and `chinese`;
- `patterns`, by patterns of whole phrases (`kinds`, `leaks`, `languages`, `fakes`);
- `word_lists`, by words that stand together in one line, in many languages.

The last two are asked only where `gate_words` are found, all of which are looked for at once and
without a pattern; so an ordinary memory pays for nothing else. `masks` undoes what hides a text,
and `reports` takes out what an attack is said to have said.
"""

from __future__ import annotations

from molt.policy.orders import bids, gate_words, masks, word_lists, word_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

_LONGEST = 4096
"""Of a line as much is read at once, in windows that overlap by the longest order."""
_OVERLAP = 512
# How far from the edge of a window a blank is looked for: hardly any word is longer.
_NEAR = 64
# What is remembered of lines is a few megabytes; longer ones than headings hardly ever come again.
_MOST, _SHORT = 1 << 14, 128
_known: dict[tuple[str, bool, bool], str] = {}
_GATE = word_sets.WordSets((*gate_words.GATES, *word_lists.GATES))


def find(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, of numbered ones, that are orders to an agent, each with what they do.

    An order may go on in the next line; what is masked, as by letters of another script or as
    base64, is read as what it stands for.
    """
    whole = "\n".join(line for _, line in rows)
    lower = whole.lower()
    masked = masks.may_mask(whole, lower)
    # Of a single line the same is asked when it is read.
    worded = masked or len(rows) == 1 or _may_order(lower)
    told = [_recall_line(line, masked=masked, worded=worded) for _, line in rows]
    for at, (number, line) in enumerate(rows):
        follows = at + 1 < len(rows) and _goes_on(rows[at], rows[at + 1])
        if told[at]:
            yield number, told[at]
        elif worded and follows and not told[at + 1] and not (at and told[at - 1]):
            pair = f"{line[-_OVERLAP:]} {rows[at + 1][1][:_OVERLAP]}"
            said = _read_words(pair, masked=masked)
            said = said if said and _is_ordered(pair, masked=masked) else ""
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


def _recall_line(line: str, *, masked: bool, worded: bool) -> str:
    """What `_read_line` says, remembered of short lines: in a history every other line is the
    heading of an entry, and came before.
    """
    key = line, masked, worded
    said = _known.get(key)
    if said is None:
        said = _read_line(line, masked=masked, worded=worded)
        if len(_known) >= _MOST:
            _known.clear()
        if len(line) <= _SHORT:
            _known[key] = said
    return said


def _read_line(line: str, *, masked: bool, worded: bool) -> str:
    """What a line has an agent do, as it stands or unmasked; empty for nothing."""
    for piece in _cut_windows(line):
        said = bids.explain_bid(piece.lower())
        if worded and not said:
            said = _read_words(piece, masked=masked)
        if said and _is_ordered(piece, masked=masked):
            return said
    return ""


def _is_ordered(piece: str, *, masked: bool) -> bool:
    """Whether an order that was found is more than what an attack is said to have said."""
    lower = piece.lower()
    bare = _import_patterns().take_out_reported(lower)
    return bare == lower or bool(bids.explain_bid(bare) or _read_words(bare, masked=masked))


def _cut_windows(line: str) -> Iterator[str]:
    """Parts of a line that overlap. They begin and end where a word does, if one is near: half a
    word may be another one.
    """
    for at in range(0, max(1, len(line) - _OVERLAP), _LONGEST - _OVERLAP):
        end = at + _LONGEST
        start = at and line.find(" ", at, at + _NEAR) + 1
        stop = line.rfind(" ", end - _NEAR, end) if end < len(line) else -1
        yield line[start or at : stop if stop > 0 else end]


def _read_words(piece: str, *, masked: bool) -> str:
    """What words have an agent do, as they stand or unmasked; empty for nothing."""
    said = _read_text(piece.lower())
    for other in masks.unmask(piece) if masked and not said else ():
        lower = other.lower()
        said = said or bids.explain_bid(lower) or _read_text(lower, veiled=True)
    return said


def _may_order(lower: str) -> bool:
    """Whether a text in lower case has the words of some order."""
    return any(True for _ in _GATE.find_held(f" {lower} "))


def _read_text(lower: str, *, veiled: bool = False) -> str:
    if not _may_order(lower):
        return ""
    said: str = _import_patterns().explain_order(lower, veiled=veiled)
    return said


def _import_patterns() -> ModuleType:
    """What is read where something tells of an order."""
    from molt.policy.orders import patterns

    return patterns
