"""A commit without a change: what a person says about what is there, judged as every commit is."""

from __future__ import annotations

from molt import errors, policy
from molt.memory import judging
from molt.memory.projections import freshen_all
from molt.repo.write import remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace


def commit_words(ws: Workspace, text: str, actor: str) -> str:
    """Commit a message of an actor, and bring up what follows from it; gives the id.

    Raises Refused with the policy's findings, and what a write raises.
    """
    head = ws.head()
    context = judging.context_for(ws.repo, ws.repo.tip(), actor=actor)
    findings = policy.evaluate(head, head, text, context, ws.config)
    if any(one.severity == "error" for one in findings):
        raise errors.Refused("the policy refuses this", findings=findings)
    oid = remark.commit_remark(ws.repo, text)
    freshen_all(ws.repo)
    return oid
