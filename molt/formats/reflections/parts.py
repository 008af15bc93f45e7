"""What the files of reflections are made of: `##` parts, `**Key**: value` rows, ids `r-NNN`."""

from __future__ import annotations

from molt.formats import lines, sections
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Part(Value):
    """A `##` section: its title, and its body as it stands, without blank lines around it."""

    title: str
    body: str = ""


def is_reflection_id(text: str) -> bool:
    """Whether a text is the id of a reflection: `r-` and its number in three digits or more, in
    one way only. Who names a branch chooses it: a number of thousands of digits is none.
    """
    digits = text.removeprefix("r-")
    known = text.startswith("r-") and digits.isascii() and digits.isdigit()
    return known and (len(digits) == 3 or (3 < len(digits) < 10 and digits[0] != "0"))


def to_one_line(text: str) -> str:
    """The text on one line, without any space around it."""
    return lines.one_line(text).strip()


def heading_text(text: str) -> str:
    """The text as a heading can hold it: on one line that does not end in a closing `#`."""
    words = to_one_line(text).split(" ")
    while words and not words[-1].strip("#"):
        words.pop()
    return " ".join(words).strip()


def _clean_key(text: str) -> str:
    key = to_one_line(text.replace("*", " "))
    while key.endswith(":"):
        key = key[:-1].rstrip()
    return key


def parse_field(row: str) -> tuple[str, str] | None:
    """Key and value of `**Key**: value` (or `**Key:** value`); None for another row."""
    if not row.startswith("**"):
        return None
    name, _, rest = row[2:].partition("**")
    inside = name.rstrip().endswith(":")
    key = _clean_key(name)
    if not key or not (inside or rest.startswith(":")):
        return None
    return key, to_one_line(rest if inside else rest[1:])


def render_field(key: str, value: str) -> str:
    """The row of a field. Raises ValueError when the key has no character that can be kept."""
    name = _clean_key(key)
    if not name:
        raise ValueError("a field needs a name")
    return f"**{name}**: {to_one_line(value)}".rstrip()


def is_section(row: str) -> bool:
    """Whether a row is a heading that starts a part."""
    found = sections.parse_heading(row)
    return found is not None and found[0] == 2


def split_parts(rows: Sequence[str], hidden: Sequence[bool]) -> tuple[str, str, tuple[Part, ...]]:
    """The title of a file, the text before its first part, and the parts.

    `rows` are bare lines and `hidden` tells which are in code or comments. A `#` heading after
    the first, or in a part, is text like any other.
    """
    title = ""
    groups: list[tuple[str, list[str]]] = [("", [])]
    for row, hide in zip(rows, hidden, strict=True):
        found = None if hide else sections.parse_heading(row)
        if found and found[0] == 2:
            groups.append((found[1], []))
        elif found and found[0] == 1 and not title and len(groups) == 1:
            title = found[1]
        else:
            groups[-1][1].append(row)
    (_, intro), *others = groups
    return (
        title,
        _join_trimmed(intro),
        tuple(Part(name, _join_trimmed(body)) for name, body in others),
    )


def _join_trimmed(rows: Sequence[str]) -> str:
    filled = [number for number, row in enumerate(rows) if row.strip()]
    return "\n".join(rows[filled[0] : filled[-1] + 1]) if filled else ""


def body(text: str) -> list[str]:
    """The rows of a body that stays within its part: headings that would start another one are
    escaped, and a code block or comment that is left open is closed.
    """
    source = "\n".join(map(_clean_row, text.replace("\r\n", "\n").split("\n")))
    rows = _join_trimmed(source.split("\n")).split("\n")
    hidden = sections.find_fences(rows)
    rows = [
        f"\\{row}" if not hide and is_section(row) else row
        for row, hide in zip(rows, hidden, strict=True)
    ]
    return [*rows, *_closing_rows(rows)] if rows != [""] else []


def _clean_row(row: str) -> str:
    if row.isprintable():
        return row
    return "".join(" " if lines.is_control(c) and c != "\t" else c for c in row)


def _closing_rows(rows: Sequence[str]) -> list[str]:
    if not sections.find_fences([*rows, "text"])[-1]:
        return []
    longest = max(len(row) - len(row.strip().lstrip("`~")) for row in rows)
    marks = ("`" * longest, "~" * longest, "-->")
    return [next(mark for mark in marks if not sections.find_fences([*rows, mark, "text"])[-1])]


def section_rows(found: Iterable[Part]) -> list[str]:
    """The rows of parts, each with a blank line before it."""
    rows: list[str] = []
    for one in found:
        rows += ["", f"## {heading_text(one.title)}".rstrip(), *body(one.body)]
    return rows
