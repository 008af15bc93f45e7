"""The block that recall gives: pieces that fit, each with its place."""

from __future__ import annotations

from molt import tokens
from molt.formats import paths, sections
from molt.index.content import sources
from molt.memory.recall import strategies
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.memory.search.search import Result

# A piece is cut to what is left only where that is enough to say something.
_WORTH = 40
# Pieces of the same lines are one where they begin alike: a long line has several.
_SAME = 60
# What stands where a text is cut.
_CUT = " …"
# So many pieces that do not fit are passed over for shorter ones behind them.
_PASSED = 12


class Citation(Value):
    """Where a piece of the context is from; lines count from 1, inclusive."""

    id: str
    path: str
    start_line: int
    end_line: int


class Piece(Value):
    """A piece of the block before it is measured; `before` is what is said of it, `time` the
    minute that it was written, `old` whether it was superseded.
    """

    citation: Citation
    before: str
    text: str
    time: str = ""
    old: bool = False


def make_pieces(group: strategies.Group, seen: frozenset[int]) -> tuple[str, list[Piece]]:
    return group.title, [cite_item(item) for item in group.items if item.one.chunk_id in seen]


def cite_item(item: strategies.ShownMemory) -> Piece:
    one = item.one
    path = sources.display_path(one.path)
    citation = Citation(one.memory_id or path, path, one.start, one.end)
    text = one.text if len(one.text) <= item.most else f"{one.text[: item.most].rstrip()} …"
    time = _read_minute(citation.id)
    right = _tell_superseded(one.corrected)
    note = " ".join(filter(None, (right, item.note))) or ("" if time else one.date)
    return Piece(citation, note, text, time, bool(right))


def cite_result(one: Result) -> Piece:
    citation = Citation(one.id, one.path, one.start_line, one.end_line)
    day = "" if one.date in one.path else one.date
    time = _read_minute(one.id)
    right = _tell_superseded(one.corrected)
    return Piece(citation, right or ("" if time else day), one.snippet, time, bool(right))


def _tell_superseded(by: str) -> str:
    return f"(superseded by {by})" * bool(by)


def _read_minute(memory: str) -> str:
    """The minute of an episode, of which the heading above tells the day; empty for another."""
    if not memory.startswith("episode:"):
        return ""
    return memory.removeprefix("episode:").partition(":")[2][:5]


def name_file(path: str) -> str:
    """How a file is called in the block: a day's log by its day, which `molt get` takes as well."""
    day = path.removeprefix(paths.EPISODES).removesuffix(".md")
    return day if paths.date_of(path) == day and path == f"{paths.EPISODES}{day}.md" else path


class _File:
    """What is shown of one file below a title."""

    def __init__(self, path: str) -> None:
        self.head = f"### {name_file(path)}\n"
        self.pieces: list[Piece] = []


