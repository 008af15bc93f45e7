"""The tool by which a model proposes a reflection: on a branch, for a person to decide on."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field

from molt import errors
from molt.hosts.mcp import shapes
from molt.hosts.mcp.desk import Asking, desk_of
from molt.memory.reflect.branches import show
from molt.memory.reflect.plans import plans
from molt.memory.workspace import Workspace


async def reflection_propose(
    ctx: Asking,
    plan: Annotated[dict[str, Any], Field(description="The plan that the prompt `reflect` asks")],
) -> shapes.DraftedShape:
    """Propose a plan to consolidate memory. It is put on a branch: nothing holds of it yet.

    The prompt `reflect` says what a plan is. The user decides on it: `reflection_decide`.
    """
    desk = desk_of(ctx)

    def propose(ws: Workspace) -> shapes.DraftedShape:
        if ws.actor.startswith(("subagent:", "skill:")):
            raise errors.Refused(f"{ws.actor} does not reflect", "the main agent does")
        # The engines of a plan take longer to import than all else of molt that a server needs.
        from molt.memory.reflect import draft

        now = desk.read_time(ws)
        made = draft.draft_reflection(
            ws, now.strftime("%Y-%m-%d"), now.timestamp(), plan=json.dumps(plan)
        )
        found = draft.write_draft(ws, made, now)
        faults = tuple(map(plans.describe_fault, made.faults))
        dropped = tuple(f"{one.op}: {why}" for one, why in made.dropped)
        shown = show.describe_reflection(found) if found else None
        reflection = shapes.ReflectedShape.model_validate(shown) if shown else None
        return shapes.DraftedShape(reflection=reflection, faults=faults, dropped=dropped)

    return await desk.write(propose)
