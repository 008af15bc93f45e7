"""How relevant a memory is now: the formula, its weights and its floors."""

from __future__ import annotations

from molt.formats import paths, times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from molt.memory.decay.accesses import Used

STATES = ("active", "fading", "dormant", "archived")


BASE = 0.7
_FLOORS = (0.5, 0.2, 0.05)
_DAY = 86_400.0


class Standing(Value):
    """The score of a memory now, from 0 to 1, and its status."""

    score: float
    status: str


class Weighed(Value):
    """What the score of a memory is computed from: `strength` is its base relevance times the
    weight of its store, `last` the second of its last access.
    """

    strength: float
    count: int
    last: float
    pinned: bool = False


UNWEIGHED = Standing(BASE, "active")


"""A memory that decay-scores.json does not know: imported, adopted or written by a person.

Its own date may be years back, but it became a memory of this agent only when it was brought in,
so it counts as active until its first access gives it an entry.
"""


def compute_relevance(
    base: float, days: float, count: int, weight: float, *, rate: float = 0.03
) -> float:
    """The relevance of what is not pinned, from 0 to 1.

    `days` have passed since the last of `count` accesses; `rate` is the loss per day.
    """
    from math import exp, log2

    score = base * exp(-rate * max(0.0, days)) * log2(count + 1) * weight
    return min(1.0, max(0.0, score))


def status_of(score: float) -> str:
    """What a score means: `active`, `fading`, `dormant` or `archived`."""
    return STATES[sum(score < floor for floor in _FLOORS)]


def compute_standing(
    weighed: Weighed | None, used: Used | None, now: float, *, rate: float
) -> Standing:
    """How a memory stands at the second `now`, with accesses that no commit holds yet."""
    if weighed is None:
        if used is None:
            return UNWEIGHED
        weighed = Weighed(BASE, 0, used.last)
    if weighed.pinned:
        return Standing(1.0, STATES[0])
    count, last = weighed.count, weighed.last
    if used is not None:
        count, last = count + used.count, max(last, used.last)
    # Being written is the first access: with none at all the formula would archive it at once.
    score = compute_relevance(weighed.strength, (now - last) / _DAY, max(1, count), 1.0, rate=rate)
    return Standing(score, status_of(score))


def weigh(memory: str, entry: Mapping[str, Any]) -> Weighed:
    """An entry of decay-scores.json, read leniently.

    One that is archived with a score of exactly 0 was forgotten on purpose: it stays so however
    often it is read, until it is restored.
    """
    store = paths.STORE_OF_KIND.get(memory.partition(":")[0])
    if entry.get("pinned") is True or (store is not None and store.kind == "vault"):
        return Weighed(1.0, 1, 0.0, True)
    weight = read_number(entry.get("type_weight"), store.weight if store else 1.0)
    strength = read_number(entry.get("base_relevance"), BASE) * weight
    if entry.get("status") == "archived" and entry.get("current_score") == 0:
        strength = 0.0
    stamps = (times.parse_time(entry.get(key)) for key in ("last_accessed", "created"))
    # Without a time nothing is known to have passed.
    last = next((second for second in stamps if second is not None), float("inf"))
    return Weighed(strength, int(read_number(entry.get("access_count"), 1)), last)


def read_number(value: object, default: float) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if plain and 0 <= value < 1e12 else default  # type: ignore[operator, arg-type]
