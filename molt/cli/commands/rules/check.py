"""`molt check`."""

from __future__ import annotations

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory import judging, workspace
from molt.memory.govern import allow as allowing


@click.command()
@click.option("--allow", "place", default="", metavar="PATH:LINE", help="Allow what is no secret.")
@click.option("--why", default="", help="Why it gives nothing away.")
@click.option("--dry-run", is_flag=True, help="Show the commit that would allow it.")
@pass_call
def check(call: Call, place: str, why: str, dry_run: bool) -> int:
    """Judge what is on disk against the last commit.

    With --allow, put the hash of a line in which a secret is found, and none is, into
    memory/meta/secrets-allow: one commit, by a person.
    """
    if place:
        return _allow_line(call, place, why, dry_run=dry_run)
    if why or dry_run:
        raise errors.Usage("--why and --dry-run are for --allow PATH:LINE")
    repo = call.workspace().repo
    findings = judging.judge_files(repo, workspace.find_actor(repo, call.actor))
    if call.json:
        output.print_json([one.asdict() for one in findings])
    for one in () if call.json else findings:
        click.echo(output.render_finding(one))
    return int(any(one.severity == "error" for one in findings))


def _allow_line(call: Call, place: str, why: str, *, dry_run: bool) -> int:
    done = allowing.allow_line(call.workspace(), place, why, dry_run=dry_run)
    output.note_warnings(call, done.warnings)
    if call.json:
        output.print_json({"allowed": done.made, "commit": done.oid, "message": done.message})
    elif dry_run:
        output.echo(done.message, end="")
    else:
        click.echo(f"allowed {place}  {(done.oid or 'unchanged')[:10]}")
    return 0
