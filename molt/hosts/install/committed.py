"""Instructions of agents that a workspace keeps in git: changed by a commit in a person's name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from molt import errors
from molt.formats import message as messages
from molt.formats.prose import instructions
from molt.memory import workspace
from molt.memory.adopt import adoption
from molt.repo.write.plan import Change

if TYPE_CHECKING:
    from molt.hosts.install.plans import HostEdit, HostPlan
    from molt.repo.write.plan import MakeChange
    from molt.trees import Tree


def commit_instructions(plan: HostPlan, project: str, trigger: str) -> HostPlan:
    """Commit what a plan does to AGENTS.md and CLAUDE.md, where the project is a workspace; gives
    the plan with what is left. Raises what a commit raises; nothing has changed then.
    """
    if not project:
        return plan
    try:
        ws = workspace.find(project, "manual")
    except errors.NotFound:
        return plan
    found = {
        name: one
        for one in plan.edits
        if one.change != "unchanged"
        and (name := os.path.basename(one.path)) in adoption.AGENTS
        and os.path.realpath(one.path) == os.path.join(ws.repo.root, name)
    }
    if not found:
        return plan
    ws.commit(_change_instructions(found, trigger), actor="manual")
    return plan.replace(
        edits=tuple(
            one.replace(before=one.after) if one in found.values() else one for one in plan.edits
        )
    )


def _change_instructions(found: dict[str, HostEdit], trigger: str) -> MakeChange[None]:
    """The change of those files, in whatever version: of one that git has otherwise than it is on
    disk, the block alone.
    """
    text = messages.render(
        "EDIT",
        next(iter(found)) if len(found) == 1 else "*.md",
        "how an agent uses molt",
        messages.Provenance(actor="manual", approval="—", trigger=trigger),
    )

    def make_change(tree: Tree) -> Change[None]:
        edits: dict[str, bytes | None] = {}
        for path, one in found.items():
            data = tree.read(path)
            now = None if data is None else data.decode("utf-8", "surrogateescape")
            then = one.after if now == one.before else _change_block(now, one)
            if then != now:
                edits[path] = None if then is None else then.encode("utf-8", "surrogateescape")
        return Change(edits, text, None)

    return make_change


def _change_block(text: str | None, one: HostEdit) -> str | None:
    """What another version of a file becomes by the change that was made to this one."""
    if one.after is not None and instructions.find_block(one.after):
        return instructions.put_block(text or "")
    return None if text is None else instructions.take_block(text)
