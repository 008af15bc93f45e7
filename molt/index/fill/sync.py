"""Bring the index up to a tree: only files whose blobs changed are read."""

from __future__ import annotations

import time

from molt.formats import documents
from molt.index import db as dbs
from molt.index.content import sources
from molt.index.fill import vectors as fill_vectors
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from molt.index.content.sources import Beyond
    from molt.index.db import Db
    from molt.index.fill import rows
    from molt.index.providers.provider import Provider
    from molt.trees import Entry, Tree


# Files that are held at once: a question to git for each takes as long as to index a short one.
_ROUND = 64
_BARE = " without documents"
"""What stands behind the id of a tree of which the index has no documents."""


class IndexFreshness(Value):
    """Chunks that have no vector yet, and files that were read or dropped."""

    stale: int
    updated: int


class Base(Value):
    """What the files on disk are built on: the id of a git tree and the paths that differ from it.

    `differing` gives what an earlier git tree has otherwise, path to the entry of this one; None
    where that cannot be told.
    """

    id: str
    dirty: frozenset[str]
    differing: Callable[[str], Mapping[str, Entry | None] | None]


class Source(Value):
    """The files that are indexed, and what they are built on, where that is known.

    Without a `base` every file is compared. `told` hears how many files were indexed, and of how
    many. Documents are left out unless `documents`.
    """

    tree: Tree
    base: Base | None = None
    told: Callable[[int, int], None] | None = None
    documents: bool = True

    @property
    def mark(self) -> str:
        """What tells an index of these files from one of others of the same tree."""
        return "" if self.documents else _BARE

    def wants(self, path: str) -> bool:
        """Whether a path is indexed."""
        left_out = not self.documents and documents.is_document(path)
        return sources.is_searched(path) and not left_out


def freshen(db: Db, source: Source, *, budget_ms: int, provider: Provider | None) -> IndexFreshness:
    """Index what changed. Keywords are always brought up; vectors as far as the budget goes."""
    try:
        return _freshen_once(db, source, budget_ms, provider)
    except dbs.UNWRITABLE as error:
        raise dbs.unwritable_error(db.path, error) from error


def _freshen_once(
    db: Db, source: Source, budget_ms: int, provider: Provider | None
) -> IndexFreshness:
    deadline = time.monotonic() + budget_ms / 1000
    updated = _index_keywords(db, source, provider is not None)
    if provider is not None and provider.name != "static":
        # Vectors that take long are added to an index that serves already.
        db.publish()
    return _fill_waiting(db, deadline, provider, updated)


def freshen_settled(
    db: Db, head: str | None, *, budget_ms: int, provider: Provider | None
) -> IndexFreshness | None:
    """Bring up the vectors of an index that is of the git tree `head`, without a look at the files;
    None where it is of another one. What is uncommitted is in it as far as somebody has searched
    since: to ask git takes a third of a search.
    """
    if not head or _indexed_base(db)[0] != head:
        return None
    return _fill_waiting(db, time.monotonic() + budget_ms / 1000, provider, 0)


def _fill_waiting(
    db: Db, deadline: float, provider: Provider | None, updated: int
) -> IndexFreshness:
    waiting = fill_vectors.count_waiting(db)
    if waiting and provider is not None:
        fill_vectors.fill(db, provider, deadline)
        waiting = fill_vectors.count_waiting(db)
    db.publish()
    return IndexFreshness(waiting, updated)


def follow_commit(db: Db, tree: Tree, paths: Iterable[str], before: str, after: str) -> bool:
    """Index the files that one commit changed, from git tree `before` to `after`, keywords only.

    False, and nothing done, where the index is of another tree; the next `freshen` finds out.
    """
    with db.transaction():
        old, overlay = _indexed_base(db)
        if old != before:
            return False
        loose = set(overlay.split("\0"))
        for path in paths:
            # What is on disk otherwise is indexed as it is there.
            if path not in loose and sources.is_searched(path):
                oid = _blob_oid(tree.entry(path))
                data = tree.read(path) or b"" if oid else b""
                _index_file(db, path, oid, data, vectors=db.dims > 0)
        db.set_meta("base", after)
    return True


def follow_sources(db: Db, beyond: Beyond, *, vectors: bool) -> int:
    """Index what other sources have that the index has not, and drop what they no longer have.

    Each file is committed by itself. Gives how many were read or dropped.
    """
    known: dict[str, str] = {}
    for prefix in sources.PREFIXES:
        # `;` follows `:`, so this is what begins with the prefix, found by the key.
        after = prefix[:-1] + ";"
        sql = "SELECT path, oid FROM files WHERE path >= ? AND path < ?"
        known.update(db.rows(sql, (prefix, after)))
    wanted = beyond.versions
    changed = {path: oid for path, oid in wanted.items() if known.get(path) != oid}
    changed.update((path, "") for path in known if path not in wanted)
    for path, oid in changed.items():
        data = beyond.read(path) if oid else b""
        with db.transaction():
            _index_file(db, path, oid, data, vectors=vectors)
    return len(changed)


