"""Work that a host is not to wait for: a molt of its own, which outlives the hook."""

from __future__ import annotations

import os
import sys

from molt import errors
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.session.moment import TalkMoment

CHOICE = "host-model"
"""The private file of a clone that has the name of the host that makes plans."""


def start_flush(moment: TalkMoment, transcript: str) -> int:
    """Start `molt session flush` on a transcript; return the process. Raises Failed where none can
    be started.
    """
    args = ["session", "flush"]
    if moment.session:
        args.append(f"--session={moment.session}")
    if transcript:
        args.append(f"--transcript={transcript}")
    return _start_molt(moment, args, "nothing saves what the compaction loses")


def start_reflection(moment: TalkMoment) -> int:
    """Start the reflection whose plan the host's own model makes, where a person has chosen that,
    if one is due; return the process, 0 for none. Raises Failed where none can be started.
    """
    if not state.read(moment.ws.repo.common_dir, CHOICE):
        return 0
    args = ["reflect", "--engine=host", "--if-due"]
    return _start_molt(moment, args, "nothing reflects on what the session leaves")


def _start_molt(moment: TalkMoment, command: list[str], loss: str) -> int:
    """Start a molt that outlives the hook."""
    # The folder is the host's: what is called like a module there is not to be imported (-P).
    args = [sys.executable, "-P", "-m", "molt", "--workspace", moment.ws.repo.root, "--quiet"]
    args += command
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        # A session of its own: a host that kills the hook's group does not kill it.
        return os.posix_spawn(args[0], args, os.environ, file_actions=quiet, setsid=True)
    except (OSError, ValueError, NotImplementedError) as error:
        raise errors.Failed(f"{loss}: {error}") from error
