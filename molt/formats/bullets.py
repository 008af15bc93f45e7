"""The lists under `##` headings: what MEMORY.md and the other notes are made of."""

from __future__ import annotations

from molt.formats import ids, lines, sections
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BLOCKS = ("Identity", "Active Context", "Persona", "Critical Facts")


class Bullet(Value):
    """One bullet of a section, with its continuation lines; lines from 1, inclusive."""

    block: str
    text: str
    start: int
    end: int

    @property
    def id(self) -> str:
        """Its memory id, if it is one of MEMORY.md."""
        return ids.bullet(self.block, self.text)


def section(text: str, title: str) -> sections.Section | None:
    """The `##` section of a title, whatever its case; None if there is none."""
    wanted = title.casefold()
    found = sections.parse_sections(text)
    return next((one for one in found if one.level == 2 and one.title.casefold() == wanted), None)


def _marker_length(row: str) -> int:
    """How long the marker of a list item at the margin is; 0 for another line."""
    if row.startswith(("- ", "* ", "+ ")):
        return 2
    digits = len(row) - len(row.lstrip("0123456789"))
    return digits + 2 if 0 < digits < 10 and row[digits : digits + 2] in (". ", ") ") else 0


def bullets(text: str, title: str) -> tuple[Bullet, ...]:
    """The list items of a section, nested lines and continuations included."""
    found = section(text, title)
    if found is None:
        return ()
    rows = lines.bare_lines(text)
    hidden = sections.find_fences(rows[found.start : found.end])
    items: list[Bullet] = []
    for number in range(found.start + 1, found.end + 1):
        row = rows[number - 1]
        mark = 0 if hidden[number - found.start - 1] else _marker_length(row)
        if mark:
            items.append(Bullet(found.title, row[mark:].strip(), number, number))
        elif items and items[-1].end == number - 1 and row.startswith((" ", "\t")) and row.strip():
            last = items[-1]
            items[-1] = last.replace(text=f"{last.text}\n{row.strip()}", end=number)
    return tuple(items)


def core_bullets(text: str) -> tuple[Bullet, ...]:
    """All bullets of MEMORY.md, in order, those of further blocks included."""
    titles = dict.fromkeys(one.title for one in sections.parse_sections(text) if one.level == 2)
    return tuple(bullet for title in titles for bullet in bullets(text, title))


def item_lines(text: str) -> list[str]:
    """The lines of a bullet; those after the first are indented."""
    rows = [row.strip() for row in text.split("\n") if row.strip()]
    return [f"- {rows[0]}", *(f"  {row}" for row in rows[1:])] if rows else []


def add_bullet(text: str, block: str, bullet: str, order: Sequence[str] = BLOCKS) -> str:
    """The text with a bullet at the end of a section, which is made (in its place in `order`)
    if there is none; unchanged if the section has that bullet.
    """
    wanted = ids.bullet(block, bullet)
    if any(ids.bullet(block, one.text) == wanted for one in bullets(text, block)):
        return text
    found = section(text, block)
    if found is None:
        return _insert_section(text, block, item_lines(bullet), order)
    rows = lines.split_lines(text)
    at = found.end
    while at > found.start and not rows[at - 1].strip():
        at -= 1
    return lines.splice_lines(text, at, at, item_lines(bullet))


def _insert_section(text: str, title: str, content: Sequence[str], order: Sequence[str]) -> str:
    later = order[order.index(title) + 1 :] if title in order else ()
    following = [one for one in (section(text, name) for name in later) if one]
    rows = lines.split_lines(text)
    if following:
        at = following[0].start - 1
        return lines.splice_lines(text, at, at, [f"## {title}", *content, ""])
    gap = [""] if rows and rows[-1].strip() else []
    ended = text if not rows or rows[-1].endswith("\n") else text + lines.detect_newline(text)
    return lines.splice_lines(ended, len(rows), len(rows), [*gap, f"## {title}", *content])


def remove_bullet(text: str, block: str, bullet: str) -> str:
    """The text without a bullet of a section, given its text or its id; unchanged if absent."""
    wanted = ids.bullet(block, bullet)
    for one in bullets(text, block):
        if ids.bullet(block, one.text) in (wanted, bullet):
            return lines.splice_lines(text, one.start - 1, one.end, ())
    return text


def set_block(text: str, block: str, items: Sequence[str]) -> str:
    """The text with other bullets in a section; its heading and leading comments stay."""
    fresh = [row for item in items for row in item_lines(item)]
    found = section(text, block)
    if found is None:
        return _insert_section(text, block, fresh, BLOCKS)
    rows = lines.bare_lines(text)
    start, stop = found.start, found.end
    while start < stop and rows[start].strip().startswith("<!--") and "-->" in rows[start]:
        start += 1
    while stop > start and not rows[stop - 1].strip():
        stop -= 1
    return text if rows[start:stop] == fresh else lines.splice_lines(text, start, stop, fresh)
