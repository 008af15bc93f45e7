"""Everything derived brought up after a write."""

from __future__ import annotations

import os

from molt.formats import paths as layout
from molt.memory import audit
from molt.repo.repository import Repo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.repo.write.transaction import Written
    from molt.trees import Tree


def follow_commit(repo: Repo, oid: str, paths: Iterable[str], tree: Tree) -> None:
    """Bring the keywords of a commit's files into the index, where there is one that is up to
    the commit's parent; what is left out, and vectors, the next search brings up.

    `tree` holds these files as the commit has them.
    """
    # Opening SQLite takes longer than what else a reader of history does.
    from molt.index import db as dbs
    from molt.index.fill import sync

    db = dbs.open_existing(os.path.join(repo.molt_dir, "index.sqlite"))
    if db is None:
        return
    try:
        before, after = repo.reader.tree_id(f"{oid}^"), repo.reader.tree_id(oid)
        if before and after:
            sync.follow_commit(db, tree, paths, before, after)
    finally:
        db.close()


def refresh(repo: Repo, done: Written | None = None) -> None:
    """Bring the projections up; a failure is noted, never raised: a reader repairs them.

    `done` is a commit that was just made, whose keywords are indexed.
    """
    oid, paths = (done.oid or "", done.paths) if done else ("", ())
    try:
        audit.freshen_log(repo, oid, paths)
    except Exception as error:
        _note_failure(repo, "audit.log", error)
    if not oid or any(path.startswith(layout.ENTITIES) for path in paths):
        # Drawing needs the whole graph, which no other write loads.
        from molt.memory.graph import index_page

        try:
            index_page.freshen_index(repo)
        except Exception as error:
            _note_failure(repo, "graph/index.md", error)
    if not done or not oid:
        return
    try:
        follow_commit(repo, oid, paths, done.tree)
    except Exception as error:
        _note_failure(repo, "index", error)


def _note_failure(repo: Repo, what: str, error: Exception) -> None:
    from contextlib import suppress

    with suppress(OSError):
        os.makedirs(repo.molt_dir, exist_ok=True)
        path = os.path.join(repo.molt_dir, "refresh.log")
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what}: {error}\n")
