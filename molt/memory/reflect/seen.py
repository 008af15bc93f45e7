"""Which plan of a reflection was shown to a person of this clone, or made here: another one is not
approved unseen.
"""

from __future__ import annotations

from molt import errors
from molt.memory import workspace
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace

_SEEN = "seen-"


def note_seen(ws: Workspace, reflection: str, plan_hash: str) -> None:
    """Note which plan a person was shown. A bot that looks leaves no note, and where the disk
    cannot be written nothing is noted.
    """
    if workspace.find_actor(ws.repo, ws.named) in ("", "manual"):
        try:
            note_made(ws, reflection, plan_hash)
        except errors.Failed:
            return


def note_made(ws: Workspace, reflection: str, plan_hash: str) -> None:
    """Note which plan was made here. Raises Failed."""
    if read_seen(ws, reflection) != plan_hash:
        state.write(ws.repo.git_dir, f"{_SEEN}{reflection}", plan_hash)


def read_seen(ws: Workspace, reflection: str) -> str:
    """The hash of the plan that was shown to a person here, or made here; empty for none."""
    return state.read(ws.repo.git_dir, f"{_SEEN}{reflection}")


def forget_seen(ws: Workspace, reflection: str) -> None:
    """Forget which plan was shown, once it is decided. Raises Failed."""
    if read_seen(ws, reflection):
        state.write(ws.repo.git_dir, f"{_SEEN}{reflection}", "")
