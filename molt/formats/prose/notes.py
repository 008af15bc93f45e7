"""Notes in free prose, cut into the pieces that can be named: bullets, steps, paragraphs."""

from __future__ import annotations

from molt.formats import episodes, frontmatter, ids, lines, origin, paths, sections, times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PREFIX = "note:"
_FOLDER = "memory/"
_BARRED = frozenset("#(),[]")
"""What an id of a note cannot have: brackets and commas part the sources that a fact names."""
_BOXES = ("[ ] ", "[x] ", "[X] ")
_MARKS = ("- ", "* ", "+ ", "• ")


class NotePiece(Value):
    """One bullet, numbered step or paragraph of a note: its words without the mark of a list, its
    lines from 1, inclusive, and the titles above it, the outermost first. `lead` is the line that a
    list stands below (a bullet around it, a paragraph that ends with a colon).
    """

    path: str
    date: str
    text: str
    start: int
    end: int
    titles: tuple[str, ...] = ()
    lead: str = ""

    @property
    def id(self) -> str:
        """By what it can be named: its file and its words. Text around it may change."""
        return name_piece(self.path, self.text)


def name_piece(path: str, text: str) -> str:
    """The id of a piece: `note:2026-03-04#1f2e3d4c`, of a file below `memory/` without its `.md`,
    and of words, in which spacing does not matter.
    """
    return f"{PREFIX}{path.removeprefix(_FOLDER).removesuffix('.md')}#{ids.digest(text)}"


def may_name(path: str) -> bool:
    """Whether the pieces of a file have ids: it is Markdown below `memory/` that no format of its
    own has, or a log of a day, and its name has nothing that would end an id.
    """
    plain = path.isprintable() and path == path.strip() and _BARRED.isdisjoint(path)
    return plain and paths.kind_of(path) in ("episode", "prose") and not _is_kept(path)


def _is_kept(path: str) -> bool:
    return path.startswith("memory/meta/")


def find_date(path: str) -> str:
    """The day that the name of a note begins with; empty for none."""
    name = path.rpartition("/")[2]
    return name[:10] if times.is_date(name[:10]) and not name[10:11].isdigit() else ""


def is_daily(path: str) -> bool:
    """Whether a file is a note named for a day, in any folder below `memory/`; what is written as
    episodes, and what was imported, is none.
    """
    apart = (paths.EPISODES, origin.IMPORTED)
    below = path.startswith(_FOLDER) and not path.startswith(apart)
    return below and bool(find_date(path)) and may_name(path)


def parse_pieces(path: str, text: str) -> tuple[NotePiece, ...]:
    """The pieces of a note, in order: without code, tables, comments, front matter, and without
    what stands in entries of molt's own, which have ids of theirs. Never raises.
    """
    rows = lines.bare_lines(text)
    _, _, before = frontmatter.split_front_matter(text)
    last = _find_entries(text, find_date(path)) or len(rows)
    return tuple(_Cutter(path, rows).cut(before, last))


def _find_entries(text: str, date: str) -> int:
    """How many lines stand before the first entry that has a type; 0 for no such entry."""
    if "|" not in text:
        return 0
    first = next((one for one in episodes.parse(text, date) if one.type), None)
    return max(first.start - 1, 0) if first else 0


class _Cutter:
    """Cuts the lines of one note."""

    def __init__(self, path: str, rows: Sequence[str]) -> None:
        self.path = path
        self.rows = rows
        self.date = find_date(path)
        self.titles: list[tuple[int, str]] = []
        self.leads: list[tuple[int, str]] = []
        self.held: list[str] = []
        self.about = NotePiece(path, self.date, "", 0, 0)

    def cut(self, before: int, last: int) -> Iterator[NotePiece]:
        """The pieces of the lines behind some, up to a last one."""
        hidden = sections.find_fences(self.rows)
        for at in range(before, last):
            row = self.rows[at]
            head = None if hidden[at] else sections.parse_heading(row)
            bare = row.strip()
            ends = hidden[at] or head or not bare or bare.startswith("|") or _is_rule(bare)
            if ends or _measure_mark(row):
                yield from self._finish(at)
            if head:
                self._enter(*head)
            elif not ends:
                self._take(at, row)
        yield from self._finish(last)

    def _enter(self, level: int, title: str) -> None:
        self.titles = [one for one in self.titles if one[0] < level]
        self.titles.append((level, title))
        self.leads = []

    def _take(self, at: int, row: str) -> None:
        """A line that begins a piece, or goes on with one."""
        length = _measure_mark(row)
        if not length and self.held:
            self.held.append(row.strip())
            return
        indent = len(row) - len(row.lstrip())
        said = row.strip()[length:].strip()
        self.leads = [one for one in self.leads if one[0] < indent or (length and one[0] < 0)]
        if not length:
            self.leads = []
        self.held = [said[4:].strip() if said.startswith(_BOXES) else said]
        self.about = NotePiece(
            self.path,
            self.date,
            "",
            at + 1,
            at + 1,
            titles=tuple(title for _, title in self.titles),
            lead=self.leads[-1][1] if self.leads else "",
        )
        if length:
            self.leads.append((indent, self.held[0]))

    def _finish(self, at: int) -> Iterator[NotePiece]:
        """The piece that ends before a line."""
        text = " ".join(filter(None, self.held))
        whole = bool(self.held)
        self.held = []
        if whole and any(map(str.isalnum, text)):
            yield self.about.replace(text=text, end=max(at, self.about.start))
            if not self.leads and text.endswith((":", "：", "**")):
                self.leads = [(-1, text)]


def _is_rule(bare: str) -> bool:
    return len(bare) > 2 and not bare.strip("-*_= ")


def _measure_mark(row: str) -> int:
    """How long the mark of a list item is behind its indentation; 0 for a line that is none."""
    bare = row.lstrip()
    if bare.startswith(_MARKS):
        return 2
    digits = len(bare) - len(bare.lstrip("0123456789"))
    if 0 < digits < 4:
        if bare[digits : digits + 2] in (". ", ") "):
            return digits + 2
        if bare[digits : digits + 1] in ("、", "．"):
            return digits + 1 + (bare[digits + 1 : digits + 2] == " ")
    return 0


def find_piece(path: str, text: str, memory: str) -> NotePiece | None:
    """The piece of a note that an id names; None where the note has it no more."""
    anchor = memory.rpartition("#")[2]
    if not anchor or name_piece(path, "").rpartition("#")[0] != memory.rpartition("#")[0]:
        return None
    return next((one for one in parse_pieces(path, text) if one.id == memory), None)
