"""A `git gc` beside a write: one that spares nothing young takes what nothing referred to yet.

By default git keeps what is younger than two weeks. With `--prune=now` it looks at the refs first
and deletes later, and what a branch got in between is gone. Such a gc is waited for, and then the
write looks whether all that it has made is there. `git prune`, called by hand, leaves no sign.
"""

from __future__ import annotations

import os

from molt.repo import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo
    from molt.repo.write.loose import Loose

_PATIENCE = 60.0  # seconds; a gc that takes longer is of a size for which nobody prunes so
_STEP = 0.02


def outlive_prune(repo: Repo, objects: Loose) -> None:
    """Write what a `git gc` or `git prune` took again; one gc that is known to prune what is young
    and began before the branch moved is waited for. Raises Failed where that cannot be written.
    """
    from time import monotonic, sleep

    running = _read_owner(repo)
    if running and _prunes_young(repo, running):
        end = monotonic() + _PATIENCE
        while _read_owner(repo) == running and _is_alive(running) and monotonic() < end:
            sleep(_STEP)
    objects.restore()


def _read_owner(repo: Repo) -> str:
    """Who collects garbage: process and host, as gc writes them; empty if nobody does."""
    try:
        with open(f"{repo.common_dir}/gc.pid", encoding="utf-8", errors="replace") as file:
            return file.read(200)
    except OSError:
        return ""


def _prunes_young(repo: Repo, running: str) -> bool:
    if repo.run("config", "gc.pruneExpire", check=False).strip():
        return True
    pid = running.split(" ")[0]
    if not pid.isdigit():
        return False
    status, out, _ = process.call(("ps", "-o", "args=", "-p", pid))
    # It has ended, or this system tells nothing of it: to wait for that costs little.
    return bool(status) or b"--prune=" in out


def _is_alive(running: str) -> bool:
    """Whether a process of this machine is there; one of another machine is believed to be."""
    pid, _, host = running.partition(" ")
    if not pid.isdigit() or host.strip() != os.uname().nodename:
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
