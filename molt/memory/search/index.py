"""The index of a workspace: opened for its provider, brought up in full, watched."""

from __future__ import annotations

import os

from molt import errors
from molt.formats import paths
from molt.index import copies, providers
from molt.index import db as dbs
from molt.index.content import sources
from molt.index.fill import sync, vectors
from molt.index.providers import provider as vector_identity
from molt.managed import managed
from molt.memory.consents import consent
from molt.memory.held import quarantine, withheld
from molt.memory.visible import forgotten
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.config import Config
    from molt.index.providers.provider import Provider
    from molt.memory.workspace import Workspace
    from molt.trees import Entry, Tree

    Progress = Callable[[str, int, int], None]
    Comparer = Callable[[str], dict[str, Entry | None] | None]

BATCH = "batch.json"
_FOREVER = float("inf")


class Outcome(Value):
    """Files that were read or dropped, chunks without a vector, who gave the others; `fallback`
    says why it is not the configured provider, `failure` why some vectors are missing, `notes`
    what could not be read.
    """

    updated: int
    stale: int
    provider: str
    model: str
    fallback: str
    failure: str
    notes: tuple[str, ...] = ()


class IndexStatus(Value):
    """What the index holds and what it still lacks."""

    provider: str
    model: str
    fallback: str
    files: int
    chunks: int
    stale: int
    changed: int
    bytes: int
    cache_bytes: int
    batch: str


@managed
def provided(ws: Workspace, *, seconds: float = 0.0) -> Iterator[tuple[Provider | None, str]]:
    """The workspace's provider behind its cache, or its fallback and why; one that knows the
    Latin script alone is paired with the model in the package.

    `seconds` bounds how long one request of a remote one may take.
    """
    refusal = consent.explain_refusal(ws.missing, consent.EMBEDDING)
    if refusal:
        found, why = providers.load_fallback(ws.config, refusal, seconds=seconds)
    elif ws.kept is None:
        found, why = providers.load(ws.config, seconds=seconds)
    else:

        def load(config: Config) -> tuple[Provider | None, str]:
            return providers.load(config, seconds=seconds)

        found, why = ws.kept.load_provider(ws.config, load)
    with _cache_provider(ws, found) as provider:
        try:
            if provider is not None:
                _ = provider.dims
        except errors.Unavailable as error:
            provider, why = providers.load_fallback(ws.config, format_error(error))
        yield _pair_provider(provider), why


def _pair_provider(provider: Provider | None) -> Provider | None:
    if provider is None or not provider.latin_only:
        return provider
    from molt.index.providers import paired, static

    return paired.Paired(provider, static.Static())


@managed
def _cache_provider(ws: Workspace, provider: Provider | None) -> Iterator[Provider | None]:
    if provider is None or provider.name == "static" or not ws.config.embedding_cache_mb:
        yield provider
        return
    from molt.index.providers import cache

    with open_folder(ws) as place:
        try:
            kept = cache.VectorCache(os.path.join(place, cache.NAME), ws.config.embedding_cache_mb)
        except dbs.UNWRITABLE:
            yield provider
            return
        try:
            yield cache.Cached(provider, kept)
        finally:
            kept.close()


@managed
def opened(ws: Workspace, provider: Provider | None) -> Iterator[dbs.Db]:
    """The index for a provider; a fallback has its own, and throws nothing of the other away."""
    with open_folder(ws) as place:
        path = os.path.join(place, name_index_file(ws, provider))
        fingerprint = vector_identity.fingerprint(provider)
        if ws.kept is not None and place == ws.repo.molt_dir:
            with ws.kept.open_index(path, fingerprint) as db:
                yield db
            return
        db = dbs.open(path, fingerprint)
        try:
            yield db
        finally:
            db.close()


@managed
def opened_copy(ws: Workspace, provider: Provider | None) -> Iterator[dbs.Db]:
    """The index for a provider in memory, where its file cannot be written."""
    path = os.path.join(ws.repo.molt_dir, name_index_file(ws, provider))
    db = copies.open_copy(path, vector_identity.fingerprint(provider))
    try:
        yield db
    finally:
        db.close()


def name_index_file(ws: Workspace, provider: Provider | None) -> str:
    """The name of the file that has a provider's index."""
    instead = (provider.name if provider else "none") != ws.config.embedding_provider
    return "index-fallback.sqlite" if instead else "index.sqlite"


