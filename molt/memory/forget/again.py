"""What was forgotten in one clone and is said again in another: the tombstone wins."""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.merge import merge
from molt.formats.meta import tombstones
from molt.formats.prose import sayings
from molt.memory.forget import forget
from molt.policy import returns, texts
from molt.repo.write.plan import CommitStep
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.meta.tombstones import Graveyard, Tombstone
    from molt.formats.prose.sayings import Saying
    from molt.memory.forget.said_files import Cache
    from molt.trees import Tree

_ASKED = "forgotten in another clone"


class Side(Value):
    """One of two histories that are about to be joined: its tree, and that of the other one."""

    base: Tree
    tree: Tree
    other: Tree


class PutAway(Value):
    """The commit that puts away on a side what the other one has forgotten, and a line for people
    on each saying.
    """

    step: CommitStep
    notes: tuple[str, ...]


def put_away(side: Side, cache: Cache) -> PutAway | None:
    """Return the commit after which a side no longer says what the other one has forgotten; None
    where it does not. What only a person takes away stays.
    """
    stones = _list_stones(side)
    every = _list_returning(side, stones) if stones else ()
    pairs = list({one.id: (one, stone) for one, stone in every}.values())
    if not pairs:
        return None
    gone = [one for one, _ in pairs]
    edits = forget.cut_files(side.tree, gone, permanently=False)
    notes = [one for one in gone if one.kind == sayings.NOTE]
    edits |= {one.path: None for one in notes if _is_removed(side, one.path)}
    edits |= forget.score_gone(cache, side.tree, gone, permanently=False)
    latest = max(stone.date for _, stone in pairs)
    values = [one.value for one in gone]
    edits[paths.TOMBSTONES] = forget.bury(side.tree, values, latest, stones[0].salt)
    named = [("Memory-Id", one.id) for one in gone]
    by = messages.Provenance(messages.FORGETTER, "approved", _ASKED, named)
    count = f"{len(gone):,} memor{'y' if len(gone) == 1 else 'ies'} {_ASKED}"
    text = messages.render("ARCHIVE", forget.name_files(edits), count, by)
    lines = (
        f"archived {one.id}: another clone forgot what it says on {stone.date}; "
        f"`molt restore {one.id}` brings it back"
        for one, stone in pairs
    )
    return PutAway(CommitStep(edits, text), tuple(lines))


def _list_stones(side: Side) -> tuple[Tombstone, ...]:
    """What the other side has forgotten, a side does not know of, and nobody has brought back."""
    base, ours, theirs = (
        trees.read_text(tree, paths.TOMBSTONES) for tree in (side.base, side.tree, side.other)
    )
    if ours == theirs:
        return ()
    joined = tombstones.parse_tombstones(merge(paths.TOMBSTONES, base, ours, theirs).text)
    here, there = map(tombstones.parse_tombstones, (ours, theirs))
    return tuple(one for one in joined if one in there and one not in here)


def _list_returning(side: Side, stones: Sequence[Tombstone]) -> Iterator[tuple[Saying, Tombstone]]:
    known = tombstones.Graveyard(stones)
    for change in trees.diff(side.base, side.tree):
        if change.status == "D":
            continue
        there = {(one.id, one.text) for one in returns.parse_file(side.other, change.path)}
        yield from _find_erased(side, known, change.path)
        for one, stone in returns.list_returning(known, side.base, side.tree, change.path):
            if (one.id, one.text) in there:
                continue
            away = returns.is_put_away(side.tree, one)
            if not away and not returns.is_left_to_people(side.tree, one):
                yield one, stone


def _is_removed(side: Side, path: str) -> bool:
    """Whether the other side has removed a file since."""
    return side.base.entry(path) is not None and side.other.entry(path) is None


def _find_erased(side: Side, known: Graveyard, path: str) -> Iterator[tuple[Saying, Tombstone]]:
    """The note of a file that the other side has removed for good, with its tombstone: git could
    not join a file that is gone there and changed here.
    """
    for one in returns.parse_file(side.base, path) if _is_removed(side, path) else ():
        stones = texts.list_said(known, [one.value], most=None)
        if one.kind == sayings.NOTE and stones and not returns.is_left_to_people(side.tree, one):
            yield one, stones[0]
