"""The budget of a reflection: what it may say in all, in tokens."""

from __future__ import annotations

from molt import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.formats.reflections.plan import Operation

TOKENS = 8_000
"""The most that a reflection says (section 10.2 of the architecture)."""
_LARGE = 0.5
"""An operation of more than that share of the budget goes by itself: it would push out all that
rank below it."""


def count_operation(one: Operation) -> int:
    """The tokens of an operation, as a plan writes it."""
    import json

    said = {"op": one.op, **one.args, "evidence": one.evidence, "reason": one.reason}
    said["confidence"] = one.confidence
    return tokens.count_tokens(json.dumps(said, ensure_ascii=False)) + 1


def fit_budget(
    operations: Iterable[Operation], limit: int = TOKENS
) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
    """Those that fit, and those that are cut: from the lowest-ranked on, until the rest fits.

    Their order is their rank; the rewrite of core memory ranks first, wherever it stands. Both
    are given in the order in which they came.
    """
    every = [(at, one, count_operation(one)) for at, one in enumerate(operations)]
    ranked = sorted(every, key=lambda one: one[1].op != "rewrite-core")
    kept: set[int] = set()
    spent, full = 0, False
    for at, _, count in ranked:
        if count > limit * _LARGE:
            continue
        full = full or spent + count > limit
        if not full:
            spent += count
            kept.add(at)
    return (
        tuple(one for at, one, _ in every if at in kept),
        tuple(one for at, one, _ in every if at not in kept),
    )
