"""Files made of titled sections: front matter by field, lists by item, other text by line."""

from __future__ import annotations

from molt.formats import frontmatter, sections
from molt.formats import lines as textlines
from molt.formats.merge import fields, lists, texts
from molt.formats.merge.result import MergeResult
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Title = tuple[int, str, int]
    Lines = tuple[str, ...]


class Parted(Value):
    """A file taken apart: its front matter (None for none), and its sections by level, title and
    how many of that title stand before, each with its heading; what stands above the first one has
    the level 0.
    """

    front: Mapping[str, Lines] | None
    marks: tuple[str, str]
    parts: Mapping[Title, Lines]


def merge_sections(
    base: str, ours: str, theirs: str, *, unite: bool = False, mark: int = texts.MARK
) -> MergeResult:
    """The file with what both sides changed in it.

    Items of lists are united; other lines are merged, and where both changed the same ones it is
    left to a person. With `unite` lines that both have added in one place are both kept.
    """
    sides = tuple(_parse_parts(_end_text(text)) for text in (base, ours, theirs))
    before, mine, yours = sides
    if before is None or mine is None or yours is None:
        return _merge_plain(base, ours, theirs, mark)
    if not _list_repeated(before) == _list_repeated(mine) == _list_repeated(yours):
        # Which of them a side has added, or taken away, nobody can tell.
        return _merge_plain(base, ours, theirs, mark)
    if all(sum(level == 1 for level, *_ in side.parts) < 2 for side in (before, mine, yours)):
        before, mine, yours = map(_drop_title, (before, mine, yours))
    work = _Work(unite, mark)
    front = work.merge_front(before, mine, yours)
    every: list[str] = []
    for title in _order_titles(before, mine, yours):
        rows = work.merge_section(title, *(side.parts.get(title) for side in (before, mine, yours)))
        if rows and title[0] and every and every[-1].strip():
            every.append(textlines.detect_newline(ours))
        every += rows
    while every and not every[-1].strip():
        every.pop()
    return MergeResult("".join((*front, *every)), tuple(work.conflicts))


def _merge_plain(base: str, ours: str, theirs: str, mark: int) -> MergeResult:
    conflicts: list[str] = []

    def settle(piece: texts.Piece) -> Sequence[str]:
        conflicts.append("both sides changed the same lines")
        return texts.mark_conflict(piece[1], piece[2], mark)

    before, mine, yours = (textlines.split_lines(_end_text(text)) for text in (base, ours, theirs))
    merged = texts.merge_lines(before, mine, yours, settle=settle)
    return MergeResult("".join(merged), tuple(conflicts))


def _end_text(text: str) -> str:
    return text if not text or text.endswith("\n") else text + textlines.detect_newline(text)


def _parse_parts(text: str) -> Parted | None:
    """A text taken apart; None where the front matter is no mapping."""
    block, body, before = frontmatter.split_front_matter(text)
    every = textlines.split_lines(text)
    front = None if block is None else fields.parse_blocks(every[1 : before - 1])
    if block is not None and front is None:
        return None
    marks = (every[0], every[before - 1]) if block is not None else ("", "")
    rows = textlines.split_lines(body)
    heads = {
        one.start: (one.level, one.title.casefold())
        for one in sections.parse_sections(body)
        if one.level < 3
    }
    seen: dict[tuple[int, str], int] = {}
    title: Title = (0, "", 0)
    parts: dict[Title, list[str]] = {title: []}
    for number, row in enumerate(rows, 1):
        if number in heads:
            head = heads[number]
            seen[head] = seen.get(head, -1) + 1
            title = (*head, seen[head])
            parts[title] = []
        parts[title].append(row)
    return Parted(front, marks, {name: tuple(lines) for name, lines in parts.items()})


def _list_repeated(side: Parted) -> set[Title]:
    """The sections whose title another one before them has already."""
    return {title for title in side.parts if title[2]}


