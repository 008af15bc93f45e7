"""Search: candidates from the index, which is brought up to the files first."""

from __future__ import annotations

import os

from molt import errors, formats
from molt.formats import ids
from molt.index import db as dbs
from molt.index import embed, query, sync
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.query import Filters
    from molt.memory.workspace import Workspace
    from molt.trees import Entry

SNIPPET = 700


class Result(Value):
    """One memory found; lines count from 1, inclusive; `signals` say where the score is from."""

    id: str
    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float
    signals: dict[str, float]
    citation: str


class Answer(Value):
    """Results with what gave them; `fallback` says why vectors are missing, `stale` how many."""

    query: str
    results: tuple[Result, ...]
    provider: str
    model: str
    fallback: str
    stale: int


def search(ws: Workspace, text: str, *, limit: int = 0, filters: Filters | None = None) -> Answer:
    """The memories that match a text best, from the files as they are on disk now."""
    provider, why = embed.load(ws.config)
    most = limit or ws.config.search_limit
    with_db = _Index(ws, embed.fingerprint(provider))
    with with_db as db:
        fresh = _freshen(ws, db, provider)
        found = query.candidates(
            db,
            text,
            limit=most,
            filters=filters or query.NO_FILTERS,
            provider=provider,
            fusion=ws.config.search_fusion,
        )
    good = [one for one in found if one.score >= ws.config.search_min_score]
    results = tuple(_result(one) for one in good[:most])
    name, model = (provider.name, provider.model) if provider else ("none", "")
    return Answer(text, results, name, model, why, fresh.stale)


def _freshen(ws: Workspace, db: dbs.Db, provider: embed.Provider | None) -> sync.Freshness:
    head = ws.repo.reader.tree_id("HEAD")
    tree = ws.repo.tree(head)
    files = worktree.Worktree(ws.repo, tree)

    def differing(old: str) -> dict[str, Entry | None] | None:
        try:
            changes = tree.changes(ws.repo.tree(old))
        except errors.MoltError:
            # A tree that a rewritten history left behind may be gone.
            return None
        return {change.path: change.new for change in changes or ()}

    dirty = frozenset(path for path in files.dirty if path.endswith(".md"))
    budget = ws.config.search_sync_budget_ms
    base = sync.Base(head, dirty, differing) if head else None
    return sync.freshen(db, files, budget_ms=budget, provider=provider, base=base)


def index(ws: Workspace, *, rebuild: bool = False) -> sync.Freshness:
    """Bring the whole index up, without a time limit; made anew where asked."""
    provider, _ = embed.load(ws.config)
    with _Index(ws, embed.fingerprint(provider)) as db:
        if rebuild:
            db.rebuild()
        unbounded = ws.replace(config=ws.config.replace(search_sync_budget_ms=86_400_000))
        return _freshen(unbounded, db, provider)


class _Index:
    def __init__(self, ws: Workspace, fingerprint: str) -> None:
        self._folder = ws.repo.molt_dir
        self._temporary = ""
        try:
            os.makedirs(self._folder, exist_ok=True)
            writable = os.access(self._folder, os.W_OK)
        except OSError:
            writable = False
        if not writable:
            # A workspace that must not be written is searched through an index of this call.
            from tempfile import mkdtemp

            self._folder = self._temporary = mkdtemp(prefix="molt-")
        self._db = dbs.open(os.path.join(self._folder, "index.sqlite"), fingerprint)

    def __enter__(self) -> dbs.Db:
        return self._db

    def __exit__(self, *_exception: object) -> None:
        self._db.close()
        if self._temporary:
            import shutil

            shutil.rmtree(self._temporary, ignore_errors=True)


def _result(one: query.Candidate) -> Result:
    where = f"{one.path}#L{one.start}-L{one.end}"
    signals = {"bm25": one.bm25, "vector": one.vector, "graph": 0.0, "decay": 1.0}
    name = one.memory_id or one.path
    snippet = one.text[:SNIPPET]
    return Result(name, one.path, one.start, one.end, snippet, one.score, signals, where)


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
