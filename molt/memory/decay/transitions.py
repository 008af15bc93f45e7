"""What time has done to memories since it was told last: a commit says it, and nothing else does.

A score is computed whenever it is asked for, so all that has to be kept is when this was told:
what a memory was then, and what it is now, are both known from its text, its uses and the clock.
So a memory that nobody uses costs no line of decay-scores.json, however often it changes.
"""

from __future__ import annotations

from collections import Counter

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import updated
from molt.memory import inventory
from molt.memory.decay import accesses, fold
from molt.memory.decay import scores as decay_scores
from molt.memory.decay.known import KnownScores
from molt.memory.decay.scores import Scores
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.origin import Origin
    from molt.memory.decay.accesses import AccessBatch
    from molt.memory.decay.formula import Fading
    from molt.repo.repository import Repo
    from molt.repo.write.plan import MakeChange
    from molt.trees import Tree

ACTOR = "system:decay"
_LEAST = 0.0001  # the least that the four decimals of a score show
ARROW = " → "
# A message of more rows is read by nobody; the others are counted.
_ROWS = 500


class Transition(Value):
    """A memory that was one thing when it was told last, and is another now."""

    id: str
    before: str
    after: str
    score: float

    @property
    def row(self) -> str:
        """The row of a message that says it."""
        return f"- {self.id}: {self.before}{ARROW}{self.after} ({self.score:.2f})"


class Decayed(Value):
    """What has changed, and the batches of uses that were counted."""

    transitions: tuple[Transition, ...] = ()
    batches: tuple[AccessBatch, ...] = ()


def find_transitions(repo: Repo, tree: Tree, now: float, fading: Fading) -> tuple[Transition, ...]:
    """The memories of a tree that are not what they were when that was told last, by path."""
    text = trees.read_text(tree, paths.SCORES)
    told = updated.read_updated(text)
    known = score_file.parse_scores(text)["entries"]
    standing = decay_scores.load_scores(repo, tree, now, fading)
    earlier = Scores(standing.table, {}, told or 0.0, fading, begun=standing.begun)
    return tuple(_compare(tree, known, standing, earlier))


def _compare(
    tree: Tree, known: fold.Entries, standing: Scores, earlier: Scores
) -> Iterator[Transition]:
    for memory, origin in inventory.list_origins(tree):
        entry = known.get(memory, {})
        if score_file.is_forgotten(entry):
            continue
        after = standing.of(memory, origin)
        before = _find_status(entry) or _find_earlier(earlier, memory, origin)
        if before != after.status:
            # A score of exactly 0 would say that a person wanted it forgotten.
            score = max(round(after.score, 4), _LEAST)
            yield Transition(memory, before, after.status, score)


def _find_status(entry: dict[str, object]) -> str:
    """What an entry says that its memory is; empty where it says nothing of it."""
    return str(score_file.fit_entry(entry).get("status", ""))


def _find_earlier(earlier: Scores, memory: str, origin: Origin) -> str:
    """What a memory was when that was told last; what is newer, as it was when it was written."""
    return earlier.of(memory, origin).status


def make_decay(
    repo: Repo, now: float, fading: Fading, *, dry_run: bool = False
) -> MakeChange[Decayed]:
    """A change that tells what time has done, with the uses that wait; no edits where it has done
    nothing.
    """

    def make_change(tree: Tree) -> Change[Decayed]:
        found = find_transitions(repo, tree, now, fading)
        if not found:
            return Change({}, "", Decayed())
        batches = () if dry_run else accesses.take_batches(repo, repo.tip())
        edits = fold.count_uses(tree, {}, batches, now, KnownScores(tree, repo.cache))
        before = (edits.get(paths.SCORES) or tree.read(paths.SCORES) or b"").decode("utf-8")
        text = updated.set_updated(_set_states(before, found), now)
        message = _render(found, batches)
        return Change({paths.SCORES: text.encode()}, message, Decayed(found, batches))

    return make_change


def _set_states(text: str, found: tuple[Transition, ...]) -> str:
    """The scores with what has changed of the memories that have an entry."""
    known = score_file.parse_scores(text)["entries"]
    fresh = {
        one.id: {**known[one.id], "current_score": one.score, "status": one.after}
        for one in found
        if one.id in known
    }
    return score_file.edit_entries(text, fresh)


def _render(found: tuple[Transition, ...], batches: tuple[AccessBatch, ...]) -> str:
    kinds = Counter(f"{one.before}→{one.after}" for one in found)
    count = f"{len(found):,} transition{'s' * (len(found) != 1)}"
    said = f"{count}: {', '.join(f'{n:,} {kind}' for kind, n in kinds.most_common())}"
    rows = [one.row for one in found[:_ROWS]]
    rows += [f"and {len(found) - _ROWS:,} more"] * (len(found) > _ROWS)
    trailers = [(accesses.TRAILER, batch.token) for batch in batches]
    by = messages.Provenance(ACTOR, "auto", "molt decay", trailers)
    return messages.render("DECAY", paths.SCORES, said, by, body="\n".join(rows))


def finish_decay(done: Decayed) -> None:
    """Drop the uses that a commit has counted."""
    accesses.drop_batches(done.batches)
