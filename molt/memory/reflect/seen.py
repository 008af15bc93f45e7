"""Which record of a reflection was shown to a person of this clone, or made here: no other is
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


def note_seen(ws: Workspace, reflection: str, text: str) -> None:
    """Note the text of a record that a person was shown. A bot that looks leaves no note, and
    where the disk cannot be written nothing is noted.
    """
    if workspace.find_actor(ws.repo, ws.named) in ("", "manual"):
        try:
            note_made(ws, reflection, text)
        except errors.Failed:
            return


def note_made(ws: Workspace, reflection: str, text: str) -> None:
    """Note the text of a record that was made here. Raises Failed."""
    if not _read(ws, reflection) or not was_seen(ws, reflection, text):
        state.write(ws.repo.git_dir, f"{_SEEN}{reflection}", _hash_text(text))


def was_seen(ws: Workspace, reflection: str, text: str) -> bool:
    """Whether the text of a record is the one that was shown to a person here, or made here; where
    nothing is known of it, as in another clone, it is.
    """
    return _read(ws, reflection) in ("", _hash_text(text))


def _read(ws: Workspace, reflection: str) -> str:
    return state.read(ws.repo.git_dir, f"{_SEEN}{reflection}")


def _hash_text(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "replace")).hexdigest()


def forget_seen(ws: Workspace, reflection: str) -> None:
    """Forget which one was shown, once it is decided. Raises Failed."""
    if _read(ws, reflection):
        state.write(ws.repo.git_dir, f"{_SEEN}{reflection}", "")
