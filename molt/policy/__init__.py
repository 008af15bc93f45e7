"""What may be committed, and by whom: one pure function, one table of rules."""

from __future__ import annotations

from molt.policy.engine import Context, Finding, Rule, judge_commit
from molt.policy.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.config import Config
    from molt.formats.message import Message
    from molt.trees import Tree


def evaluate(
    base: Tree,
    new: Tree,
    message: str | Message | None,
    context: Context,
    config: Config | None = None,
) -> tuple[Finding, ...]:
    """The findings on the commit that turns `base` into `new`; see `engine.judge`."""
    return judge_commit(RULES, base, new, message, context, config)


def rule(code: str) -> Rule | None:
    """The rule with a code, in any case; None if there is none."""
    return next((one for one in RULES if one.code == code.upper()), None)


__all__ = ["RULES", "Context", "Finding", "Rule", "evaluate", "rule"]
