"""Which record of a reflection was shown to a person of this clone, and which was made here: no
other is approved unseen.
"""

from __future__ import annotations

from molt import errors, trees
from molt.memory import workspace
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace

_SEEN, _MADE = "seen-", "made-"


def note_seen(ws: Workspace, reflection: str, text: str) -> None:
    """Note the text of a record that a person was shown. A bot that looks leaves no note, and
    where the disk cannot be written nothing is noted.
    """
    if workspace.find_actor(ws.repo, ws.named) in ("", "manual"):
        try:
            _note(ws, f"{_SEEN}{reflection}", text)
        except errors.Failed:
            return


def note_made(ws: Workspace, reflection: str, text: str) -> None:
    """Note the text of a record that was made here. What a person was shown before under the same
    id stays noted: the branch could have been taken away, to be made anew. Raises Failed.
    """
    _note(ws, f"{_MADE}{reflection}", text)


def _note(ws: Workspace, name: str, text: str) -> None:
    hashed = _hash_text(text)
    if _read(ws, name) != hashed:
        state.write(ws.repo.git_dir, name, hashed)


def was_made(ws: Workspace, reflection: str, text: str) -> bool:
    """Whether the text of a record is the one that was made here: its summary was written from
    its plan, by nobody else.
    """
    return _read(ws, f"{_MADE}{reflection}") == _hash_text(text)


def was_seen(ws: Workspace, reflection: str, text: str) -> bool:
    """Whether the text of a record is the one that was shown to a person here, or made here; where
    nothing is known of it, as in another clone, it is.
    """
    known = _read(ws, f"{_SEEN}{reflection}") or _read(ws, f"{_MADE}{reflection}")
    return known in ("", _hash_text(text))


def was_shown(ws: Workspace, reflection: str, text: str) -> bool:
    """Whether a person was shown the text of a record here, by molt."""
    return _read(ws, f"{_SEEN}{reflection}") == _hash_text(text)


def _read(ws: Workspace, name: str) -> str:
    return state.read(ws.repo.git_dir, name)


def _hash_text(text: str) -> str:
    return trees.sha256(text.encode("utf-8", "replace")).hexdigest()


def forget_seen(ws: Workspace, reflection: str) -> None:
    """Forget which one was shown, and made, once it is decided. Raises Failed."""
    for name in (f"{_SEEN}{reflection}", f"{_MADE}{reflection}"):
        if _read(ws, name):
            state.write(ws.repo.git_dir, name, "")
