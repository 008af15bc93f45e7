"""What every moment of a conversation is told, and what is kept of a conversation meanwhile."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.repo import disk, state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from molt.memory.workspace import Workspace

_FOLDER = "talks"
_MOST_SHOWN = 200
"""Ids that are kept of a conversation: what was put into it so long ago is compacted away."""
_OLD = 30 * 86_400.0
"""Seconds after which what is kept of a conversation is swept away: nobody resumes it then."""
_WAIT = 2.0  # seconds: a host ends a hook after five, with all that it does
_COUNTS, _DIGITS = 3, 15  # numbers of a mark; digits, so that each fits into 64 bits


class TalkMoment(Value):
    """Where and when something happens: in which conversation (the host's own id for it, empty for
    none), and `now` with the workspace's zone.
    """

    ws: Workspace
    now: datetime
    session: str = ""


class TalkState(Value):
    """What is kept of a conversation: how often it was compacted, at which count the last flush
    was (-1 for none), how many bytes of its transcript were read, and which memories were put into
    it, oldest first.
    """

    compactions: int = 0
    flushed: int = -1
    read: int = 0
    shown: tuple[str, ...] = ()


NEW = TalkState()


def _name_file(session: str) -> str:
    """The name of a conversation's file: ids come from a host and may hold anything."""
    digest = trees.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_FOLDER}/{digest[:24]}"


def read_state(moment: TalkMoment) -> TalkState:
    """What is kept of the conversation; that of a new one where it has no id, or is damaged."""
    if not moment.session:
        return NEW
    text = state.read(moment.ws.repo.common_dir, _name_file(moment.session))
    counts, _, names = text.partition("\n")
    numbers = [int(one) for one in counts.split(" ") if _is_number(one)]
    if len(numbers) != _COUNTS:
        return NEW
    shown = tuple(map(state.unescape_field, names.split("\n")[:-1]))
    return TalkState(numbers[0], numbers[1], numbers[2], shown)


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) <= _DIGITS


def change_state(moment: TalkMoment, change: Callable[[TalkState], TalkState]) -> tuple[bool, str]:
    """Give the conversation another state, in one step also beside other processes; whether that
    changed anything, and why it could not be kept: empty where it was.
    """
    if not moment.session:
        return change(NEW) != NEW, ""
    folder = moment.ws.repo.common_dir
    try:
        with state.lock(folder, "talks", _WAIT):
            before = read_state(moment)
            after = change(before)
            if after == before:
                return False, ""
            rows = (*map(state.escape_field, after.shown[-_MOST_SHOWN:]), "")
            text = f"{after.compactions} {after.flushed} {after.read}\n" + "\n".join(rows)
            state.write(folder, _name_file(moment.session), text)
    except errors.MoltError as error:
        return True, error.message
    return True, ""


def drop_state(moment: TalkMoment) -> None:
    """Remove what is kept of a conversation. Raises Failed."""
    disk.remove_file(state.path(moment.ws.repo.common_dir, _name_file(moment.session)))


def sweep_states(moment: TalkMoment) -> None:
    """Remove what is kept of conversations that are long over."""
    folder = state.path(moment.ws.repo.common_dir, _FOLDER)
    oldest = moment.now.timestamp() - _OLD
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        full = os.path.join(folder, name)
        try:
            if os.stat(full).st_mtime < oldest:
                os.unlink(full)
        except OSError:
            continue
