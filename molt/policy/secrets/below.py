"""Secrets on a line of their own, which one above it names: below a label, in a column of a table,
in a list of codes.
"""

from __future__ import annotations

from molt.policy.secrets import named, stand_ins, value, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from molt.policy.secrets.form import Span

    Reader = Callable[[str, str], Iterator[Span]]
    Lone = tuple[str, Reader, tuple[str, ...]]
    """A kind and what reads it; no words are needed in a line that another one tells of."""

_MOST = 20
"""Lines below one that are looked at: as many codes a service gives, or rows a table has here."""
_NEAR = 3
"""Lines below a label in which its value stands, with a blank one or a fence between."""
_MARKS = " \t*_`#>"
_AROUND = "\"'`*_ \t"
_RULE = frozenset("|-: ")
_CODES: Lone = ("recovery code", named.find_listed, ())
_NAMES = (
    (named.find_passwords, "password", (*words.PASS, *words.SHORT), stand_ins.is_password),
    (named.find_keys, "secret", words.KEY, stand_ins.is_key),
)


def list_below(
    rows: Sequence[str], at: int, readers: Collection[object]
) -> Iterator[tuple[int, Lone]]:
    """The lines that one tells of by what it names, each with what may stand there; `readers` are
    those of what that one may hold itself.
    """
    head = rows[at].rstrip(_MARKS)
    if named.find_codes in readers and (head.endswith((":", "：")) or head.startswith("#")):
        for below in range(at + 1, min(len(rows), at + 1 + _MOST)):
            if rows[below].startswith("#"):
                break
            yield below, _CODES
    for reader, kind, names, test in _NAMES:
        if reader in readers:
            if head.lstrip().startswith("|"):
                yield from _list_cells(rows, at, kind, names, test)
            elif _ends_with_name(head.rstrip(":："), names) and _is_label(head):
                yield from _find_value(rows, at, kind, test)


def _is_label(head: str) -> bool:
    """Whether a line names what stands below it: with a colon, or as a heading."""
    return head.endswith((":", "：")) or head.lstrip()[:1] == "#"


def _ends_with_name(text: str, names: tuple[str, ...]) -> bool:
    lower = text.strip(_MARKS).lower()
    return len(lower) in value.find_names(lower, names, whole=True)


def _find_value(
    rows: Sequence[str], at: int, kind: str, test: Callable[[str], bool]
) -> Iterator[tuple[int, Lone]]:
    """The next line with words, where that is one alone."""
    for below in range(at + 1, min(len(rows), at + 1 + _NEAR)):
        text = rows[below].strip()
        if text and not text.startswith("```"):
            if " " not in text.lstrip("-*+> "):
                yield below, (kind, _make_reader(test), ())
            return


def _make_reader(test: Callable[[str], bool]) -> Reader:
    def read(line: str, _lower: str) -> Iterator[Span]:
        text = line.strip().lstrip("-*+> ").strip(_AROUND)
        if test(text):
            start = line.rfind(text)
            yield start, start + len(text)

    return read


def _list_cells(
    rows: Sequence[str],
    at: int,
    kind: str,
    names: tuple[str, ...],
    test: Callable[[str], bool],
) -> Iterator[tuple[int, Lone]]:
    """The rows of a table below its head that names a column so."""
    cells = rows[at].split("|")
    columns = [number for number, cell in enumerate(cells) if _ends_with_name(cell, names)]
    if not columns or not _is_head(rows, at):
        return
    for below in range(at + 1, min(len(rows), at + 1 + _MOST)):
        if not rows[below].lstrip().startswith("|"):
            return
        for column in columns:
            yield below, (kind, _make_cell_reader(column, test), ())


def _is_head(rows: Sequence[str], at: int) -> bool:
    """Whether a row of a table is its first one: any other tells of nothing below it."""
    above, below = rows[at - 1 : at] if at else [], rows[at + 1 : at + 2]
    ruled = any(set(row.strip()) <= _RULE for row in below)
    return ruled or not any(row.lstrip().startswith("|") for row in above)


def _make_cell_reader(column: int, test: Callable[[str], bool]) -> Reader:
    def read(line: str, _lower: str) -> Iterator[Span]:
        cells = line.split("|")
        text = cells[column].strip(_AROUND) if column < len(cells) else ""
        if text and " " not in text and test(text):
            start = line.find(text, len("|".join(cells[:column])))
            yield start, start + len(text)

    return read
