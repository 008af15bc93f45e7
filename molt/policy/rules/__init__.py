"""The one table of rules, in the order of the documentation."""

from __future__ import annotations

from molt.policy.rules import (
    agent,
    conf,
    core,
    crit,
    epi,
    graph,
    hist,
    meta,
    msg,
    orig,
    pers,
    pin,
    proc,
    refl,
    score,
    sec,
    sign,
    vault,
)

RULES = (
    *msg.RULES,
    *core.RULES,
    *epi.RULES,
    *vault.RULES,
    *crit.RULES,
    *agent.RULES,
    *orig.RULES,
    *graph.RULES,
    *proc.RULES,
    *score.RULES,
    *pin.RULES,
    *meta.RULES,
    *refl.RULES,
    *sec.RULES,
    *pers.RULES,
    *hist.RULES,
    *conf.RULES,
    *sign.RULES,
)
