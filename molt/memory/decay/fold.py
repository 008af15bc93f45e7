"""Accesses counted in the first write of a day, which is made anyway."""

from __future__ import annotations

from contextlib import suppress

from molt import errors, trees
from molt.formats import bullets, paths, times
from molt.formats import origin as origins
from molt.formats.meta import scores as score_file
from molt.formats.origin import Origin
from molt.memory import inventory
from molt.memory.decay import accesses
from molt.memory.decay.formula import compute_relevance, status_of
from molt.memory.decay.known import KnownScores
from molt.repo import state, worktree
from molt.repo.write import journal
from molt.repo.write.plan import Change
from molt.repo.write.transaction import Written
from molt.trees import Overlay
from molt.values import ValueOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from molt.memory.decay.accesses import AccessBatch, Used
    from molt.repo.repository import Repo
    from molt.repo.write.plan import MakeChange
    from molt.trees import Edits, Tree

    Entries = dict[str, dict[str, Any]]
    T = TypeVar("T")
else:
    T = None

_FOLDED = "folded"


class Folded(ValueOf[T]):
    """What a change has made, the batches of uses that it counts besides, and the day on which
    uses are counted by it; empty if it is not the first of its day.
    """

    made: T
    batches: tuple[AccessBatch, ...] = ()
    day: str = ""


def fold_uses(repo: Repo, make_change: MakeChange[T], now: float) -> MakeChange[Folded[T]]:
    """A change that adds the accesses of this clone to the scores, once a day: in the first write
    at or after the second `now`, of which the day of UTC counts. Without `now`, and where the
    change itself would alter nothing, it does not.

    So a write costs the same however many memories have scores, and clones seldom meet in that
    file. It is called under the write's lock only.
    """

    def make_folded(tree: Tree) -> Change[Folded[T]]:
        change = make_change(tree)
        alone = Change(change.edits, change.message, Folded(change.made), change.steps)
        changed = any(tree.read(path) != data for path, data in change.edits.items())
        # The edits of several commits are theirs alone.
        counted = bool(change.steps) or paths.SCORES in change.edits
        if not changed or counted or not _is_due(repo, tree, now):
            return alone
        try:
            known = KnownScores(tree, repo.cache)
            batches = accesses.take_batches(repo, repo.tip())
        except (ValueError, errors.Failed):
            # Scores that are damaged must not stop a write.
            return alone
        edits = count_uses(tree, dict(change.edits), batches, now, known)
        rows = [f"{accesses.TRAILER}: {batch.token}\n" for batch in batches]
        text = "".join((change.message.rstrip("\n") + "\n", *rows)) if rows else change.message
        return Change(edits, text, Folded(change.made, batches, _day_of(now)))

    return make_folded


def finish(repo: Repo, done: Written[Folded[T]]) -> Written[T]:
    """What was written, without what was counted: once that is committed, it need not be kept."""
    folded = done.made
    if done.oid and folded.day:
        accesses.drop_batches(folded.batches)
        # Where that cannot be written, the next write looks again.
        with suppress(errors.Failed):
            state.write(repo.git_dir, _FOLDED, folded.day)
    fields = (done.oid, done.paths, done.message, done.findings, folded.made, done.tree, done.left)
    return Written(*fields)


