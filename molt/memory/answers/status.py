"""What a workspace holds, and what waits in it."""

from __future__ import annotations

import os

from molt import config, tokens, trees
from molt.formats import paths
from molt.formats.meta import proposals
from molt.formats.prose import notes
from molt.memory import inventory
from molt.memory.clone import installation
from molt.memory.critical import alerts
from molt.memory.decay import formula, tally
from molt.memory.decay import scores as decay_scores
from molt.memory.held import quarantine
from molt.memory.proposed import open_branches
from molt.repo import ignores
from molt.repo import state as private
from molt.repo.objects import GitTree
from molt.repo.worktree import Worktree
from molt.repo.write.plan import find_hindrance
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.origin import Origin
    from molt.index.fill.sync import Source
    from molt.memory.critical.alerts import Alert
    from molt.memory.decay.scores import Scores
    from molt.memory.held.quarantine import Quarantined
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


_INDEXES = ("index", "index-fallback")
_COUNTED = "core-tokens"
_APART = ("memory/meta/", *(store.folder for store in paths.STORES))


class Core(Value):
    """Tokens of MEMORY.md, how many it may have, and what to say where that is near, or where the
    file is not there.
    """

    tokens: int
    cap: int
    warning: str = ""


class IndexLag(Value):
    """Whether the search index is up to the files: how many files it lacks (`files`) and chunks
    wait for vectors (`chunks`), together `stale`. Of a `damaged` one nobody knows.
    """

    fresh: bool
    stale: int
    files: int = 0
    chunks: int = 0
    damaged: bool = False

    def __str__(self) -> str:
        if self.damaged:
            return "damaged"
        plural = "s" * (self.files != 1), "s" * (self.chunks != 1)
        return (
            f"{self.files:,} file{plural[0]} to read, {self.chunks:,} chunk{plural[1]} for vectors"
        )


class WorkspaceStatus(Value):
    """What is here: memories by store and status, notes that hold none (`daily`, `other`), alerts,
    and what is pending or uncommitted; what git ignores is no memory; what the configuration says
    and does not hold; the commits of which something is held back; whether any of molt's `hooks`
    runs in this clone; whether a purge was interrupted; what keeps molt from committing anything
    (`blocked`), with the way on.
    """

    core: Core
    memories: dict[str, dict[str, int]]
    notes: dict[str, int]
    alerts: tuple[Alert, ...]
    proposals: int
    reflections: tuple[str, ...]
    index: IndexLag
    dirty: tuple[str, ...]
    ignored: tuple[str, ...]
    settings: tuple[str, ...]
    quarantine: tuple[Quarantined, ...] = ()
    hooks: bool = True
    purging: bool = False
    blocked: str = ""


def read_status(ws: Workspace, now: float) -> WorkspaceStatus:
    """How a workspace is at the second `now`, on disk; nothing is brought up for it."""
    tree = Worktree(ws.repo, ws.head())
    core = trees.read_strict(tree, paths.CORE)
    return WorkspaceStatus(
        core=_measure_core(ws, core),
        memories=count_memories(ws, tree, now),
        notes=_count_notes(tree),
        alerts=alerts.list_alerts(ws),
        proposals=len(proposals.list_pending(trees.read_strict(tree, paths.PROPOSALS))),
        reflections=tuple(one.id for one in open_branches.list_open(ws.repo)),
        index=measure_lag(ws, tree),
        dirty=tuple(sorted(tree.dirty)),
        ignored=ignores.list_ignored(ws.repo),
        settings=_list_idle_settings(ws, tree),
        quarantine=quarantine.list_quarantined(quarantine.freshen_held(ws.repo)),
        hooks=installation.runs_hooks(ws.repo),
        purging=bool(private.read(ws.repo.git_dir, private.PURGE)),
        blocked="; ".join(filter(None, find_hindrance(ws.repo.head()))),
    )


def _count_notes(tree: Tree) -> dict[str, int]:
    """The notes that a search reads and that are none of the stores': those named for a day, which
    a reflection reads, and others; what molt keeps for itself apart.
    """
    some = [path for path in tree.entries() if path.startswith("memory/")]
    # In the folders of stores no note is either; nearly all files are there.
    some = [path for path in some if not path.startswith(_APART)]
    every = [path for path in some if paths.kind_of(path) in ("episode", "prose")]
    daily = sum(map(notes.is_daily, every))
    return {"daily": daily, "other": len(every) - daily}


def _list_idle_settings(ws: Workspace, tree: Worktree) -> tuple[str, ...]:
    """What the configuration says and does not hold, as committed and as it is being edited."""
    edited = config.load(tree)[1] if config.PATH in tree.dirty else ()
    return tuple(dict.fromkeys((*ws.warnings, *edited)))


