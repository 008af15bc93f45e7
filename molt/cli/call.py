"""One call of a command: where it works, who acts, and how it answers."""

from __future__ import annotations

import os
import sys

from molt.repo.write import news
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Concatenate, ParamSpec

    from molt.memory.workspace import Workspace

    P = ParamSpec("P")


FALLBACK = "MOLT_FALLBACK_WORKSPACE"
"""The variable that names the workspace of folders that lie in none: what `molt install` gives to
what a host starts in any project.
"""


class Call(Value):
    """The global options of a call; `folder` is what `--workspace` says."""

    actor: str = ""
    folder: str = ""
    json: bool = False
    quiet: bool = False
    debug: bool = False

    @property
    def start(self) -> str:
        """Where to look for the workspace. Raises NotFound where the current folder is gone."""
        try:
            return self.folder or os.environ.get("MOLT_WORKSPACE") or _choose_folder()
        except FileNotFoundError:
            from molt import errors

            raise errors.NotFound("the current folder is gone", "`cd` into one") from None

    def workspace(self) -> Workspace:
        """The workspace that this call is about, after a word on what of its settings is not in
        force. Raises NotFound.
        """
        ws = self.find_workspace()
        for one in ws.warnings:
            self._tell(f"warning: {one}")
        return ws

    def find_workspace(self) -> Workspace:
        """The same, for what tells of its settings in its own way, or not at all."""
        from molt.memory import workspace

        news.listen(self._tell_waiting)
        return workspace.find(self.start, self.actor)

    def _tell_waiting(self, text: str) -> None:
        """Say what a write waits for to who wants more than results: an agent, which has no
        terminal, would take the silence for a program that hangs.
        """
        if not self.json:
            self._tell(text)

    def _tell(self, text: str) -> None:
        """Say something beside the result; who reads it may wait for the next word."""
        if not self.quiet:
            sys.stderr.write(f"molt: {text}\n")
            sys.stderr.flush()


def _choose_folder() -> str:
    """The current folder, or where that is in no workspace the one that is there for such."""
    here = os.getcwd()
    fallback = os.environ.get(FALLBACK)
    if not fallback:
        return here
    from molt import errors
    from molt.memory import workspace

    try:
        workspace.find(here)
    except errors.NotFound:
        return fallback
    except errors.MoltError:
        # There is one, and what is wrong with it is for the command to say.
        return here
    return here


def make_call(given: Mapping[str, Any]) -> Call:
    """The call of the global options that were given, under the names of their flags."""
    flags = (bool(given.get(name)) for name in ("json", "quiet", "debug"))
    return Call(str(given.get("actor") or ""), str(given.get("workspace") or ""), *flags)


def pass_call(command: Callable[Concatenate[Call, P], int]) -> Callable[P, int]:
    """A click command's function, given the Call as its first value."""

    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        import click

        return command(make_call(click.get_current_context().obj), *args, **kwargs)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run
