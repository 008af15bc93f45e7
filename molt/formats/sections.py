"""The headings of a Markdown text, and the lines that each governs."""

from __future__ import annotations

from molt.formats.frontmatter import split_front_matter
from molt.formats.lines import BOM, bare_lines
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


HIDING = ("```", "~~~", "<!--")
"""What hides headings: without them no line need be looked at twice."""


class Section(Value):
    """A heading and what it governs: lines `start` (the heading) to `end`, from 1, inclusive."""

    level: int
    title: str
    start: int
    end: int


def parse_heading(line: str) -> tuple[int, str] | None:
    """Level and title of an ATX heading line; None if it is none."""
    if not line.startswith("#"):
        return None
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if level > 6 or (rest and rest[0] not in " \t"):
        return None
    title = rest.strip()
    closed = title.rstrip("#")
    if closed != title and (not closed or closed[-1] in " \t"):
        title = closed.rstrip()
    return level, title


def find_fences(every: Sequence[str]) -> list[bool]:
    """For each line whether it is inside, or a mark of, a fenced code block or HTML comment."""
    inside: list[bool] = []
    mark, comment = "", False
    for line in every:
        stripped = line.strip()
        if mark:
            inside.append(True)
            if stripped.startswith(mark) and not stripped.strip(mark[0]):
                mark = ""
        elif comment:
            inside.append(True)
            comment = "-->" not in stripped
        elif stripped.startswith(("```", "~~~")):
            tail = stripped.lstrip(stripped[0])
            opens = not (stripped[0] == "`" and "`" in tail)
            inside.append(opens)
            mark = stripped[: len(stripped) - len(tail)] if opens else ""
        else:
            inside.append(stripped.startswith("<!--"))
            comment = stripped.startswith("<!--") and "-->" not in stripped
    return inside


def list_titles(text: str) -> list[str]:
    """The titles of all heading lines of a text, in order."""
    return [found[1] for found in map(parse_heading, text.split("\n")) if found]


def parse_sections(text: str) -> tuple[Section, ...]:
    """The ATX headings with the lines they govern; those in code, comments and front matter
    are none.
    """
    _, body, before = split_front_matter(text)
    every = bare_lines(body)
    if BOM in body:
        every = [line.removeprefix(BOM) for line in every]
    hidden = find_fences(every) if any(mark in body for mark in HIDING) else ()
    heads: list[tuple[int, str, int]] = []
    for number, line in enumerate(every):
        found = parse_heading(line) if line[:1] == "#" else None
        if found and not (hidden and hidden[number]):
            heads.append((*found, before + number + 1))
    # Backwards: where a section of each level or above begins that is the next to come.
    follows = [before + len(every) + 1] * 7
    found_sections: list[Section] = []
    for level, title, start in reversed(heads):
        found_sections.append(Section(level, title, start, follows[level] - 1))
        follows[level:] = [start] * (7 - level)
    return tuple(reversed(found_sections))
