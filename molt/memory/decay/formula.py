"""How relevant a memory is now: the formula, its weights and its floors."""

from __future__ import annotations

from molt.formats import origin as origins
from molt.formats import paths, times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from molt.config import Config
    from molt.formats.origin import Origin
    from molt.memory.decay.accesses import Used

STATES = origins.STATES

_FLOORS = (0.5, 0.2, 0.05)  # the least score of what is active, fading, dormant


class Fading(Value):
    """How memories fade: the loss per day, the least scores of what is active, fading and dormant,
    from the highest, and for kinds of ids how much more than usual their memories weigh.
    """

    rate: float = 0.03
    floors: tuple[float, ...] = _FLOORS
    ratios: tuple[tuple[str, float], ...] = ()

    def ratio_of(self, memory: str) -> float:
        """How much more than usual a memory weighs."""
        kind = memory.partition(":")[0]
        return next((ratio for name, ratio in self.ratios if name == kind), 1.0)


def read_fading(config: Config) -> Fading:
    """How memories fade by the settings. Floors that are out of order count as the highest of
    those that stand below them.
    """
    last = config.decay_dormant
    middle = max(config.decay_fading, last)
    weights = (
        *((0, config.decay_weight_core), (1, config.decay_weight_episodic)),
        *((2, config.decay_weight_semantic), (3, config.decay_weight_procedural)),
    )
    ratios = (
        (paths.STORES[at].kind, weight / paths.STORES[at].weight)
        for at, weight in weights
        if weight != paths.STORES[at].weight
    )
    floors = (max(config.decay_active, middle), middle, last)
    return Fading(config.decay_lambda, floors, tuple(ratios))


class Standing(Value):
    """The score of a memory now, from 0 to 1, and its status."""

    score: float
    status: str


class Weighed(Value):
    """What the score of a memory is computed from: `strength` is its base relevance times the
    weight of its store, `last` the second of its last access, infinite where nothing is known to
    have passed.
    """

    strength: float
    count: int
    last: float
    pinned: bool = False


_PINNED = Weighed(1.0, 1, 0.0, True)


def compute_relevance(
    base: float, days: float, count: int, weight: float, *, rate: float = 0.03
) -> float:
    """The relevance of what is not pinned, from 0 to 1.

    `days` have passed since the last of `count` accesses; `rate` is the loss per day.
    """
    from math import exp, log2

    score = base * exp(-rate * max(0.0, days)) * log2(count + 1) * weight
    return min(1.0, max(0.0, score))


def status_of(score: float, floors: tuple[float, ...] = _FLOORS) -> str:
    """What a score means: `active`, `fading`, `dormant` or `archived`."""
    return STATES[sum(score < floor for floor in floors)]


def compute_standing(weighed: Weighed, used: Used | None, now: float, fading: Fading) -> Standing:
    """How a memory stands at the second `now`, with accesses that no commit holds yet."""
    if weighed.pinned:
        return Standing(1.0, STATES[0])
    count, last = weighed.count, weighed.last
    if used is not None:
        count, last = count + used.count, max(last, used.last)
    # Being written is the first access: with none at all the formula would archive it at once.
    days = (now - last) / times.DAY
    score = compute_relevance(weighed.strength, days, max(1, count), 1.0, rate=fading.rate)
    return Standing(score, status_of(score, fading.floors))


def end_states(weighed: Weighed, fading: Fading) -> tuple[float, ...]:
    """The seconds at which a memory ceases to be active, fading and dormant, infinite for never;
    before them all for what it is not even now: `compute_standing` the other way round.
    """
    from math import inf, log, log2

    if weighed.pinned:
        return (inf,) * len(fading.floors)
    most = weighed.strength * log2(max(1, weighed.count) + 1)
    fades = fading.rate > 0 and weighed.last < inf
    return tuple(
        -inf
        if min(1.0, most) < floor
        else weighed.last + times.DAY * log(most / floor) / fading.rate
        if fades and floor > 0
        else inf
        for floor in fading.floors
    )


def weigh_origin(memory: str, origin: Origin, begun: float = 0.0) -> Weighed:
    """A memory of which only its own text tells: as if it had been used once, when it was written.

    What is older than the workspace became a memory of this agent when that was `begun`; what
    has no date does not fade.
    """
    if origin.pinned:
        return _PINNED
    last = float("inf") if origin.written is None else max(origin.written, begun)
    return Weighed(origin.base * paths.weight_of(memory), 1, last)


def weigh(memory: str, entry: Mapping[str, Any]) -> Weighed:
    """An entry of decay-scores.json, read leniently.

    One that is archived with a score of exactly 0 was forgotten on purpose: it stays so however
    often it is read, until it is restored.
    """
    if entry.get("pinned") is True or memory.startswith("vault:"):
        return _PINNED
    # Who looks a score up in a table reads no entry.
    from molt.formats.meta import scores

    weight = scores.read_number(entry, "type_weight", paths.weight_of(memory))
    strength = scores.read_number(entry, "base_relevance", origins.BASE) * weight
    if scores.is_forgotten(entry):
        strength = 0.0
    stamps = (times.parse_time(entry.get(key)) for key in ("last_accessed", "created"))
    last = next((second for second in stamps if second is not None), float("inf"))
    return Weighed(strength, int(scores.read_number(entry, "access_count", 1)), last)
