"""The one table of hosts that molt can be put into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from molt.hosts.install import claude_code, codex, openclaw
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.targets import HostFile


class Host(Value):
    """A program that runs an agent: its files with molt's part, and what a person does next.
    `names_memory` says that its files name the workspace that all projects have.
    """

    name: str
    title: str
    list_targets: Callable[[HostPlaces], tuple[HostFile, ...]]
    next_steps: tuple[str, ...] = ()
    names_memory: bool = True


HOSTS = (
    Host(
        claude_code.NAME,
        "Claude Code",
        claude_code.list_targets,
        ("start a new session of `claude`; `/hooks` and `/mcp` in it show molt",),
    ),
    Host(
        codex.NAME,
        "Codex",
        codex.list_targets,
        ("start `codex`, and trust molt's hooks when it asks (`/hooks` in it)",),
    ),
    # Each of its agents has a workspace of its own.
    Host(openclaw.NAME, "OpenClaw", openclaw.list_targets, openclaw.NEXT_STEPS, False),
)


def find_host(name: str) -> Host:
    """The host of a name, which is in the table."""
    return next(one for one in HOSTS if one.name == name)
