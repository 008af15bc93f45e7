"""The one table of rules, in the order of the documentation."""

from __future__ import annotations

from molt.policy import sensitivity, shapes
from molt.policy.engine import Rule, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.policy.shapes import Concern, Shape


def _family(name: str, concerns: Concern) -> tuple[Concern, Callable[[], tuple[Rule, ...]]]:
    """The rules of a module, which is loaded with the first commit that one of them concerns."""
    return concerns, lambda: _load_family(name)


def _load_family(name: str) -> tuple[Rule, ...]:
    rules: tuple[Rule, ...] = __import__(f"{__name__}.{name}", fromlist=[name]).RULES
    return rules


def _always(_shape: Shape) -> bool:
    return True


def _by_others(*kinds: str, but: str = "") -> Concern:
    return lambda shape: not shape.is_person and shape.touches(*kinds, but=but)


def _critical(shape: Shape) -> bool:
    weighty = shape.weighs(sensitivity.CRITICAL, sensitivity.HIGH) or shape.touches(shapes.IGNORES)
    guarded = weighty and not shape.is_person
    return guarded or shape.touches("checksums") or any(one.listed for one in shape.traits)


def _told_by_others(shape: Shape) -> bool:
    return not shape.is_person and not shape.plain


def _by_agents(shape: Shape) -> bool:
    return shape.actor.startswith(("subagent:", "skill:")) or shape.touches("proposals")


def _kept_by_molt(shape: Shape) -> bool:
    return not shape.is_person or shape.touches("prose", "tombstones")


def _kept_by_person(shape: Shape) -> bool:
    if shape.is_person or shape.actor.startswith("reflection:"):
        return False
    approved = bool(shape.wording and shape.wording.approval in ("approved", "partial"))
    return approved or shape.touches("core", "entity", "procedure", "vault")


def _scored(shape: Shape) -> bool:
    return shape.touches("scores") or _by_others("entity", "procedure")(shape)


def _reflected(shape: Shape) -> bool:
    return shape.actor.startswith("reflection:") or shape.weighs(sensitivity.BOOKKEEPING)


RULES = Table(
    (
        _family("msg", _always),
        _family("core", shapes.touching("core")),
        _family("epi", shapes.unless_plain(shapes.touching("episode"))),
        _family("vault", shapes.by_others(sensitivity.VAULT)),
        _family("crit", _critical),
        _family("agent", _by_agents),
        _family("orig", _told_by_others),
        _family("graph", shapes.touching("entity", "projection", but="D")),
        _family("proc", shapes.touching("procedure", "vault", but="D")),
        _family("score", _scored),
        _family("pin", _by_others("scores", "entity", "procedure", "prose")),
        _family("meta", _kept_by_molt),
        _family("refl", _reflected),
        _family("word", _kept_by_person),
        _family("sec", _always),
        _family("pers", _always),
        _family("hist", lambda shape: shape.seen),
        _family("conf", _always),
        _family("sign", _always),
    )
)
SIGNATURES = Table((_family("sign", _always),))
"""The rules on who signs."""
