"""A person rejects: the reason stays on the main branch, and the proposal in a ref beside it."""

from __future__ import annotations

import re

from molt import errors
from molt.formats import message as messages
from molt.formats.reflections import record, refs
from molt.formats.reflections.record import Decision
from molt.memory import workspace
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve, settle
from molt.memory.reflect.decisions.settle import DROPPED, REJECTED, SettledReflection
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.formats.reflections.record import ReflectionRecord
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


class RejectOptions(Value):
    """How it is rejected: only shown, of the plan whose hash begins so; and how the person was
    asked.
    """

    dry_run: bool = False
    plan: str = ""
    trigger: str = "molt reflect reject"


PLAIN = RejectOptions()


def reject_reflection(
    ws: Workspace, reflection: str, why: str, now: datetime, options: RejectOptions = PLAIN
) -> Written[str]:
    """Reject all of a reflection, in one commit of its record and of the log; gives its id. What
    it proposed is kept in `refs/molt/rejected/`.

    Raises Refused for who is no person, for a reflection that was decided, and for a plan that is
    not the one that was shown; Usage without a reason, from which the next one learns.
    """
    asked = options.trigger != PLAIN.trigger
    workspace.require_approver(ws, "reject reflections", asked=asked)
    if not why.strip():
        raise errors.Usage("a rejection without a reason", 'say it: `--why "…"`')
    approve.require_other_branch(ws)
    found = branch.require_open(ws, reflection)
    # Whatever the branch says of it, it is this one that is decided.
    one = found.record.replace(id=found.id)
    if not one.plan_hash.startswith(options.plan):
        look = f"look at it again: `molt reflect show {found.id}`"
        raise errors.Refused(f"the plan of {found.id} is not the one that was shown", look)
    done = commit_rejection(ws, one, why, now, options)
    if done.oid:
        approve.close_branch(ws, found, keep=f"{refs.REJECTED}{one.id}")
    return done


def commit_rejection(
    ws: Workspace, one: ReflectionRecord, why: str, now: datetime, options: RejectOptions
) -> Written[str]:
    """Commit that a reflection is rejected, with its record as it is given and the log; gives its
    id. Raises Refused where it was decided, and what a commit does.
    """
    decided = now.isoformat(timespec="seconds")

    def make_change(tree: Tree) -> Change[str]:
        approve.require_undecided(tree, one.id)
        decision = Decision("rejected", decided, "manual", " ".join(why.split()))
        items = _judge_items(one, why)
        edits = settle.edit_books(tree, SettledReflection(one, decision, items))
        named = [("Reflection", one.id), ("Plan", one.plan_hash), ("Base", one.base)]
        by = messages.Provenance("manual", "rejected", options.trigger, named)
        said = f"reflection {one.id} rejected"
        path = record.record_path(one.id)
        return Change(edits, messages.render("REJECT", path, said, by, body=why), one.id)

    return ws.commit(make_change, dry_run=options.dry_run, actor="manual", now=now.timestamp())


_NAMED = re.compile(r"#(\d{1,4})(?!\d)")


def _judge_items(one: ReflectionRecord, why: str) -> dict[int, str]:
    """What is decided of each item: where the reason names some, as `#3`, only these are not
    wanted, and the others may be proposed again.
    """
    named = {int(number) for number in _NAMED.findall(why)} & {item.n for item in one.items}
    return {item.n: REJECTED if item.n in named or not named else _LEFT for item in one.items}


_LEFT = f"{DROPPED}: the reason named others"
