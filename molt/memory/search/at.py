"""The memory as it was: the commit that a date or a revision means, and the index of its tree.

The index at `.git/molt/index.sqlite` follows the files on disk, and must not go back and forth for
a question about last year. So the past has one of its own, which starts as a copy of the other
and goes from one tree that is asked to the next by comparing the two: what is asked again costs no
more than a plain search, vectors come along, and the disk holds one index more however many
trees are asked. A lock is held from bringing it up to the last row that is read, for an answer
from another tree than the one asked would be worse than none.
"""

from __future__ import annotations

import os

from molt import errors
from molt.formats import paths
from molt.index import copies
from molt.index import db as dbs
from molt.index.content import sources
from molt.index.fill import sync
from molt.index.providers import provider as providers
from molt.managed import managed
from molt.memory.held import quarantine, withheld
from molt.memory.search import index
from molt.memory.visible import forgotten, unsaid
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.index.providers.provider import Provider
    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.trees import Entry, Tree

_HINT = "a date such as 2026-02-02, or a revision; `git log --oneline` lists them"
# A first question about the past may have to index a large memory.
_PATIENCE = 60.0
# So many files are indexed in less time than it takes to look for a shorter way.
_NEAR = 32
_BURIED = "buried"
"""The word under which an index of the past keeps which words it does not show."""


class Moment(Value):
    """A commit that is asked, its tree, and the second that is now for whoever asks."""

    commit: str
    tree: str
    now: float


def find_moment(repo: Repo, text: str, second: float | None, now: float) -> Moment:
    """What a text means: the last commit of HEAD's first parents up to a second, where the text
    is a date that means one, or the commit that git calls so.

    Raises NotFound where there is none.
    """
    rev = text if second is None else repo.before(second)
    found = repo.stamp(rev) if rev else None
    if found is None and second is not None:
        raise errors.NotFound(f"no commit of HEAD is as old as {text}", _describe_start(repo))
    if found is None:
        raise errors.NotFound(f"no such revision: {text}", _HINT)
    return Moment(found.oid, found.tree, float(found.time) if second is None else min(second, now))


def _describe_start(repo: Repo) -> str:
    first = repo.run("log", "--first-parent", "--format=%cI", "HEAD", check=False).split()
    return f"the first one is of {first[-1]}" if first else "nothing is committed yet"


@managed
def opened(ws: Workspace, provider: Provider | None, moment: Moment) -> Iterator[dbs.Db]:
    """The index of the past for a provider, which nobody else reads or moves meanwhile; `freshen`
    brings it to the moment.

    Raises Busy where another process holds it for too long.
    """
    name = index.name_index_file(ws, provider)
    with index.open_folder(ws) as folder, _lock_index(ws, folder):
        path = os.path.join(folder, name.replace("index", "index-at", 1))
        live = os.path.join(ws.repo.molt_dir, name)
        buried = _name_buried(ws.head())
        if _is_far(ws, path, live, moment) or dbs.peek_meta(path, _BURIED) != buried:
            dbs.remove_files(path)
        if _is_cleared(ws, live, buried):
            copies.seed_index(path, live, providers.fingerprint(provider))
        db = dbs.open(path, providers.fingerprint(provider))
        if buried:
            with db.transaction():
                db.set_meta(_BURIED, buried)
        try:
            yield db
        finally:
            db.close()


def _name_buried(tree: Tree) -> str:
    """What tells which words were forgotten by a tree; empty for none."""
    entry = tree.entry(paths.TOMBSTONES)
    return entry.oid if entry else ""


def _is_cleared(ws: Workspace, live: str, buried: str) -> bool:
    """Whether the index of the files is of a tree from which the same words were forgotten: what
    it took from an older one, the index of the past would have as it is.
    """
    base = sync.read_tree_id(dbs.peek_meta(live, "base"))
    try:
        return not buried or (bool(base) and _name_buried(ws.repo.tree(base)) == buried)
    except errors.MoltError:
        return False


def _is_far(ws: Workspace, path: str, live: str, moment: Moment) -> bool:
    """Whether it takes longer from where the index of the past is than from a new copy."""
    here, there = (sync.read_tree_id(dbs.peek_meta(one, "base")) for one in (path, live))
    if here in ("", moment.tree) or not there:
        return False
    compared = index.make_comparer(ws, ws.repo.tree(moment.tree))
    way = compared(here)
    if way is not None and len(way) <= _NEAR:
        return False
    other = compared(there)
    # To copy a megabyte takes about as long as to index a file.
    copied = os.path.getsize(live) >> 20
    return other is not None and (way is None or len(other) + copied + _NEAR < len(way))


@managed
def _lock_index(ws: Workspace, folder: str) -> Iterator[None]:
    """Hold the index of the past; one in a folder of this process needs no lock."""
    if folder != ws.repo.molt_dir:
        yield
        return
    with state.lock(ws.repo.common_dir, "index-at", _PATIENCE):
        yield


def freshen_index(
    ws: Workspace, db: dbs.Db, provider: Provider | None, moment: Moment
) -> sync.IndexFreshness:
    """Bring the index to the tree of a moment, which held neither extra files nor transcripts."""
    sync.follow_sources(db, sources.NONE, vectors=provider is not None)
    tree = ws.repo.tree(moment.tree)
    # What was forgotten since is in no answer about the past either.
    gone = forgotten.list_forgotten(ws.head(), ws.repo.cache)
    held = quarantine.freshen_held(ws.repo)
    shown = forgotten.veil_tree(unsaid.hide_words(tree, ws.head()), gone)
    shown = withheld.veil_tree(shown, held)
    places = forgotten.find_places(gone)

    def compare_veiled(old: str) -> dict[str, Entry | None] | None:
        found = index.make_comparer(ws, tree)(old)
        more = {path: shown.entry(path) for path in places}
        return None if found is None else {**found, **more}

    base = sync.Base(moment.tree, frozenset(held.lines), compare_veiled)
    budget = index.choose_budget(ws, provider)
    source = sync.Source(shown, base, documents=sources.DOCUMENTS in ws.config.search_sources)
    return sync.freshen(db, source, budget_ms=budget, provider=provider)


def delete_index(ws: Workspace) -> None:
    """Delete the index of the past; the next question makes it again. Raises Busy, or Failed
    where it cannot be deleted.
    """
    with state.lock(ws.repo.common_dir, "index-at", _PATIENCE):
        for name in ("index-at.sqlite", "index-at-fallback.sqlite"):
            dbs.remove_files(os.path.join(ws.repo.molt_dir, name))
