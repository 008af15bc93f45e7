"""The commits of a range as they are judged, with what many of them bring read at once before."""

from __future__ import annotations

import gc
from contextlib import suppress

from molt import errors
from molt.policy import foresight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.checks.scope import Scope
    from molt.repo.ranges import ObjectStore

_AT_ONCE = 512
"""Commits that are looked at together: they bring some hundred kilobytes."""


def walk_judged(scope: Scope) -> Iterator[str]:
    """The commits to judge, parents before children."""
    # To look through all that is imported for cycles, again and again, took a twentieth.
    gc.freeze()
    try:
        for at in range(0, len(scope.judged), _AT_ONCE):
            oids = scope.judged[at : at + _AT_ONCE]
            # What is lost is told of by who judges the commit that has it.
            with suppress(errors.Failed):
                foresight.learn_texts(_look_ahead(scope.store, oids))
            yield from oids
    finally:
        gc.unfreeze()


def _look_ahead(store: ObjectStore, oids: Sequence[str]) -> foresight.Prospect:
    """What commits bring: of a file that many of them change, what it is at the end."""
    commits = [store.commit(oid) for oid in oids]
    before = next(iter(commits[0].parents), "")
    base = store.tree(store.commit(before).tree if before else "")
    new = store.tree(commits[-1].tree)
    messages = [one.message for one in commits]
    return foresight.Prospect(base, new, store.changes(base.oid, new.oid), messages)
