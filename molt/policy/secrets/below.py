"""Secrets on a line of their own, which one above it names: below a label, in a column of a table,
in a list of codes.
"""

from __future__ import annotations

from molt.policy.secrets import chosen, named, stand_ins, value, words

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
_WORDS = 8
"""Words of a line that only names what stands below it."""
_MARKS = " \t*_`#>"
_AROUND = "\"'`*_ \t"
_RULE = frozenset("|-: ")
_FIELDS = "\t;,"
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
    head = _cut_block(rows[at]).rstrip(_MARKS)
    if named.find_codes in readers and (head.endswith((":", "：")) or head.startswith("#")):
        for below in range(at + 1, min(len(rows), at + 1 + _MOST)):
            if rows[below].startswith("#"):
                break
            yield below, _CODES
    for reader, kind, names, test in _NAMES:
        if reader in readers:
            if mark := _find_mark(rows, at):
                yield from _list_cells(rows, (at, mark), kind, names, test)
            elif _ends_with_name(head.rstrip(":："), names) and _is_label(head):
                yield from _find_value(rows, at, kind, test)
            elif _names_something(head, names):
                yield from _find_value(rows, at, kind, _choose_test(kind, head, test))


def _choose_test(kind: str, head: str, test: Callable[[str], bool]) -> Callable[[str], bool]:
    """What is asked of a value below a line that speaks of it: less if it ends with a colon."""
    if head.endswith((":", "：")):
        return test
    if kind != "password":
        return stand_ins.is_long_key
    return stand_ins.is_all_kinds if len(head.split()) == 1 else chosen.is_chosen


def _cut_block(row: str) -> str:
    """A line without what says that a text of several lines follows, as YAML has it: `key: |`."""
    bare = row.rstrip(" \t|>+-")
    return bare if bare.endswith(":") else row


def _is_label(head: str) -> bool:
    """Whether a line names what stands below it: with a colon, or as a heading."""
    return head.endswith((":", "：")) or head.lstrip()[:1] == "#"


def _names_something(head: str, names: tuple[str, ...]) -> bool:
    """Whether a line is of a few words, and one of them is a name: `the password of the router:`,
    `Passwort vom Drucker`, `<password>`.
    """
    lower = head.lower()
    few = len(lower.split()) <= _WORDS
    return few and next(value.find_names(lower, names, whole=True), 0) > 0


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
            text = _take_out_tags(text)
            if " " not in text.lstrip("-*+> "):
                yield below, (kind, _make_reader(test), ())
            return


def _take_out_tags(text: str) -> str:
    """A line without the element that it is all of: `<dd>x</dd>`."""
    if text[:1] == "<" and "</" in text:
        return text.partition(">")[2].rpartition("</")[0]
    return text


def _make_reader(test: Callable[[str], bool]) -> Reader:
    def read(line: str, _lower: str) -> Iterator[Span]:
        text = _take_out_tags(line.strip()).lstrip("-*+> ").strip(_AROUND)
        # What is given to a name of its own is read as that.
        if "=" not in text.rstrip("=") and test(text):
            start = line.rfind(text)
            yield start, start + len(text)

    return read


def _find_mark(rows: Sequence[str], at: int) -> str:
    """What parts the cells of a row that is the first of a table, or of lines of fields."""
    if rows[at].lstrip().startswith("|"):
        return "|"
    beside = rows[at + 1 : at + 2]
    every = [mark for mark in _FIELDS if rows[at].count(mark) > 1]
    return next((mark for mark in every if beside and beside[0].count(mark) > 1), "")


def _list_cells(
    rows: Sequence[str],
    head: tuple[int, str],
    kind: str,
    names: tuple[str, ...],
    test: Callable[[str], bool],
) -> Iterator[tuple[int, Lone]]:
    """The rows of a table below its head, of which a place and a mark are given, that names a
    column so.
    """
    at, mark = head
    cells = rows[at].split(mark)
    columns = [number for number, cell in enumerate(cells) if _ends_with_name(cell, names)]
    if not columns or (mark == "|" and not _is_head(rows, at)):
        return
    for below in range(at + 1, min(len(rows), at + 1 + _MOST)):
        if rows[below].count(mark) < 2:
            return
        for column in columns:
            yield below, (kind, _make_cell_reader(mark, column, test), ())


def _is_head(rows: Sequence[str], at: int) -> bool:
    """Whether a row of a table is its first one: any other tells of nothing below it."""
    above, below = rows[at - 1 : at] if at else [], rows[at + 1 : at + 2]
    ruled = any(set(row.strip()) <= _RULE for row in below)
    return ruled or not any(row.lstrip().startswith("|") for row in above)


def _make_cell_reader(mark: str, column: int, test: Callable[[str], bool]) -> Reader:
    def read(line: str, _lower: str) -> Iterator[Span]:
        cells = line.split(mark)
        text = cells[column].strip(_AROUND) if column < len(cells) else ""
        if text and " " not in text and "..." not in text and test(text):
            start = line.find(text, len(mark.join(cells[:column])))
            yield start, start + len(text)

    return read