class Block:
    """A text that grows by pieces, each with its citation, as far as its tokens go. Those of a day
    or a file stand below one heading.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._used = 0
        self._groups: dict[str, dict[str, _File]] = {}
        self._shown: dict[tuple[str, int, int], str] = {}

    def add(self, title: str, pieces: Iterable[Piece], until: int) -> None:
        """Add what fits of a group's pieces, until so many tokens are used; one that does not fit
        is cut where nothing of the group would be there, or nothing comes after it.
        """
        passed = 0
        for piece in pieces:
            where = piece.citation
            key = (where.path, where.start_line, where.end_line)
            if not piece.text.strip() or _is_within(piece.text, self._shown.get(key, "")):
                continue
            if added := self._fit(title, piece, until):
                self._shown[key] = f"{self._shown.get(key, '')}\n{added.text}"
                continue
            passed += 1
            if passed == _PASSED or until - self._used < _WORTH:
                return

    def _fit(self, title: str, piece: Piece, until: int) -> Piece | None:
        """Add a piece, or what fits of it; gives what was added, None for nothing."""
        head = self._measure_heads(title, piece)
        left = until - self._used - head
        cost = tokens.at_most(_render_piece(piece, piece.time))
        if cost > left and (until == self._most or title not in self._groups):
            cut = _cut_piece(piece, left) if left >= _WORTH else None
            if cut is None:
                return None
            piece, cost = cut, tokens.at_most(_render_piece(cut, cut.time))
        if cost > left:
            return None
        files = self._groups.setdefault(title, {})
        file = files.setdefault(piece.citation.path, _File(piece.citation.path))
        file.pieces.append(piece)
        self._used += cost + head
        return piece

    def _measure_heads(self, title: str, piece: Piece) -> int:
        """What the headings cost that a piece brings along."""
        files = self._groups.get(title)
        head = "" if files is not None else _render_title(title)
        if files is None or piece.citation.path not in files:
            head += _File(piece.citation.path).head
        return tokens.at_most(head) if head else 0

    def render_block(self) -> tuple[str, tuple[Citation, ...]]:
        """The text and its citations in their order."""
        while tokens.at_most(text := self._join_rows()) > self._most:
            # Where pieces meet, a token may be cut otherwise than in each alone.
            self._drop_last()
        return text, tuple(
            one.citation
            for files in self._groups.values()
            for file in files.values()
            for one in _sort_pieces(file.pieces)
        )

    def _drop_last(self) -> None:
        title = next(reversed(self._groups))
        files = self._groups[title]
        path = next(reversed(files))
        files[path].pieces.pop()
        if not files[path].pieces:
            del files[path]
        if not files:
            del self._groups[title]

    def _join_rows(self) -> str:
        rows = (
            row
            for title, files in self._groups.items()
            for row in (_render_title(title), *_render_files(files.values()))
        )
        return "".join(rows).lstrip("\n")


def _is_within(text: str, shown: str) -> bool:
    """Whether a text begins as one that was shown of the same lines, or has nothing more to say
    than those: however each is cut.
    """
    if not shown:
        return False
    rows = [row.strip(_CUT) for row in text.split("\n")]
    return f"\n{text[:_SAME]}" in shown or all(row in shown for row in rows)


def _render_files(files: Iterable[_File]) -> Iterator[str]:
    for file in files:
        yield file.head
        time = ""
        for piece in _sort_pieces(file.pieces):
            yield _render_piece(piece, piece.time if piece.time != time else "")
            time = piece.time


def _sort_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of a file as they stand there: an answer comes after its question, and what was
    superseded after the rest.
    """
    return sorted(pieces, key=lambda one: (one.old, one.citation.start_line))


def _render_title(title: str) -> str:
    return f"\n## {title}\n\n"


def _render_piece(piece: Piece, time: str) -> str:
    """A piece as an item of a list: its lines, when and what is said of it, its text. Of an entry
    of a day its first line is enough, for it has a heading of its own there.
    """
    one = piece.citation
    whole = one.start_line == one.end_line or bool(piece.time)
    where = f"L{one.start_line}" if whole else f"L{one.start_line}-L{one.end_line}"
    head = f"- {' '.join(filter(None, (where, time, piece.before)))}:"
    rows = _sort_struck(list(_list_rows(piece.text))) or sections.list_titles(piece.text) or [""]
    return f"{head} {rows[0]}\n" if len(rows) == 1 else "\n  ".join((head, *rows)) + "\n"


def _sort_struck(rows: list[str]) -> list[str]:
    """Rows with those that are struck out after the others of their list, which replaced them."""
    if not any(row.startswith("- ~~") for row in rows):
        return rows
    kept: list[str] = []
    held: list[str] = []
    for row in rows:
        if row.startswith("- ~~"):
            held.append(row)
            continue
        if held and not row.startswith("- "):
            kept, held = [*kept, *held], []
        kept.append(row)
    return [*kept, *held]


def _list_rows(text: str) -> Iterator[str]:
    """The lines of a memory that say something. Its headings must not look like the block's, and
    are left out where nothing is below them.
    """
    heads: list[tuple[int, str]] = []
    for line in text.split("\n"):
        row = line.rstrip()
        found = sections.parse_heading(row)
        if found:
            level = found[0]
            heads = [*(head for head in heads if head[0] < level), found]
        elif row.strip() and not (row.startswith("<!--") and row.endswith("-->")):
            yield from (f"{title}:" for _, title in heads)
            heads = []
            yield row


def _cut_piece(piece: Piece, left: int) -> Piece | None:
    """A piece whose text is cut to what fits; None where too little does."""
    text = piece.text
    while len(text) > _SAME:
        short = piece.replace(text=f"{text.rstrip()} …")
        cost = tokens.at_most(_render_piece(short, piece.time))
        if cost <= left:
            return short
        text = (
            text[: min(len(text) - 1, int(len(text) * left / cost))].rpartition(" ")[0]
            or (text[: len(text) // 2])
        )
    return None