@managed
def open_folder(ws: Workspace) -> Iterator[str]:
    """Where the index lies; a workspace that must not be written has one for this call."""
    try:
        os.makedirs(ws.repo.molt_dir, exist_ok=True)
        writable = os.access(ws.repo.molt_dir, os.W_OK)
    except OSError:
        writable = False
    if writable:
        yield ws.repo.molt_dir
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="molt-", ignore_cleanup_errors=True) as place:
        yield place


def format_error(error: errors.MoltError) -> str:
    """An error with its hint in one line."""
    return f"{error.message} ({error.hint})" if error.hint else error.message


def find_source(ws: Workspace) -> sync.Source:
    """The files that are searched, and what they are built on, after the first commit."""
    return make_source(ws, worktree.Worktree(ws.repo, ws.repo.tree(ws.repo.reader.tree_id("HEAD"))))


def make_source(ws: Workspace, files: worktree.Worktree) -> sync.Source:
    """The files on disk as what is searched, without what was forgotten or is held back."""
    head = ws.repo.reader.tree_id("HEAD")
    held = quarantine.freshen_held(ws.repo)
    # What is held back changes by words alone, which no tree shows.
    dirty = frozenset(path for path in (*files.dirty, *held.lines) if path.endswith(".md"))
    gone = forgotten.list_forgotten(files.head, ws.repo.cache)
    shown = withheld.veil_tree(forgotten.veil_tree(files, gone), held)
    compare = veil_comparer(ws, make_comparer(ws, files.head), shown, gone)
    base = sync.Base(head, dirty, compare) if head else None
    return sync.Source(shown, base, documents=sources.DOCUMENTS in ws.config.search_sources)


def veil_comparer(ws: Workspace, compare: Comparer, shown: Tree, gone: frozenset[str]) -> Comparer:
    """What tells how a git tree differs from a veiled one: also by what was forgotten since, or
    is remembered again.
    """

    def compare_veiled(old: str) -> dict[str, Entry | None] | None:
        found = compare(old)
        if found is None:
            return None
        before = forgotten.list_forgotten(ws.repo.tree(old)) if paths.SCORES in found else gone
        touched = forgotten.find_places(gone ^ before)
        hidden = getattr(shown, "places", {})
        more = (path for path in hidden if path in found)
        return {**found, **{path: shown.entry(path) for path in (*touched, *more)}}

    return compare_veiled


def make_comparer(ws: Workspace, tree: Tree) -> Comparer:
    """What tells how a git tree of an id differs from `tree`; None where it cannot be told."""

    def compare_tree(old: str) -> dict[str, Entry | None] | None:
        try:
            changes = tree.changes(ws.repo.tree(old))
        except errors.MoltError:
            # A tree that a rewritten history left behind may be gone.
            return None
        return {change.path: change.new for change in changes or ()}

    return compare_tree


def freshen_index(ws: Workspace, db: dbs.Db, provider: Provider | None) -> sync.IndexFreshness:
    """Bring an index up to the files and the other sources, within a search's budget.

    What a batch was handed in for is not asked for a second time.
    """
    _freshen_sources(ws, db, provider, everything=False)
    budget = choose_budget(ws, provider)
    return sync.freshen(db, find_source(ws), budget_ms=budget, provider=provider)


def choose_budget(ws: Workspace, provider: Provider | None) -> int:
    """The milliseconds that a search may spend on vectors; none while a batch makes them."""
    return 0 if _read_batch(ws, provider) else ws.config.search_sync_budget_ms


def _read_batch(ws: Workspace, provider: Provider | None) -> str:
    """The job that was handed in and not fetched yet; empty for none."""
    if provider is None or provider.name not in providers.REMOTE:
        return ""
    import json

    try:
        with open(os.path.join(ws.repo.molt_dir, BATCH), encoding="utf-8") as file:
            state = json.load(file)
            return str(state.get("job") or "about to be made")
    except (OSError, ValueError, AttributeError):
        return ""


def freshen_keywords(ws: Workspace, db: dbs.Db, provider: Provider | None) -> None:
    """Bring all but the vectors up."""
    _freshen_sources(ws, db, provider, everything=True)
    sync.freshen(db, find_source(ws), budget_ms=0, provider=provider)


def _freshen_sources(
    ws: Workspace, db: dbs.Db, provider: Provider | None, *, everything: bool
) -> tuple[int, tuple[str, ...]]:
    """Bring other sources up: how many files were, and what could not be read."""
    found = sources.NONE
    if ws.config.search_extra_paths or "sessions" in ws.config.search_sources:
        from molt.memory.search import sessions

        found = sessions.find_sources(ws, everything=everything)
    updated = sync.follow_sources(db, found, vectors=provider is not None)
    folders = (one.refusal for one in ws.missing if one.name in (consent.EXTRA, consent.SESSIONS))
    return updated, (*found.notes, *folders)


