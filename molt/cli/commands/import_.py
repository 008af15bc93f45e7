"""`molt import`."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory.write import import_notes


@click.command("import")
@click.argument("paths", nargs=-1, required=True)
@click.option("--group", default="", help="Only records of this group, such as one conversation.")
@click.option("--dry-run", is_flag=True, help="Say what would be brought in.")
@pass_call
def import_(call: Call, paths: tuple[str, ...], group: str, dry_run: bool) -> int:
    """Bring in JSON-lines files ({text, id, date, session, speaker, title}), one memory a record;
    Markdown and text files or folders of them; transcripts of Claude Code and OpenClaw; and what
    ChatGPT, Claude (conversations.json) and mem0 export. One commit for each of the PATHS.
    """
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    for path in paths:
        done = import_notes.import_source(ws, path, group=group, dry_run=dry_run, now=now)
        if done.left:
            output.note(call, f"warning: {done.left}")
        if done.odd:
            odd = output.render_count(done.odd, "character")
            output.note(call, f"{done.source}: {odd} taken out that no memory may hold")
        if done.skipped:
            output.note(call, f"{done.source}: no text, left out: {', '.join(done.skipped)}")
        if call.json:
            output.print_json(done.asdict())
        else:
            unwritten = "not written" if dry_run else "unchanged"
            commit = done.commit[:10] if done.commit else unwritten
            made = len(done.memories)
            said = "1 memory" if made == 1 else f"{made:,} memories"
            click.echo(f"{done.source}: {said}  {commit}")
    return 0
