"""Everything derived brought up after a write."""

from __future__ import annotations

import os

from molt.formats import lines, times
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.memory.decay import known
from molt.memory.held import withheld
from molt.memory.proposed import open_branches
from molt.memory.provenance import audit
from molt.memory.visible import forgotten
from molt.repo import state
from molt.repo.repository import Repo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.repo.write.transaction import Written

LOG = "refresh.log"
HOSTS_LOG = "hosts.log"
"""What went wrong in the hook of a program that runs an agent: it is never stopped by that."""
_PENDING = "pending-reflection"
_ENTITY = "entity:"
_PAGE = "graph-index"
_SCORING = ("PIN", "DECAY", "REVERT")
"""What sets scores that the page of the graph shows; uses alone do not draw it again."""
# Of a log that is longer only the second half is kept: some hundreds of failures.
_LONGEST = 64 << 10


def follow_commit(repo: Repo, done: Written[Any], moved: frozenset[str]) -> None:
    """Bring the keywords of a commit's files into the index, where there is one that is up to
    the commit's parent; what is left out, and vectors, the next search brings up.

    `moved` are the memories that it hides, or brings back.
    """
    # Opening SQLite takes longer than what else a reader of history does.
    from molt.index import db as dbs
    from molt.index.fill import sync

    db = dbs.open_existing(os.path.join(repo.molt_dir, "index.sqlite"))
    if db is None:
        return
    try:
        before, after = (repo.reader.tree_id(f"{done.oid}{which}") for which in ("^", ""))
        if before and after:
            tree = forgotten.veil_tree(done.tree, forgotten.list_forgotten(done.tree, repo.cache))
            paths = (*done.paths, *forgotten.find_places(moved))
            sync.follow_commit(db, tree, paths, before, after)
    finally:
        db.close()


def freshen_all(repo: Repo, done: Written[Any] | None = None) -> None:
    """Bring the projections up; a failure is noted, never raised: a reader repairs them.

    `done` is a commit that was just made, whose keywords are indexed.
    """
    oid, paths = (done.oid or "", done.paths) if done else ("", ())
    try:
        audit.freshen_log(repo, oid, paths)
    except Exception as error:
        note_failure(repo, "audit.log", error)
    try:
        _freshen_pending(repo)
    except Exception as error:
        note_failure(repo, "pending-reflection.md", error)
    moved: frozenset[str] = frozenset()
    if done and oid:
        # It was judged before it was made, and need not be again.
        withheld.note_commit(repo.git_dir, oid)
        try:
            moved = _list_moved(repo, done)
        except Exception as error:
            # Readers compare what they have with all that there is.
            note_failure(repo, "what is forgotten", error)
            return
    try:
        _freshen_graph(repo, done, moved)
    except Exception as error:
        note_failure(repo, "graph/index.md", error)
    if not done or not oid:
        return
    try:
        follow_commit(repo, done, moved)
    except Exception as error:
        note_failure(repo, "index", error)


def _list_moved(repo: Repo, done: Written[Any]) -> frozenset[str]:
    """The memories that a commit hides, or brings back."""
    if layout.SCORES not in done.paths:
        return frozenset()
    base, new = done.tree.base, done.tree
    changed = known.follow_commit(repo.cache, base, new)
    return forgotten.find_moved(base, new, changed, repo.cache)


def _freshen_pending(repo: Repo) -> None:
    """The copy of what awaits approval; hardly a write finds any."""
    if open_branches.list_branches(repo) or state.read(repo.git_dir, _PENDING):
        from molt.memory.proposed import open_page

        open_page.freshen_pending(repo)


def _freshen_graph(repo: Repo, done: Written[Any] | None, moved: frozenset[str]) -> None:
    paths = done.paths if done and done.oid else ()
    # The page shows entities alone.
    stems = [one.removeprefix(_ENTITY) for one in sorted(moved) if one.startswith(_ENTITY)]
    if done and layout.SCORES in paths and messages.head(done.message)[0] in _SCORING:
        from molt.memory.graph import index_page

        index_page.freshen_index(repo, scores=True)
        return
    if paths and not stems and not any(path.startswith(layout.ENTITIES) for path in paths):
        return
    # No other write needs what draws it.
    from molt.memory.graph import index_page

    if done and paths:
        index_page.follow_commit(repo, done.oid or "", paths, done.tree, stems)
    else:
        index_page.freshen_index(repo)


def freshen_page(repo: Repo) -> None:
    """Bring the page of the graph up after a commit of git itself, where entities changed; a
    failure is noted, never raised.
    """
    try:
        folder = repo.tree(repo.tip()).listed(layout.ENTITIES.rstrip("/"))
        _, _, drawn = state.read(repo.git_dir, _PAGE).partition("\t")
        if drawn.startswith(folder.oid if folder else "none") or not (folder or drawn):
            return
        from molt.memory.graph import index_page

        index_page.freshen_index(repo)
    except Exception as error:
        note_failure(repo, "graph/index.md", error)


def note_failure(repo: Repo, what: str, error: Exception, log: str = LOG) -> None:
    """Add a line to a log: when, what could not be done, the kind of error, its words."""
    from contextlib import suppress

    with suppress(OSError):
        os.makedirs(repo.molt_dir, exist_ok=True)
        path = os.path.join(repo.molt_dir, log)
        with open(path, "ab+") as file:
            # By the clock of the file system: only doors read the other one.
            os.utime(path)
            when = times.render_time(os.fstat(file.fileno()).st_mtime)
            said = lines.one_line(f"{type(error).__name__}: {error}")
            file.write(f"{when} {what}: {said}\n".encode("utf-8", "replace"))
            file.flush()
            if file.tell() > _LONGEST:
                file.seek(_LONGEST // 2)
                file.readline()
                rest = file.read()
                file.truncate(0)
                file.write(rest)


def last_failure(repo: Repo, log: str = LOG) -> str:
    """The last line of a log of failures; empty if there is none."""
    try:
        with open(os.path.join(repo.molt_dir, log), "rb") as file:
            rows = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return rows[-1] if rows else ""


def forget_failures(repo: Repo, log: str = LOG) -> None:
    """Delete a log of failures, once all is brought up again."""
    from contextlib import suppress

    with suppress(FileNotFoundError):
        os.unlink(os.path.join(repo.molt_dir, log))