def _index_file(db: Db, path: str, oid: str, data: bytes, *, vectors: bool) -> None:
    """Index a file, or drop one without an id."""
    from molt.index.fill import rows

    if oid:
        rows.put_file(db, path, oid, data, vectors=vectors)
    else:
        rows.drop_file(db, path)


def count_outdated(db: Db, source: Source) -> int:
    """How many files of a tree the index has not, has otherwise, or should not have."""
    return len(_find_changed(db, source, _indexed_base(db)))


def read_tree_id(base: str) -> str:
    """The id of the tree in what an index keeps under `base`."""
    return base.removesuffix(_BARE)


def _indexed_base(db: Db) -> tuple[str, str]:
    """The base that is indexed, and the paths that were on disk otherwise, NUL-separated."""
    return db.meta("base"), db.meta("overlay")


def _find_changed(db: Db, source: Source, place: tuple[str, str]) -> dict[str, str]:
    """The paths whose indexed blob is not that of the tree, with the one it has; "" for none."""
    found = None if source.base is None else _possible_changes(source, source.base, place)
    if found is None:
        every = source.tree.entries()
        listed = db.rows("SELECT path, oid FROM files")
        known = {path: oid for path, oid in listed if not path.startswith(sources.PREFIXES)}
        wanted = {path: _wanted_oid(source, path, entry) for path, entry in every.items()}
        wanted = {**dict.fromkeys(known, ""), **wanted}
        return {path: oid for path, oid in wanted.items() if known.get(path, "") != oid}
    wanted = {path: _wanted_oid(source, path, entry) for path, entry in found.items()}
    return {path: oid for path, oid in wanted.items() if _indexed_oid(db, path) != oid}


def _indexed_oid(db: Db, path: str) -> str:
    found = db.rows("SELECT oid FROM files WHERE path=?", (path,))
    return str(found[0][0]) if found else ""


def _possible_changes(
    source: Source, base: Base, place: tuple[str, str]
) -> dict[str, Entry | None] | None:
    """What may differ from the indexed tree; None where only a full comparison can tell."""
    kept, overlay = place
    old = read_tree_id(kept)
    if not old or kept != old + source.mark:
        return None
    found: dict[str, Entry | None] = {}
    if old != base.id:
        differing = base.differing(old)
        if differing is None:
            return None
        found.update(differing)
    loose: Iterable[str] = base.dirty.union(filter(None, overlay.split("\0")))
    found.update((path, source.tree.entry(path)) for path in loose if source.wants(path))
    return found


def _wanted_oid(source: Source, path: str, entry: Entry | None) -> str:
    return _blob_oid(entry) if source.wants(path) else ""


def _blob_oid(entry: Entry | None) -> str:
    """The id of a regular file; empty for none."""
    plain = entry is not None and entry.mode in (0o100644, 0o100755)
    return entry.oid if entry is not None and plain else ""


def _index_keywords(db: Db, source: Source, vectors: bool) -> int:
    base, place = source.base, _indexed_base(db)
    changed = _find_changed(db, source, place)
    wanted = (base.id + source.mark, "\0".join(sorted(base.dirty))) if base else ("", "")
    if not changed and wanted == place:
        return 0
    # Most searches find nothing that changed.
    from molt.index.fill import rows

    interrupted = False
    with db.transaction():
        if _indexed_base(db) != place:
            # Another process did the same work, or other, while this one waited.
            changed = _find_changed(db, source, _indexed_base(db))
        filling = rows.Filling(db, vectors=vectors)
        try:
            _put_files(filling, source, changed)
            db.set_meta("base", wanted[0])
            db.set_meta("overlay", wanted[1])
        except KeyboardInterrupt:
            # What is indexed is kept; without a base the next call compares every file.
            filling.stop()
            db.set_meta("base", "")
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    return len(changed)


def _put_files(filling: rows.Filling, source: Source, changed: Mapping[str, str]) -> None:
    """Index some paths, each with its blob id or with "" for none, read in rounds."""
    every = list(changed)
    for start in range(0, len(every), _ROUND):
        some = every[start : start + _ROUND]
        found = source.tree.read_many([path for path in some if changed[path]])
        for at, path in enumerate(some, start):
            if source.told:
                source.told(at, len(every))
            if changed[path]:
                filling.put(path, changed[path], found.get(path, b""))
            else:
                filling.drop(path)
    filling.flush()
