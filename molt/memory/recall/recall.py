"""Recall: a question answered by one block of text for a prompt, with where each piece is from."""

from __future__ import annotations

from molt import tokens
from molt.formats import ids, sections
from molt.index.content import sources
from molt.index.search import candidates
from molt.memory import questions, recall, strategies
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate, Filters
    from molt.memory.fading import Sight
    from molt.memory.past import Moment
    from molt.memory.recall import Answer, Result
    from molt.memory.strategies import Brought
    from molt.memory.workspace import Workspace

TOKENS = 1500
# What the type of a question brings may take so much of the block; what a search finds, the rest.
_SHARE = 0.65
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


class Recalled(Value):
    """What a question recalls: the block, where its pieces are from, and what a search for the
    question gives. `type` says how it was understood, `entities` whom it names.
    """

    question: str
    type: str
    entities: tuple[str, ...]
    context: str
    citations: tuple[Citation, ...]
    results: tuple[Result, ...]
    provider: str
    model: str
    fallback: str
    stale: int
    at: str = ""
    reranker: str = ""


class _Piece(Value):
    """A piece of the block before it is measured; `before` is what is said of it."""

    citation: Citation
    before: str
    text: str


def answer(
    ws: Workspace,
    question: str,
    *,
    max_tokens: int = TOKENS,
    hops: int = 1,
    limit: int = 0,
    filters: Filters = candidates.NO_FILTERS,
    today: Callable[[], str] | None = None,
    sight: Sight | None = None,
    min_score: float | None = None,
    at: Moment | None = None,
) -> Recalled:
    """What a question recalls, in at most `max_tokens`, from the files on disk or from those of
    the commit `at`. An entity's relations are followed over so many `hops`, of 0 to 2.

    The rest is as in `recall.search`, which finds the candidates of every question, and so are
    the errors that are raised.
    """
    kept: list[Brought] = []

    def more(db: Db, found: Sequence[Candidate]) -> list[Candidate]:
        brought = strategies.bring(
            strategies.Ask(
                text=question,
                question=questions.parse(question),
                db=db,
                found=found,
                filters=filters,
                today=today or (lambda: candidates.newest_day(db)),
                hops=hops,
                similarity=ws.config.graph_similarity,
            )
        )
        kept.append(brought)
        return [item.one for group in brought.groups for item in group.items]

    asked = recall.Asked(question, limit, filters, recall.MEMORY, today, sight, min_score, at, more)
    found, seen = recall.run(ws, asked)
    # A damaged index is asked twice, and only the second answer is whole.
    context, citations = _block(kept[-1], found, seen, max_tokens)
    return Recalled(
        question=question,
        type=kept[-1].type,
        entities=tuple(map(ids.entity, kept[-1].entities)),
        context=context,
        citations=citations,
        results=found.results,
        provider=found.provider,
        model=found.model,
        fallback=found.fallback,
        stale=found.stale,
        at=found.at,
        reranker=found.reranker,
    )


def _block(
    brought: Brought, found: Answer, seen: frozenset[int], most: int
) -> tuple[str, tuple[Citation, ...]]:
    """The assembled block and its citations, in their order."""
    block = _Block(most)
    early = [_group(group, seen) for group in brought.groups if not group.late]
    late = [_group(group, seen) for group in brought.groups if group.late]
    for title, pieces in early:
        block.add(title, pieces, int(most * _SHARE))
    block.add("Found", list(map(_of_result, found.results)), most)
    # What had no room before has what is left.
    for title, pieces in (*early, *late):
        block.add(title, pieces, most)
    return block.render_block()


def _group(group: strategies.Group, seen: frozenset[int]) -> tuple[str, list[_Piece]]:
    return group.title, [_of_item(item) for item in group.items if item.one.chunk_id in seen]


def _of_item(item: strategies.Item) -> _Piece:
    one = item.one
    path = sources.display_path(one.path)
    citation = Citation(one.memory_id or path, path, one.start, one.end)
    text = one.text if len(one.text) <= item.most else f"{one.text[: item.most].rstrip()} …"
    return _Piece(citation, item.note or _time(citation.id, one.date), text)


def _of_result(one: Result) -> _Piece:
    citation = Citation(one.id, one.path, one.start_line, one.end_line)
    return _Piece(citation, _time(one.id, ""), one.snippet)


def _time(memory: str, date: str) -> str:
    """When a memory was made, as far as it says: of an episode the minute."""
    if memory.startswith("episode:"):
        return memory.removeprefix("episode:").replace(":", " ", 1)
    return date


class _Block:
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
            head = 0 if title in self._groups else tokens.at_most(_title(title))
            left = until - self._used - head
            row = _row(piece)
            cost = tokens.at_most(row)
            if cost > left and (until == self._most or title not in self._groups):
                row = _cut(piece, left) if left >= _WORTH else ""
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
        parts = ((_title(title), *(row for row, _ in rows)) for title, rows in self._groups.items())
        return "".join(text for part in parts for text in part).lstrip("\n")


def _title(title: str) -> str:
    return f"\n## {title}\n\n"


def _row(piece: _Piece) -> str:
    """A piece as an item of a list: what is said of it, its citation, its text."""
    one = piece.citation
    where = f"`{one.path}#L{one.start_line}-L{one.end_line}`"
    head = f"- {piece.before} {where}:" if piece.before else f"- {where}:"
    rows = list(_rows(piece.text)) or [""]
    return f"{head} {rows[0]}\n" if len(rows) == 1 else "\n  ".join((head, *rows)) + "\n"


def _rows(text: str) -> Iterator[str]:
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


def _cut(piece: _Piece, left: int) -> str:
    """A piece whose text is cut to what fits; empty where too little does."""
    text = piece.text
    while len(text) > _SAME:
        row = _row(piece.replace(text=f"{text.rstrip()} …"))
        cost = tokens.at_most(row)
        if cost <= left:
            return row
        text = (
            text[: min(len(text) - 1, int(len(text) * left / cost))].rpartition(" ")[0]
            or (text[: len(text) // 2])
        )
    return ""
