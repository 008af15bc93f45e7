"""Work that a host is not to wait for: a molt of its own, which outlives the hook."""

from __future__ import annotations

import os
import sys

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.session.moment import TalkMoment


def start_flush(moment: TalkMoment, transcript: str) -> int:
    """Start `molt session flush` on a transcript; gives the process. Raises Failed where none can
    be started.
    """
    root = moment.ws.repo.root
    # The folder is the host's: what is called like a module there is not to be imported (-P).
    args = [sys.executable, "-P", "-m", "molt", "--workspace", root]
    args += ["--quiet", "session", "flush"]
    if moment.session:
        args.append(f"--session={moment.session}")
    if transcript:
        args.append(f"--transcript={transcript}")
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        # A session of its own: a host that kills the hook's group does not kill it.
        return os.posix_spawn(args[0], args, os.environ, file_actions=quiet, setsid=True)
    except (OSError, ValueError, NotImplementedError) as error:
        raise errors.Failed(f"nothing saves what the compaction loses: {error}") from error
