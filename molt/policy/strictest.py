"""Of several configurations what none of them loosens."""

from __future__ import annotations

from molt.policy import secrets
from molt.policy.finding import ERROR, OFF, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from molt.config import Config

_REVIEWS = ("auto", "batch", "manual")
_RANKS = {OFF: 0, WARNING: 1, ERROR: 2}


def join_strictest(configs: Sequence[Config], usual: Mapping[str, str]) -> Config:
    """The first of several configurations with the strictest of what says who may do what: of
    each rule the highest severity (`usual` where one names none), all that any protects, whom
    all trust, what all grant, the keys that all have for whom any binds, and the smallest cap.

    What is a matter of taste (types of entities, the search) stays as the first has it.
    """
    first = configs[0]
    if all(one == first for one in configs[1:]):
        return first
    from molt.policy import signers

    return first.replace(
        core_cap=min(one.core_cap for one in configs),
        policy_severity=_strictest_levels(configs, usual),
        policy_secrets=_strictest_classes(configs),
        policy_critical=_all_names(one.policy_critical for one in configs),
        policy_high=_all_names(one.policy_high for one in configs),
        agents_trusted=_common_names([one.agents_trusted for one in configs]),
        agents_grants=_common_names([one.agents_grants for one in configs]),
        agents_review=max((one.agents_review for one in configs), key=_REVIEWS.index),
        actors_keys=signers.join_bindings(configs),
        signatures_require=_all_names(one.signatures_require for one in configs),
    )


def _strictest_levels(
    configs: Sequence[Config], usual: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    levels = [dict(one.policy_severity) for one in configs]
    codes = sorted({code for one in levels for code in one})
    said = ([one.get(code, usual.get(code, ERROR)) for one in levels] for code in codes)
    strictest = (max(every, key=_RANKS.__getitem__) for every in said)
    return tuple(zip(codes, strictest, strict=True))


def _strictest_classes(configs: Sequence[Config]) -> tuple[tuple[str, str], ...]:
    kinds = sorted({kind for one in configs for kind, _ in one.policy_secrets})
    said = ([secrets.class_of(kind, one.policy_secrets) for one in configs] for kind in kinds)
    strictest = (max(every, key=secrets.CLASSES.index) for every in said)
    return tuple(zip(kinds, strictest, strict=True))


def _all_names(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in lists for name in one))


def _common_names(lists: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(name for name in lists[0] if all(name in one for one in lists))
