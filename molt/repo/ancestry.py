"""What follows what: the commits of a range with their parents, without asking git again."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    ParentRow = tuple[str, tuple[str, ...]]
    """A commit with its parents."""

_ONE, _OTHER, _STALE = 1, 2, 4  # bits, as in git's commit-reach.c


class Ancestry:
    """Commits with their parents, parents before children; what they lead to lies outside."""

    def __init__(self, rows: Iterable[ParentRow]) -> None:
        self.parents = dict(rows)
        self._at = {oid: number for number, oid in enumerate(self.parents)}

    def border(self) -> tuple[str, ...]:
        """The parents that are outside."""
        every = (parent for parents in self.parents.values() for parent in parents)
        return tuple(dict.fromkeys(parent for parent in every if parent not in self.parents))

    def first_parents(self, tip: str) -> list[str]:
        """The line of first parents from a commit on, as far as it is inside, newest first."""
        line: list[str] = []
        while tip in self.parents:
            line.append(tip)
            tip = next(iter(self.parents[tip]), "")
        return line

    def ancestors(self, tips: Sequence[str], known: Container[str] = ()) -> set[str]:
        """What is inside of some commits and all that lead to them, but for what is `known`."""
        found: set[str] = set()
        waiting = list(tips)
        while waiting:
            oid = waiting.pop()
            if oid in self.parents and oid not in known and oid not in found:
                found.add(oid)
                waiting += self.parents[oid]
        return found

    def list_rows(self, oids: Iterable[str]) -> list[ParentRow]:
        """Some of the commits with their parents, parents before children."""
        return [(oid, self.parents[oid]) for oid in sorted(oids, key=self._at.__getitem__)]

    def bases(self, one: str, other: str) -> tuple[str, ...] | None:
        """The best common ancestors of two commits; None where that is decided outside.

        Both are followed at once, the newest first, so that each commit is met after all that
        follow it: what both reach and nothing better has covered is best.
        """
        from heapq import heappop, heappush

        if one not in self.parents or other not in self.parents:
            return None
        marks = {one: _ONE}
        marks[other] = marks.get(other, 0) | _OTHER
        heap = sorted((-self._at[oid], oid) for oid in marks)
        found: list[str] = []
        outside = 0
        while any(not marks[oid] & _STALE for _, oid in heap):
            oid = heappop(heap)[1]
            mark = marks[oid]
            if mark == _ONE | _OTHER:
                found.append(oid)
                mark |= _STALE
            for parent in self.parents[oid]:
                if parent not in self._at:
                    outside |= 0 if mark & _STALE else mark
                    continue
                if parent not in marks:
                    heappush(heap, (-self._at[parent], parent))
                marks[parent] = marks.get(parent, 0) | mark
        return None if outside == _ONE | _OTHER else tuple(found)


def reduce_heads(
    heads: Sequence[str],
    common: Callable[[Sequence[str]], Sequence[str]],
    independent: Callable[[Sequence[str]], Sequence[str]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commits that a merge of some joins, and their best common ancestors; `common` gives
    these, and `independent` those of many that lead to no other.

    One that leads to another of them, or stands there twice, adds nothing: what is left of two
    such is one commit, and no merge.
    """
    if len(heads) < 2:
        return tuple(heads), ()
    left = tuple(dict.fromkeys(heads))
    if len(left) == 2:
        found = tuple(common(left))
        rest = tuple(one for one in left if one not in found)
        return (left, found) if len(rest) == 2 else (rest, ())
    kept = frozenset(independent(left)) if len(left) > 2 else frozenset(left)
    rest = tuple(one for one in left if one in kept)
    return rest, tuple(common(rest)) if len(rest) > 1 else ()
