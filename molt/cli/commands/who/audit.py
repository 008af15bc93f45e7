"""`molt audit`."""

from __future__ import annotations

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory.govern import audit_prune
from molt.memory.provenance import audit as auditing
from molt.memory.workspace import Workspace


@click.command()
@click.argument("what", type=click.Choice(["rebuild", "verify", "prune"]))
@click.option("--dry-run", is_flag=True, help="Of prune: show the commit that would be made.")
@pass_call
def audit(call: Call, what: str, dry_run: bool) -> int:
    """Rebuild the audit log, or compare it with history; or prune it: months that ended before
    `audit.retention_days` become digests in memory/meta/audit-archive.md, in one commit.
    """
    ws = call.workspace()
    if what == "prune":
        return _prune(call, ws, dry_run)
    repo = ws.repo
    compared = (auditing.rebuild if what == "rebuild" else auditing.compare_log)(repo)
    if call.json:
        output.print_json({"lines": compared.lines, "same": compared.same})
    else:
        same = "" if what == "rebuild" else f", {'as' if compared.same else 'not as'} before"
        click.echo(f"{compared.lines} lines{same}")
    return int(what == "verify" and not compared.same)


def _prune(call: Call, ws: Workspace, dry_run: bool) -> int:
    done = audit_prune.prune_log(ws, clock.now("UTC"), dry_run=dry_run)
    if call.json:
        told = {"months": list(done.made), "commit": done.oid, "message": done.message}
        output.print_json(told)
    elif dry_run and done.message:
        click.echo(done.message, nl=False)
    elif done.made:
        click.echo(f"archived {', '.join(done.made)}  {(done.oid or '')[:10]}")
    else:
        click.echo(f"no month ended {ws.config.audit_retention_days:,} days ago or earlier")
    return 0
