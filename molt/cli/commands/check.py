"""`molt check`."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call


@click.command()
@pass_call
def check(call: Call) -> int:
    """Judge what is on disk against the last commit."""
    from molt.memory import judging, workspace

    repo = call.workspace().repo
    findings = judging.judge_files(repo, workspace.find_actor(repo, call.actor))
    if call.json:
        output.print_json([one.asdict() for one in findings])
    for one in () if call.json else findings:
        click.echo(output.render_finding(one))
    return int(any(one.severity == "error" for one in findings))