def _drop_title(side: Parted) -> Parted:
    """The same where a file has one title: it may be worded anew, and is still that."""
    parts = {
        (level, "" if level == 1 else name, nth): rows
        for (level, name, nth), rows in side.parts.items()
    }
    return side.replace(parts=parts)


def _order_titles(base: Parted, ours: Parted, theirs: Parted) -> list[Title]:
    """The sections of both sides in the order of ours, and what only theirs has behind the one
    that it follows there.
    """
    order = list(ours.parts)
    for at, title in enumerate(theirs.parts):
        if title not in ours.parts:
            before = [one for one in list(theirs.parts)[:at] if one in order]
            order.insert(order.index(before[-1]) + 1 if before else 0, title)
    return order + [title for title in base.parts if title not in order]


class _Work:
    """One merge, and what it left to a person."""

    def __init__(self, unite: bool, mark: int) -> None:
        self._unite = unite
        self._mark = mark
        self.conflicts: list[str] = []

    def merge_front(self, base: Parted, ours: Parted, theirs: Parted) -> list[str]:
        """The lines of the front matter, with its marks."""
        if ours.front is None and theirs.front is None:
            return []
        old, mine, yours = (dict(side.front or {}) for side in (base, ours, theirs))
        rows, keys = fields.merge_blocks(old, mine, yours, mark=self._mark)
        self.conflicts += [f"both sides changed `{key}`" for key in keys]
        first, last = (ours if ours.front is not None else theirs).marks
        return [first, *rows, last]

    def merge_section(
        self, title: Title, base: Lines | None, ours: Lines | None, theirs: Lines | None
    ) -> Sequence[str]:
        """The lines of a section; none where a side took it away and the other left it alone."""
        words = [None if side is None else _strip_end(side) for side in (base, ours, theirs)]
        if ours is None or theirs is None:
            # What one side took away and the other changed is kept as changed.
            gone = base is not None and words[0] in words[1:]
            return [] if gone else ours or theirs or []
        chosen = texts.choose_side(*words)
        if chosen:
            return (base or (), ours, theirs)[chosen]
        head = int(title[0] > 0)
        heads = [side[:head] for side in (base or (), ours, theirs)]
        rows = [side[head:] for side in (base or (), ours, theirs)]
        return [*self._merge_heading(*heads), *self._merge_body(title[1], *rows)]

    def _merge_heading(self, base: Lines, ours: Lines, theirs: Lines) -> Sequence[str]:
        chosen = texts.choose_side(base, ours, theirs)
        # Two new files about one thing: the other name of it is in the front matter.
        if chosen or not base or ours[0].casefold() == theirs[0].casefold():
            return (base, ours, theirs)[chosen or 1]
        self.conflicts.append("both sides changed the title")
        return texts.mark_conflict(ours, theirs, self._mark)

    def _merge_body(self, name: str, base: Lines, ours: Lines, theirs: Lines) -> Sequence[str]:
        sides = [lists.parse_listing(side) for side in (base, ours, theirs)]
        before, mine, yours = sides
        if before is not None and mine is not None and yours is not None:
            head = self._merge_rows(name, before.head, mine.head, yours.head)
            return [*head, *lists.merge_items(before, mine, yours), *mine.tail]
        return self._merge_rows(name, base, ours, theirs)

    def _merge_rows(self, name: str, base: Lines, ours: Lines, theirs: Lines) -> Sequence[str]:
        def settle(piece: texts.Piece) -> Sequence[str]:
            before, mine, yours = piece
            if not any(map(str.strip, (*mine, *yours))):
                return mine
            if self._unite and not any(map(str.strip, before)):
                return [*mine, *yours]
            where = f"in `{name}`" if name else "at its beginning"
            self.conflicts.append(f"both sides changed the same lines {where}")
            return texts.mark_conflict(mine, yours, self._mark)

        return texts.merge_lines(base, ours, theirs, settle=settle)


def _strip_end(lines: Lines) -> Lines:
    """The lines of a section without the blank ones at its end, which belong to what follows."""
    stop = len(lines)
    while stop and not lines[stop - 1].strip():
        stop -= 1
    return lines[:stop]
