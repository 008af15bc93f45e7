"""Search: candidates from the index, which is brought up to the files first."""

from __future__ import annotations

from molt import errors, formats
from molt.formats import ids
from molt.index import embed, query, sources
from molt.memory import fading, indexing, lifecycle
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.query import Filters
    from molt.memory.fading import Sight
    from molt.memory.workspace import Workspace

SNIPPET = 700


class Result(Value):
    """One memory found; lines count from 1, inclusive; `signals` say where the score is from,
    `source` whether it is of the memory, an extra folder or a transcript.
    """

    id: str
    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float
    signals: dict[str, float]
    citation: str
    source: str


class Answer(Value):
    """Results with what gave them; `fallback` says why vectors are missing, `stale` how many."""

    query: str
    results: tuple[Result, ...]
    provider: str
    model: str
    fallback: str
    stale: int


def search(
    ws: Workspace,
    text: str,
    *,
    limit: int = 0,
    filters: Filters | None = None,
    sight: Sight | None = None,
) -> Answer:
    """The memories that match a text best, from the files as they are on disk now.

    Without a `sight` no time has passed, and nothing has faded.
    """
    seconds = max(1.0, ws.config.search_sync_budget_ms / 1000)
    with indexing.provided(ws, seconds=seconds) as (provider, why):
        try:
            return _search(ws, text, provider, why, limit=limit, filters=filters, sight=sight)
        except errors.Unavailable as error:
            provider, why = embed.fallback(ws.config, indexing.said(error))
    return _search(ws, text, provider, why, limit=limit, filters=filters, sight=sight)


def _search(
    ws: Workspace,
    text: str,
    provider: embed.Provider | None,
    why: str,
    *,
    limit: int,
    filters: Filters | None,
    sight: Sight | None,
) -> Answer:
    most = limit or ws.config.search_limit
    with indexing.opened(ws, provider) as db:
        fresh = indexing.freshen(ws, db, provider)
        found = query.candidates(
            db,
            text,
            limit=most,
            filters=filters or query.NO_FILTERS,
            provider=provider,
            fusion=ws.config.search_fusion,
        )
    weighed = [(one, 1.0) for one in found]
    if sight is not None and found:
        weighed = fading.weighed(found, lifecycle.scores(ws, ws.head(), sight.now), sight)
    good = [pair for pair in weighed if pair[0].score >= ws.config.search_min_score]
    results = tuple(_result(*pair) for pair in good[:most])
    name, model = (provider.name, provider.model) if provider else ("none", "")
    return Answer(text, results, name, model, why, fresh.stale)


def _result(one: query.Candidate, decay: float) -> Result:
    path, source = sources.shown(one.path), sources.source(one.path)
    where = f"{path}#L{one.start}-L{one.end}"
    signals = {"bm25": one.bm25, "vector": one.vector, "graph": 0.0, "decay": decay}
    name = one.memory_id or path
    snippet = one.text[:SNIPPET]
    return Result(name, path, one.start, one.end, snippet, one.score, signals, where, source)


def get(ws: Workspace, ref: str, *, start: int = 1, lines: int = 0) -> str:
    """A memory by id or path, or some of its lines. Raises NotFound, or Usage for a bad path."""
    path = ref
    if not ref.endswith(".md"):
        try:
            path = ids.path_of(ref)
        except ValueError as error:
            raise errors.NotFound(f"no memory {ref!r}", "`molt search` gives ids") from error
    worktree.safe_path(path)
    if formats.kind(path) == "other":
        raise errors.Usage(f"{path} is no memory file")
    data = worktree.read(ws.repo.root, path)
    if data is None:
        raise errors.NotFound(f"no file {path}", "`molt search` gives ids")
    rows = data.decode("utf-8", "replace").splitlines(keepends=True)
    end = start - 1 + lines if lines else len(rows)
    return "".join(rows[max(start - 1, 0) : end])
