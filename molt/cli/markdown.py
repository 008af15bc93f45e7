"""Markdown on a terminal: wrapped at words by its width, with its emphasis as style."""

from __future__ import annotations

import re
import unicodedata

from molt.cli import output
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WIDEST = 100
"""Columns that are easy to read, however wide a terminal is."""
_START = re.compile(r" *(?:> ?)?(?:- |\d+\. )?")
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60"
_PIECE = re.compile(rf" *(?:[{_WIDE}]|[^\s{_WIDE}]+)")
_NO_START = frozenset("，。、；：？！）”》」』】,.;:?!)")
"""What no row begins with."""
_BOLD, _MARK = r"\*\*(.+?)\*\*", r"(?<!\*)\*([^*\s][^*]*)\*(?!\*)"
_STYLED = re.compile(rf"{_BOLD}|{_MARK}|\\([<\[&`])")
_KEPT = re.compile(rf"{_MARK}|— ")
"""What stays on one row."""
_FENCE = re.compile(" *(`{3,})")


def render_markdown(text: str, width: int) -> str:
    """Return a text for a terminal of so many columns. Code blocks keep their rows."""
    rows: list[str] = []
    fence = ""
    for row in escape_text(text, "\n").split("\n"):
        mark = _FENCE.match(row)
        if fence:
            rows += [] if row.strip() == fence else [_style_diff(row)]
            fence = "" if row.strip() == fence else fence
        elif mark:
            fence = mark[1]
        else:
            rows += map(_style_row, _wrap_row(row, min(width, WIDEST)))
    return "\n".join(rows)


def _wrap_row(row: str, width: int) -> Iterator[str]:
    """Yield a row in rows of at most so many columns; the others are indented below its text."""
    found = _START.match(row)
    start = found[0] if found else ""
    indent = "".join(char if char == ">" else " " for char in start)
    rest = _KEPT.sub(lambda kept: kept[0].replace(" ", "\0"), row[len(start) :])
    line, size = start, _count_cells(start)
    for piece in _PIECE.findall(rest):
        cells = _count_cells(piece)
        if size + cells > width and line.strip() != start.strip() and piece not in _NO_START:
            yield line.replace("\0", " ")
            piece = piece.lstrip(" ")
            line, size, cells = indent, len(indent), _count_cells(piece)
        line, size = line + piece, size + cells
    yield line.replace("\0", " ")


def _count_cells(text: str) -> int:
    """Return the columns of a text, without the marks that become style."""
    bare = text.replace("**", "")
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in bare)


def _style_row(row: str) -> str:
    if row.startswith("#"):
        return output.style(row.lstrip("# "), bold=True)
    return _STYLED.sub(_style_span, row)


def _style_span(found: re.Match[str]) -> str:
    bold, mark, plain = found.groups()
    if bold:
        return output.style(bold, bold=True)
    return output.style(mark, fg="yellow") if mark else plain


def _style_diff(row: str) -> str:
    """Return a row of a diff in its color."""
    color = {"+": "green", "-": "red"}.get(row[:1])
    return output.style(row, fg=color) if color else row
