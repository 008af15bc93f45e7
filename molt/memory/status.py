"""What a workspace holds, and what waits in it."""

from __future__ import annotations

import os

from molt import tokens
from molt.formats import ids, paths
from molt.memory import integrity, lifecycle, names, proposals
from molt.memory.workspace import blob
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.integrity import Alert
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


_INDEXES = ("index", "index-fallback")


class Core(Value):
    """Tokens of MEMORY.md, and how many it may have."""

    tokens: int
    cap: int


class Freshness(Value):
    """Whether the search index is up to the files, and how many files and chunks it lacks."""

    fresh: bool
    stale: int


class Status(Value):
    """What is here: memories by store and status, alerts, and what is pending or uncommitted."""

    core: Core
    memories: dict[str, dict[str, int]]
    alerts: tuple[Alert, ...]
    proposals: int
    reflections: tuple[str, ...]
    index: Freshness
    dirty: tuple[str, ...]


def status(ws: Workspace, now: float) -> Status:
    """How a workspace is at the second `now`, on disk; nothing is brought up for it."""
    tree = ws.files()
    core = blob(tree, paths.CORE)
    return Status(
        core=Core(tokens.count_tokens(core, ws.config.core_encoding), ws.config.core_cap),
        memories=memories(ws, tree, now),
        alerts=integrity.alerts(ws),
        proposals=len(proposals.pending(tree)),
        reflections=(),
        index=freshness(ws, tree),
        dirty=tuple(sorted(worktree.dirty(ws.repo))),
    )


def memories(ws: Workspace, tree: Tree, now: float) -> dict[str, dict[str, int]]:
    """How many memories of each store have which status now, every store named."""
    scores = lifecycle.scores(ws, tree, now)
    counts: dict[str, dict[str, int]] = {store: {} for store in ids.PREFIXES.values()}
    for memory in names.listed(tree):
        states = counts[ids.PREFIXES[memory.partition(":")[0]]]
        state = scores.of(memory).status
        states[state] = states.get(state, 0) + 1
    return counts


def index_path(ws: Workspace) -> str:
    """Where the search index is; empty where there is none yet."""
    every = (os.path.join(ws.repo.molt_dir, f"{name}.sqlite") for name in _INDEXES)
    return next((one for one in every if os.path.exists(one)), "")


def freshness(ws: Workspace, tree: Tree) -> Freshness:
    """What the index lacks, of which it takes no more than a look."""
    from molt.index import db as dbs
    from molt.index.content import chunks
    from molt.index.fill import sync, vectors

    path = index_path(ws)
    try:
        db = dbs.existing(path) if path else None
        if db is None:
            lacking = sum(chunks.is_memory(one) for one in tree.entries())
        else:
            lacking = sync.count_outdated(db, tree) + vectors.count_waiting(db)
            db.close()
    except (*dbs.DAMAGED, *dbs.UNWRITABLE):
        return Freshness(False, 0)
    return Freshness(db is not None and not lacking, lacking)
