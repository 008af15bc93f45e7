"""Accesses counted in a write that is made anyway."""

from __future__ import annotations

from molt.formats import paths, times
from molt.formats import scores as score_file
from molt.memory.decay import accesses
from molt.memory.decay.formula import BASE, compute_relevance, read_number, status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from molt.memory.decay.accesses import AccessBatch, Used
    from molt.repo.repository import Repo
    from molt.repo.write.transaction import MakeEdits, MakeMessage
    from molt.trees import Edits, Tree


class Fold:
    """Adds the accesses of this clone to the scores, in a write that is made anyway.

    Its functions are called under the write's lock only.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._batches: tuple[AccessBatch, ...] | None = None

    def edits(self, make: MakeEdits) -> MakeEdits:
        """`make`, whose edits also count the accesses, unless they change nothing."""

        def fold_edits(tree: Tree) -> Edits:
            made = make(tree)
            if not any(tree.read(path) != data for path, data in made.items()):
                return made
            if self._batches is None:
                self._batches = accesses.take_batches(self._repo, self._repo.tip())
            try:
                return _count_accesses(tree, made, self._batches)
            except ValueError:
                # Scores that cannot be read are for whoever writes them to refuse.
                self._batches = ()
                return made

        return fold_edits

    def message(self, make: MakeMessage) -> MakeMessage:
        """`make`, whose message names what was counted."""

        def fold_message(tree: Tree, edits: Edits) -> str:
            text = make(tree, edits)
            rows = [f"{accesses.TRAILER}: {batch.token}\n" for batch in self._batches or ()]
            return "".join((text.rstrip("\n") + "\n", *rows)) if rows else text

        return fold_message

    def done(self) -> None:
        """The commit is made: what it has counted need not be kept."""
        accesses.drop_batches(self._batches or ())


def _count_accesses(tree: Tree, made: Edits, batches: tuple[AccessBatch, ...]) -> Edits:
    """The edits with the accesses of some batches in the scores. Raises ValueError where the
    scores cannot be read.
    """
    used: dict[str, Used] = {}
    for batch in batches:
        accesses.count_lines(used, batch.text)
    if not used:
        return made
    before = made[paths.SCORES] if paths.SCORES in made else tree.read(paths.SCORES)
    text = (before or b"").decode("utf-8")
    known = score_file.parse_scores(text)["entries"]
    entries = {
        memory: add_uses(memory, known.get(memory), one)
        for memory, one in used.items()
        if memory.partition(":")[0] in paths.STORE_OF_KIND
    }
    return {**made, paths.SCORES: score_file.set_entries(text, entries).encode()}


def add_uses(memory: str, entry: Mapping[str, Any] | None, used: Used) -> dict[str, Any]:
    """An entry of decay-scores.json with accesses added; a new one for a memory without."""
    store = paths.STORE_OF_KIND[memory.partition(":")[0]].name
    if entry is None:
        entry = make_entry(store, BASE, used.last, count=0)
    last = max(used.last, times.parse_time(entry.get("last_accessed")) or 0.0)
    count = int(read_number(entry.get("access_count"), 0)) + used.count
    return {**entry, "access_count": count, "last_accessed": times.render_time(last)}


def make_entry(store: str, base: float, now: float, *, count: int = 1) -> dict[str, Any]:
    """The entry of a memory that is written at the second `now`, which is its first access."""
    pinned, weight = paths.STORE_OF_NAME[store].pinned, paths.STORE_OF_NAME[store].weight
    score = 1.0 if pinned else compute_relevance(base, 0.0, 1, weight)
    return {
        "store": store,
        "base_relevance": base,
        "created": times.render_time(now),
        "last_accessed": times.render_time(now),
        "access_count": count,
        "type_weight": weight,
        "current_score": round(score, 4),
        "status": status_of(score),
        "pinned": pinned,
    }
