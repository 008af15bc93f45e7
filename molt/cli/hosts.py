"""What `install` and `uninstall` share: the places of a call, its question, and its answer."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from molt import errors, surroundings
from molt.cli import output
from molt.formats.lines import escape_text
from molt.hosts.install import places, plans, records, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.cli.call import Call
    from molt.hosts.install.places import HostPlaces
    from molt.hosts.install.plans import HostPlan

NAMES = tuple(one.name for one in table.HOSTS)
HOST = click.argument("host", type=click.Choice(NAMES))
SCOPE = click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="For all projects, with this memory; or for this project.",
)
DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would change.")
YES = click.option("--yes", is_flag=True, help="Do not ask.")


def add_notes(found: HostPlaces, host: str) -> HostPlaces:
    """The places, with the host's own notes in the workspace. Raises Usage where it has none."""
    if host != "claude-code" or not found.workspace:
        raise errors.Usage(
            "`--notes` is for Claude Code's own notes, for all projects, into this workspace",
            "call `molt install claude-code --notes` in the workspace",
        )
    return found.replace(has_notes=True)


def find_places(call: Call, scope: str) -> HostPlaces:
    """Where the host's files are, and which memory it gets: that of the workspace that the call is
    in, for all projects; for a project the one that it lies in. Raises NotFound and Failed.
    """
    project = "" if scope == "user" else os.path.abspath(call.start)
    found = "" if project else _find_workspace(call)
    command = _find_command(is_shared=bool(project))
    return places.find_places(os.environ, command, project=project, workspace=found)


def _find_workspace(call: Call) -> str:
    try:
        return call.find_workspace().repo.root
    except errors.NotFound:
        if call.folder or os.environ.get("MOLT_WORKSPACE"):
            raise
        return ""


def _find_command(*, is_shared: bool) -> str:
    """How a host starts molt: by its path, or by its name in files that others get, too."""
    known = shutil.which("molt")
    beside = shutil.which("molt", path=os.path.dirname(sys.executable))
    called = shutil.which(sys.argv[0]) if os.path.basename(sys.argv[0]) == "molt" else None
    path = called or beside or known
    if path is None:
        raise errors.Failed(
            "there is no command `molt` that a host could start", "`pipx install molt-memory`"
        )
    path = os.path.abspath(path)
    return "molt" if is_shared and known and os.path.samefile(known, path) else path


def require_person(call: Call) -> None:
    """Raises Refused where the call says that somebody else than a person acts: what a host is
    told decides what it runs.
    """
    who = surroundings.find_actor(call.actor, lambda: None)
    # A machine image is built without a terminal, and without an actor.
    if who not in ("", surroundings.PERSON):
        raise errors.Refused(
            f"{who} does not decide what a host runs", "a person does: `--actor manual`"
        )


def tell_missing(call: Call) -> None:
    """Say what the host will not have, because a package is not there."""
    if find_spec("mcp") is None:
        output.note(call, "`pip install 'molt-memory[mcp]'` gives the host molt's tools, too")


def tell_no_memory(call: Call, found: HostPlaces) -> None:
    """Say where no workspace is named that the host's agent would have in every project."""
    if not found.project and not found.workspace:
        output.note(
            call,
            "this folder is no workspace, so projects without one have no memory: call it again"
            " in the workspace that is to be theirs (`molt init DIR` makes one)",
        )


def record_of(host: str, found: HostPlaces) -> str:
    """Where the record of an installation is."""
    return records.record_path(records.state_folder(os.environ), host, found.project)


def ask_for(call: Call, plan: HostPlan, question: str) -> None:
    """Show what changes, and ask. Raises NeedsAnswer where nobody can be asked, or says no."""
    if not call.json:
        click.echo("\n".join(escape_text(row, "\t") for row in plans.render_diff(plan)))
    if not output.can_ask(call):
        raise errors.NeedsAnswer("nothing was changed", "`--yes` goes on, `--dry-run` shows it")
    if not click.confirm(question, default=False):
        raise errors.NeedsAnswer("nothing was changed")


def tell_done(call: Call, plan: HostPlan, *, done: bool, more: Mapping[str, object]) -> int:
    """Say what was changed, or would be."""
    for note in plan.notes:
        output.note(call, note)
    changes = [one for one in plan.edits if one.change != "unchanged"]
    if call.json:
        files = [{"path": one.path, "change": one.change} for one in changes]
        diff = [] if done else list(plans.render_diff(plan))
        output.print_json({**more, "changed": files, "diff": diff, "done": done})
        return 0
    if not done:
        for row in plans.render_diff(plan):
            click.echo(escape_text(row, "\t"))
        return 0
    for one in changes:
        click.echo(f"{one.change:8} {escape_text(one.path)}")
    if not changes:
        click.echo("nothing to do")
    return 0
