"""`molt purge`."""

from __future__ import annotations

import os

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.forget import purge as purging
from molt.memory.forget.purge import PurgeDone, PurgePlan
from molt.memory.workspace import Workspace

_AGAIN = "--confirm TEXT, the same"


@click.command()
@click.argument("what", default="", metavar="ID|TEXT")
@click.option(
    "--confirm", default="", metavar="TEXT", help="What would be typed: ID or TEXT again."
)
@click.option(
    "--backup", default="", metavar="FILE", help="Where the bundle goes that comes first."
)
@click.option("--no-backup", is_flag=True, help="Keep nothing of the old history.")
@click.option("--continue", "again", is_flag=True, help="End a purge that was interrupted.")
@click.option("--dry-run", is_flag=True, help="Say what holds it, and change nothing.")
@pass_call
def purge(call: Call, /, what: str, confirm: str, backup: str, no_backup: bool, **how: bool) -> int:
    """Rewrite all of history without a memory, or a text, and prove that it is gone.

    Every commit that held it, and all after it, gets another id; remotes, clones and backups have
    to follow, and are named. It takes git-filter-repo, and a person who types what is to go.
    """
    ws = call.workspace()
    if how["again"]:
        return _print_done(call, purging.continue_purge(ws))
    if not what.strip() or (backup and no_backup):
        raise errors.Usage("purge what?", 'the id of a memory, or its words: `molt purge "…"`')
    asked = purging.plan_purge(ws, what, dry_run=how["dry_run"])
    if how["dry_run"]:
        return _print_plan(call, asked)
    if not _is_confirmed(call, asked, confirm):
        return 3
    stamp = clock.now("UTC").strftime("%Y%m%dT%H%M%S")
    beside = f"{ws.repo.root}-before-purge-{stamp}.bundle"
    place = "" if no_backup else os.path.abspath(backup or beside)
    return _print_done(call, _purge(ws, asked, place))


def _purge(ws: Workspace, asked: PurgePlan, place: str) -> PurgeDone:
    now = clock.now(ws.config.workspace_timezone)
    return purging.purge(ws, asked, now, backup=place)


def _is_confirmed(call: Call, asked: PurgePlan, confirm: str) -> bool:
    if confirm:
        if confirm.strip() != asked.what.strip():
            raise errors.Usage("--confirm is another text than what is to be purged")
        return True
    if call.json and not output.can_ask(call):
        output.print_question("to purge", _AGAIN, _tell(asked))
        return False
    _print_plan(call, asked)
    if not output.can_ask(call):
        raise errors.NeedsAnswer(
            "nothing was changed: who purges types what is to go again", _AGAIN
        )
    if (
        click.prompt("Type it again to rewrite history", default="", show_default=False)
        == asked.what
    ):
        return True
    output.note(call, "nothing was changed")
    return False


def _tell(asked: PurgePlan) -> dict[str, object]:
    words = asked.words
    told = {"what": asked.what, "values": list(words.values), "memories": list(words.memories)}
    return {**told, "commits": asked.commits, "files": asked.files, "lacks": asked.lacks}


def _print_plan(call: Call, asked: PurgePlan) -> int:
    if call.json:
        output.print_json(_tell(asked))
        return 0
    for value in asked.words.values:
        click.echo(escape_text(f"  {value}"))
    commits = output.render_count(asked.commits, "message")
    files = output.render_count(asked.files, "version")
    click.echo(f"{commits} of commits and {files} of files hold it")
    if asked.lacks:
        output.note(call, asked.lacks)
    return 0


def _print_done(call: Call, done: PurgeDone) -> int:
    if call.json:
        output.print_json(done.asdict())
        return int(bool(done.rest))
    click.echo(f"purged  {done.before[:10]} is {done.after[:10]} now")
    if done.rest:
        output.note(call, "it stands still in these:")
    else:
        click.echo("looked through every object and file of this clone: it is nowhere")
    for one in done.rest:
        click.echo(escape_text(f"  {one}"))
    for one in done.todo:
        click.echo(escape_text(f"- {one}"))
    return int(bool(done.rest))
