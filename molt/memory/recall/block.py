"""The block that recall gives: pieces that fit, each with its place."""

from __future__ import annotations

from molt import tokens
from molt.formats import sections
from molt.index.content import sources
from molt.memory.recall import strategies
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.search.search import Result

# A piece is cut to what is left only where that is enough to say something.
_WORTH = 40
# Pieces of the same lines are one where they begin alike: a long line has several.
_SAME = 60


class Citation(Value):
    """Where a piece of the context is from; lines count from 1, inclusive."""

    id: str
    path: str
    start_line: int
    end_line: int


class _Piece(Value):
    """A piece of the block before it is measured; `before` is what is said of it."""

    citation: Citation
    before: str
    text: str


def make_pieces(group: strategies.Group, seen: frozenset[int]) -> tuple[str, list[_Piece]]:
    return group.title, [_cite_item(item) for item in group.items if item.one.chunk_id in seen]


def _cite_item(item: strategies.ShownMemory) -> _Piece:
    one = item.one
    path = sources.display_path(one.path)
    citation = Citation(one.memory_id or path, path, one.start, one.end)
    text = one.text if len(one.text) <= item.most else f"{one.text[: item.most].rstrip()} …"
    return _Piece(citation, item.note or _format_time(citation.id, one.date), text)


def cite_result(one: Result) -> _Piece:
    citation = Citation(one.id, one.path, one.start_line, one.end_line)
    return _Piece(citation, _format_time(one.id, ""), one.snippet)


def _format_time(memory: str, date: str) -> str:
    """When a memory was made, as far as it says: of an episode the minute."""
    if memory.startswith("episode:"):
        return memory.removeprefix("episode:").replace(":", " ", 1)
    return date


class Block:
    """A text that grows by pieces, each with its citation, as far as its tokens go."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._used = 0
        self._groups: dict[str, list[tuple[str, Citation]]] = {}
        self._shown: set[tuple[str, int, int, str]] = set()

    def add(self, title: str, pieces: Sequence[_Piece], until: int) -> None:
        """Add what fits of a group's pieces, until so many tokens are used; one that does not fit
        is cut where nothing of the group would be there, or nothing comes after it.
        """
        for piece in pieces:
            where = piece.citation
            key = (where.path, where.start_line, where.end_line, piece.text[:_SAME])
            if key in self._shown:
                continue
            head = 0 if title in self._groups else tokens.at_most(_render_title(title))
            left = until - self._used - head
            row = _render_piece(piece)
            cost = tokens.at_most(row)
            if cost > left and (until == self._most or title not in self._groups):
                row = _cut_piece(piece, left) if left >= _WORTH else ""
                cost = tokens.at_most(row)
            if not row or cost > left:
                return
            self._shown.add(key)
            self._groups.setdefault(title, []).append((row, where))
            self._used += cost + head

    def render_block(self) -> tuple[str, tuple[Citation, ...]]:
        """The text and its citations in their order."""
        while tokens.at_most(text := self._join_rows()) > self._most:
            # Where pieces meet, a token may be cut otherwise than in each alone.
            title = next(reversed(self._groups))
            self._groups[title].pop()
            if not self._groups[title]:
                del self._groups[title]
        return text, tuple(one for rows in self._groups.values() for _, one in rows)

    def _join_rows(self) -> str:
        parts = (
            (_render_title(title), *(row for row, _ in rows))
            for title, rows in self._groups.items()
        )
        return "".join(text for part in parts for text in part).lstrip("\n")


def _render_title(title: str) -> str:
    return f"\n## {title}\n\n"


def _render_piece(piece: _Piece) -> str:
    """A piece as an item of a list: what is said of it, its citation, its text."""
    one = piece.citation
    where = f"`{one.path}#L{one.start_line}-L{one.end_line}`"
    head = f"- {piece.before} {where}:" if piece.before else f"- {where}:"
    rows = list(_list_rows(piece.text)) or [""]
    return f"{head} {rows[0]}\n" if len(rows) == 1 else "\n  ".join((head, *rows)) + "\n"


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


def _cut_piece(piece: _Piece, left: int) -> str:
    """A piece whose text is cut to what fits; empty where too little does."""
    text = piece.text
    while len(text) > _SAME:
        row = _render_piece(piece.replace(text=f"{text.rstrip()} …"))
        cost = tokens.at_most(row)
        if cost <= left:
            return row
        text = (
            text[: min(len(text) - 1, int(len(text) * left / cost))].rpartition(" ")[0]
            or (text[: len(text) // 2])
        )
    return ""
