"""Who may decide on a reflection: a person, in no terminal that an agent runs."""

from __future__ import annotations

import os

from molt import errors
from molt.memory import workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace

_AGENTS = {"CLAUDECODE": "Claude Code"}
"""The variables by which programs mark the commands that their agents run, and the programs."""


def require_approver(ws: Workspace, deed: str, *, asked: bool = False) -> None:
    """Raises Refused for who is no person: by the call, and by the environment, whatever the call
    says, for who proposes does not approve. Commands that an agent runs are nobody's word either,
    where the person was not `asked` by the program itself.
    """
    for actor in (ws.named, workspace.find_actor(ws.repo)):
        if actor not in ("", "manual"):
            raise workspace.make_person_error(f"{actor} does not {deed}")
    agent = next((name for mark, name in _AGENTS.items() if os.environ.get(mark)), "")
    if agent and not asked:
        said = f"a command that {agent} runs does not {deed}"
        raise errors.Refused(said, "a person does, in a terminal of their own")
