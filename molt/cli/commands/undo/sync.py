"""`molt sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory import sync as syncing

if TYPE_CHECKING:
    from molt.memory.sync import Synced


@click.command()
@click.argument("remote", required=False, default="")
@click.option("--push/--no-push", default=True, help="Whether what is here goes out too.")
@click.option("--dry-run", is_flag=True, help="Fetch, and tell what would come in and go out.")
@pass_call
def sync(call: Call, remote: str, push: bool, dry_run: bool) -> int:
    """Bring this clone and a REMOTE together: fetch, judge, merge by meaning, push.

    What comes in is judged before it is merged, and what breaks the rules stays out. Where both
    sides wrote, what each format means decides; what only a person can merge is left to git.
    """
    ws = call.workspace()
    if dry_run:
        done = syncing.foresee_sync(ws, remote=remote)
    else:
        done = syncing.sync_workspace(
            ws, clock.now(ws.config.workspace_timezone), remote=remote, push=push
        )
    if call.json:
        output.print_json({**done.asdict(), "dry_run": dry_run})
        return 0
    output.note_warnings(call, done.warnings)
    output.echo(_render_synced(done, dry_run=dry_run))
    return 0


def _render_synced(done: Synced, *, dry_run: bool) -> str:
    """What was done, in a line."""
    there = f"{done.remote}/{done.branch}"
    came = output.render_count(done.received, "commit")
    went = output.render_count(done.sent, "commit")
    if not done.received and not done.sent:
        return f"{there}: nothing new on either side"
    would = "would come" if dry_run else "came"
    text = f"{there}: {came} {would} in, {went} {'would go' if dry_run else 'went'} out"
    if done.merge and not dry_run:
        text += f", joined in {done.merge[:10]}"
    for one in done.reflections:
        text += f"\n{one} was merged there: it is settled here"
    return text