def build_index(
    ws: Workspace, *, rebuild: bool = False, progress: Progress | None = None
) -> Outcome:
    """Bring the whole index up, without a time limit; made anew where asked.

    What is done is kept whenever it stops. `progress` is called with what is counted, how many
    are done, and of how many (0 for not known). Raises Unwritable where nothing can be kept.
    """
    check_writable(ws)
    try:
        return _build_once(ws, rebuild, progress)
    except dbs.UNWRITABLE as error:
        raise dbs.unwritable_error(ws.repo.molt_dir, error) from error


def check_writable(ws: Workspace) -> None:
    """Raise Unwritable where the folder of the index must not be written."""
    try:
        os.makedirs(ws.repo.molt_dir, exist_ok=True)
        if os.access(ws.repo.molt_dir, os.W_OK):
            return
        error = OSError("it must not be written")
    except OSError as refused:
        error = refused
    raise dbs.unwritable_error(ws.repo.molt_dir, error)


def _build_once(ws: Workspace, rebuild: bool, progress: Progress | None) -> Outcome:
    with provided(ws) as (provider, why):

        def build(db: dbs.Db) -> Outcome:
            if rebuild:
                db.rebuild()
            return _bring_up(ws, db, provider, progress).replace(fallback=why)

        return dbs.ask(lambda: opened(ws, provider), build)


def _bring_up(
    ws: Workspace, db: dbs.Db, provider: Provider | None, progress: Progress | None
) -> Outcome:
    others, notes = _freshen_sources(ws, db, provider, everything=True)
    source = find_source(ws)
    if progress:
        source = source.replace(told=lambda at, many: progress("files", at, many))
    try:
        fresh = sync.freshen(db, source, budget_ms=0, provider=provider)
    except KeyboardInterrupt:
        db.publish()
        raise
    db.scrub()
    failure = _fill_vectors(db, provider, progress)
    name, model = (provider.name, provider.model) if provider else ("none", "")
    updated = fresh.updated + others
    return Outcome(updated, vectors.count_waiting(db), name, model, "", failure, notes)


def _fill_vectors(db: dbs.Db, provider: Provider | None, progress: Progress | None) -> str:
    """Give every waiting chunk its vector; gives why it stopped, empty where it did not."""
    if provider is None:
        return ""
    total, done = vectors.count_waiting(db), 0

    def count_vectors(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress("vectors", done, total)

    try:
        vectors.fill(db, provider, _FOREVER, progress=count_vectors)
    except errors.Unavailable as error:
        return format_error(error)
    return ""


def read_status(ws: Workspace) -> IndexStatus:
    """What the index holds now; nothing is brought up."""
    with provided(ws) as (provider, why):
        found = dbs.ask(
            lambda: _opened_for_reading(ws, provider), lambda db: _read_status(ws, db, provider)
        )
        return found.replace(fallback=why)


def _read_status(ws: Workspace, db: dbs.Db, provider: Provider | None) -> IndexStatus:
    count = {
        table: int(db.rows(f"SELECT count(*) FROM {table}")[0][0])  # noqa: S608 our names
        for table in ("files", "chunks", "pending")
    }
    folder = ws.repo.molt_dir
    return IndexStatus(
        provider=provider.name if provider else "none",
        model=provider.model if provider else "",
        fallback="",
        files=count["files"],
        chunks=count["chunks"],
        stale=count["pending"],
        changed=sync.count_outdated(db, find_source(ws)),
        bytes=_measure_size(os.path.join(folder, name_index_file(ws, provider))),
        cache_bytes=_measure_size(os.path.join(folder, "embeddings.sqlite")),
        batch=_read_batch(ws, provider),
    )


@managed
def _opened_for_reading(ws: Workspace, provider: Provider | None) -> Iterator[dbs.Db]:
    """The index where it is, and as it is: an empty one in memory where there is none."""
    path = os.path.join(ws.repo.molt_dir, name_index_file(ws, provider))
    wanted = f"{dbs.VERSION}|{vector_identity.fingerprint(provider)}"
    found = copies.open_readable(path) if dbs.peek_meta(path, "fingerprint") == wanted else None
    if found is None:
        with opened_copy(ws, provider) as db:
            yield db
        return
    try:
        yield found
    finally:
        found.close()


def _measure_size(path: str) -> int:
    return sum(os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end))
