"""Where a person's hosts keep their configuration, and what stands in molt's entries of it."""

from __future__ import annotations

import os

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class HostPlaces(Value):
    """The folders and names that an installation is made of.

    `project` is empty for one that holds for all projects of the user. `workspace` is the
    workspace that the host is told of; empty where it finds one itself, upwards from its project.
    `has_notes` says that what the host notes by itself goes into that workspace, too.
    """

    home: str
    command: str
    project: str = ""
    workspace: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    has_notes: bool = False

    def host_folder(self, variable: str, name: str) -> str:
        """The folder of a host's own: what a variable of the environment says, or one in HOME."""
        moved = dict(self.environment).get(variable, "")
        return os.path.abspath(moved) if moved else os.path.join(self.home, name)


def find_places(
    environment: Mapping[str, str], command: str, *, project: str = "", workspace: str = ""
) -> HostPlaces:
    """The places of the user whose environment it is."""
    home = environment.get("HOME") or os.path.expanduser("~")
    known = (
        *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "PATH"),
        *("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE"),
    )
    told = tuple((name, environment[name]) for name in known if environment.get(name))
    return HostPlaces(os.path.abspath(home), command, project, workspace, told)
