"""`molt import`."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats import paths
from molt.formats.lines import escape_text
from molt.hosts.adapters import intake, table
from molt.hosts.adapters.intake import BringRequest

if TYPE_CHECKING:
    from typing import Any

    from molt.memory.write.import_notes import Imported

_MOST_REMARKS = 5  # files that are named; the others are counted
_GUARDED = ("core", "procedure", "vault")
"""What an agent believes or obeys at once: a person is shown that it has changed."""


@click.command("import")
@click.argument("sources", metavar="PATHS...", nargs=-1, required=True)
@click.option("--from", "form", type=click.Choice(tuple(table.FORMATS)), help="Of which program.")
@click.option("--group", default="", help="Only records of this group, such as one conversation.")
@click.option("--restore", is_flag=True, help="Put what molt exported back where it was.")
@click.option("--dry-run", is_flag=True, help="Say what would be brought in.")
@pass_call
def import_(call: Call, /, sources: tuple[str, ...], form: str | None, **given: Any) -> int:
    """Bring in JSON-lines files ({text, id, date, session, speaker, title}), one memory a record;
    Markdown and text files or folders of them; transcripts of Claude Code, Codex and OpenClaw; what
    ChatGPT, Claude (conversations.json) and mem0 export; memories of Claude Code, OpenClaw and
    MemFS, and folders of Obsidian, Basic Memory and OKF; zip archives of these. One commit for each
    of the PATHS.
    """
    restore = given.pop("restore")
    if restore and given["group"]:
        raise errors.Usage("--restore and --group cannot be given together")
    # What is unpacked for a while is somebody's: also who ends us otherwise has it removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for path in sources:
        asked = BringRequest(path, form or "", **given)
        (_restore if restore else _import)(call, asked)
    return 0


def _import(call: Call, asked: BringRequest) -> None:
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    form, done = intake.bring_in(ws, asked, now)
    if intake.is_own(asked.path):
        hint = "`molt --actor manual import --restore` puts each memory back where it was"
        output.note(call, f"{asked.path} was exported by molt: {hint}")
    _tell(call, done)
    if call.json:
        output.print_json({**done.asdict(), "from": form})
        return
    unwritten = "not written" if asked.dry_run else "unchanged"
    commit = done.commit[:10] if done.commit else unwritten
    made = len(done.memories)
    said = output.render_count(made, "memory", "memories")
    click.echo(f"{done.source}: {said}  {commit}")


def _tell(call: Call, done: Imported) -> None:
    """What did not come along, on stderr."""
    if done.left:
        output.note(call, f"warning: {done.left}")
    if done.odd:
        odd = output.render_count(done.odd, "character")
        output.note(call, f"{done.source}: {odd} taken out that no memory may hold")
    if done.skipped:
        left = escape_text(", ".join(done.skipped[:_MOST_REMARKS]))
        more = len(done.skipped) - _MOST_REMARKS
        rest = f" and {more} more; --json has all" if more > 0 else ""
        output.note(call, f"{done.source}: no note, left out: {left}{rest}")
    for remark in done.remarks[:_MOST_REMARKS]:
        output.note(call, escape_text(f"{done.source}: {remark}"))
    if len(done.remarks) > _MOST_REMARKS:
        more = len(done.remarks) - _MOST_REMARKS
        output.note(call, f"{done.source}: {more} more remarks; --json has all")


def _restore(call: Call, asked: BringRequest) -> None:
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    form, done = intake.restore_export(ws, asked, now)
    if done.left:
        output.note(call, f"warning: {done.left}")
    if call.json:
        kept = [{"what": what, "why": why} for what, why in done.kept]
        output.print_json({**done.asdict(), "kept": kept, "from": form})
        return
    unwritten = "not written" if asked.dry_run else "unchanged"
    commit = done.commit[:10] if done.commit else unwritten
    click.echo(f"{done.source}: {output.render_count(len(done.paths), 'file')}  {commit}")
    for path in done.paths:
        if paths.kind_of(path) in _GUARDED:
            click.echo(escape_text(f"  put back  {path}"))
    for what, why in done.kept:
        click.echo(escape_text(f"  stays  {what}: {why}"))
