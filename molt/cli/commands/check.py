"""`molt check`."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory import workspace


@click.command()
@pass_call
def check(call: Call) -> int:
    """Judge what is on disk against the last commit."""
    from molt.memory import judging
    from molt.repo import worktree

    ws = call.workspace()
    head = ws.head()
    new = worktree.Worktree(ws.repo, head)
    findings = judging.judge_files(ws.repo, head, new, workspace.find_actor(ws.repo, call.actor))
    if call.json:
        output.print_json([one.asdict() for one in findings])
    for one in () if call.json else findings:
        click.echo(output.render_finding(one))
    return int(any(one.severity == "error" for one in findings))
