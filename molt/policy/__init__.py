"""What may be committed, and by whom: one pure function, one table of rules."""

from __future__ import annotations

from molt.policy.engine import MERGED, MOVED, Context, Rule, Submission, judge_commit
from molt.policy.finding import Finding
from molt.policy.rules import RULES, SIGNATURES
from molt.policy.rules.hist import ADOPTED, REWRITTEN, UNRELATED
from molt.policy.sides import list_carried
from molt.policy.strictest import join_strictest
from molt.policy.waivers import NEVER, accept, accepted, is_acceptable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """The findings on the commit that turns `base` into `new`; see `engine.judge_commit`."""
    return judge_commit(RULES, Submission(base, new, message), context, config)


def judge_signature(
    tree: Tree, message: str, context: Context, config: Config
) -> tuple[Finding, ...]:
    """The findings on who signs a commit that joins others, which are judged one by one."""
    return judge_commit(SIGNATURES, Submission(tree, tree, message), context, config)


def rule(code: str) -> Rule | None:
    """The rule with a code, in any case; None if there is none."""
    return next((one for one in RULES if one.code == code.upper()), None)


def strictest(configs: Sequence[Config]) -> Config:
    """Of several configurations what none of them loosens; see `strictest.join_strictest`."""
    first = configs[0]
    if all(one is first for one in configs):
        return first
    return join_strictest(configs, {one.code: one.severity for one in RULES})


__all__ = [
    "ADOPTED",
    "MERGED",
    "MOVED",
    "NEVER",
    "REWRITTEN",
    "RULES",
    "UNRELATED",
    "Context",
    "Finding",
    "Rule",
    "accept",
    "accepted",
    "evaluate",
    "is_acceptable",
    "judge_signature",
    "list_carried",
    "rule",
    "strictest",
]