def _measure_core(ws: Workspace, core: str) -> Core:
    count, cap = _count_tokens(ws, core), ws.config.core_cap
    if not core and not os.path.lexists(os.path.join(ws.repo.root, paths.CORE)):
        kept = ws.head().entry(paths.CORE) is not None
        then = f"`git restore {paths.CORE}` brings it back" if kept else "`molt init` makes one"
        return Core(count, cap, f"{paths.CORE} is not there: {then}")
    if 2 * count < cap:
        return Core(count, cap)
    # Few are so full that what edits them is worth its imports.
    from molt.memory.write import core as core_writes

    before = trees.read_text(ws.head(), paths.CORE)
    return Core(count, cap, core_writes.tell_fullness(before, core, ws.config))


def _count_tokens(ws: Workspace, core: str) -> int:
    """The tokens of core memory. The clone keeps their number: to read the ranks takes five times
    as long as to start Python.
    """
    name = f"{_COUNTED} {ws.config.core_encoding}"
    mark = f"{name} {trees.sha1(core.encode()).hexdigest()} "
    kept = (ws.repo.cache.get(_COUNTED) or b"").decode("ascii", "replace")
    if kept.startswith(mark) and (number := kept[len(mark) :]).isdecimal():
        return int(number)
    count = tokens.count_tokens(core, ws.config.core_encoding)
    ws.repo.cache[_COUNTED] = f"{mark}{count}".encode()
    return count


def count_memories(ws: Workspace, tree: Worktree, now: float) -> dict[str, dict[str, int]]:
    """How many memories of each store have which status now, every store named."""
    scores = decay_scores.load_scores(ws.repo, tree, now, formula.read_fading(ws.config))
    try:
        counts = _tally_memories(ws, tree, scores, now)
    except LookupError:
        counts = _count_each(ws, tree, scores)
    return {store: counts.get(store, {}) for store in paths.STORE_NAMES}


def _tally_memories(
    ws: Workspace, tree: Worktree, scores: Scores, now: float
) -> dict[str, dict[str, int]]:
    """The same from what the clone keeps. Raises LookupError where that cannot tell."""
    entry = ws.head().entry(paths.SCORES)
    if paths.SCORES in tree.dirty or not isinstance(tree.head, GitTree):
        raise LookupError
    facts = f"{entry.oid if entry else ''} {formula.read_fading(ws.config)!r}"
    found = tally.freshen_tally(ws.repo, tree.head, facts, scores, lambda: _read_origins(ws))
    for path in tree.dirty:
        found.drop_file(tree.head, path, scores)
        found.add_file(tree, path, scores)
    counts = found.count(now)
    # A use only lifts a memory: of what was active without it nothing changes.
    asked = [one for one in scores.used if not scores.is_scored_active(one)]
    for memory, origin in inventory.find_origins(tree, asked).items():
        states = counts[paths.STORE_OF_KIND[memory.partition(":")[0]].name]
        before = formula.STATES[sum(end < now for end in scores.ends(memory, origin))]
        for state, more in ((before, -1), (scores.of(memory, origin).status, 1)):
            states[state] = states.get(state, 0) + more
    return counts


def _count_each(ws: Workspace, tree: Tree, scores: Scores) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {store: {} for store in paths.STORE_NAMES}
    for memory, origin in inventory.list_origins(tree, _read_origins(ws)):
        states = counts[paths.STORE_OF_KIND[memory.partition(":")[0]].name]
        state = scores.of(memory, origin).status
        states[state] = states.get(state, 0) + 1
    return counts


def _read_origins(ws: Workspace) -> dict[str, Origin]:
    """What the search index knows of notes, where there is one: it saves reading all of them."""
    from molt.index import copies
    from molt.index import db as dbs
    from molt.index.search import passages

    path = index_path(ws)
    try:
        db = copies.open_readable(path) if path else None
        if db is None:
            return {}
        try:
            return passages.read_origins(db)
        finally:
            db.close()
    except (*dbs.DAMAGED, *dbs.UNWRITABLE):
        return {}


def index_path(ws: Workspace) -> str:
    """Where the search index is; empty where there is none yet."""
    every = (os.path.join(ws.repo.molt_dir, f"{name}.sqlite") for name in _INDEXES)
    return next((one for one in every if os.path.exists(one)), "")


def measure_lag(ws: Workspace, tree: Worktree) -> IndexLag:
    """What the index lacks of the files on disk, by what it says that it was built on; it takes no
    more than a look.
    """
    from molt.index.fill.sync import Source

    if not index_path(ws):
        return _measure_source(ws, Source(tree, documents="documents" in ws.config.search_sources))
    from molt.memory.search import index

    return _measure_source(ws, index.make_source(ws, tree))


def _measure_source(ws: Workspace, source: Source) -> IndexLag:
    from molt.index import copies
    from molt.index import db as dbs
    from molt.index.fill import sync, vectors

    path = index_path(ws)
    try:
        db = copies.open_readable(path) if path else None
        if db is None:
            files, waiting = sum(map(source.wants, source.tree.entries())), 0
        else:
            files, waiting = sync.count_outdated(db, source), vectors.count_waiting(db)
            db.close()
    except dbs.DAMAGED:
        return IndexLag(False, 0, damaged=True)
    except dbs.UNWRITABLE:
        return IndexLag(False, 0)
    lacking = files + waiting
    return IndexLag(db is not None and not lacking, lacking, files, waiting)