def _day_of(now: float) -> str:
    return str(int(now // times.DAY))


def _is_due(repo: Repo, tree: Tree, now: float) -> bool:
    """Whether this is the first write of its day, and the scores can be written."""
    if not now or state.read(repo.git_dir, _FOLDED) == _day_of(now):
        return False
    # Nor must a person's own work on the file.
    return _is_untouched(repo, tree)


def count_uses(
    tree: Tree, made: Edits, batches: tuple[AccessBatch, ...], now: float, known: KnownScores
) -> Edits:
    """The edits, and the scores with the uses of some batches added; of what is new in MEMORY.md
    as well. `known` are the scores that the tree has.
    """
    used: dict[str, Used] = {}
    for batch in batches:
        accesses.count_lines(used, batch.text)
    after = Overlay(tree, made)
    wanted = {name: one for name, one in used.items() if _is_id(name)}
    there = known.find(wanted)
    told = inventory.find_origins(after, [name for name in wanted if name not in there])
    entries: Entries = {
        name: add_uses(name, there.get(name), one, told.get(name, origins.UNKNOWN))
        for name, one in wanted.items()
    }
    text = known.edit({**_follow_core(tree, known.list_kind("core"), now), **entries})
    return made if text == known.text else {**made, paths.SCORES: text.encode()}


def _is_id(name: str) -> bool:
    return name.partition(":")[0] in paths.STORE_OF_KIND


def _is_untouched(repo: Repo, tree: Tree) -> bool:
    """Whether the scores on disk and in the index are those of the last commit."""
    entry = tree.entry(paths.SCORES)
    try:
        found = worktree.read(repo.root, paths.SCORES)
    except errors.Failed:
        return False
    blob = "" if found is None else repo.reader.keep_blob(found)
    staged = journal.staged_blobs(repo, [paths.SCORES]).get(paths.SCORES, "")
    return blob == staged == (entry.oid if entry else "")


def _follow_core(
    tree: Tree, known: Mapping[str, Any], now: float
) -> Mapping[str, dict[str, Any] | None]:
    """What MEMORY.md asks of the scores, of which `known` are those of core memory: entries for
    new bullets, for they have no date of their own, and None for those whose bullet is gone.
    Critical Facts are pinned and need none; what was forgotten on purpose stays known.
    """
    text = trees.read_text(tree, paths.CORE)
    there = {one.id for one in bullets.core_bullets(text)}
    seen = Origin(written=now)
    fresh: dict[str, dict[str, Any] | None] = {
        memory: make_entry(memory, seen)
        for memory in sorted(there)
        if memory not in known and not origins.read_bullet(memory).pinned
    }
    gone = [
        memory
        for memory, entry in known.items()
        if "#" in memory and memory not in there and not score_file.is_forgotten(entry)
    ]
    return {**fresh, **dict.fromkeys(gone)}


def add_uses(
    memory: str, entry: Mapping[str, Any] | None, used: Used, origin: Origin = origins.UNKNOWN
) -> dict[str, Any]:
    """An entry of decay-scores.json with accesses added; a new one for a memory without, of whose
    text `origin` tells.

    What has no date does not fade, and a use is no reason to begin with it: so where nothing is
    known of when a memory was written, its entry has no times.
    """
    known = make_entry(memory, origin) if entry is None else score_file.fit_entry(entry)
    count = int(known.get("access_count", 1)) + used.count
    if origin.written is None and not {"created", "last_accessed"} & known.keys():
        return {**known, "access_count": count}
    before = times.parse_time(known.get("last_accessed")) or 0.0
    last = max(used.last, before, origin.written or 0.0)
    return {**known, "access_count": count, "last_accessed": times.render_time(last)}


def make_entry(memory: str, origin: Origin) -> dict[str, Any]:
    """The entry of a memory that was used once, when it was written."""
    # What front matter pins is told there, and may be told otherwise tomorrow.
    pinned = origin.pinned and memory.startswith(("core:", "vault:"))
    weight = paths.weight_of(memory)
    score = 1.0 if pinned else compute_relevance(origin.base, 0.0, 1, weight)
    stamp = None if origin.written is None else times.render_time(origin.written)
    dates = {"created": stamp, "last_accessed": stamp} if stamp else {}
    return {
        "store": paths.STORE_OF_KIND[memory.partition(":")[0]].name,
        "base_relevance": origin.base,
        **dates,
        "access_count": 1,
        "type_weight": weight,
        "current_score": round(score, 4),
        "status": status_of(score),
        "pinned": pinned,
    }


def revive_entry(entry: Mapping[str, Any], now: float) -> dict[str, Any]:
    """An entry as if its memory had been used just now, and not been put away."""
    base = score_file.read_number(entry, "base_relevance", origins.BASE)
    weight = score_file.read_number(entry, "type_weight", 1.0)
    count = max(1, int(score_file.read_number(entry, "access_count", 1)))
    score = compute_relevance(base, 0.0, count, weight)
    fresh = {"current_score": round(score, 4), "status": status_of(score)}
    return {**entry, **fresh, "last_accessed": times.render_time(now)}
