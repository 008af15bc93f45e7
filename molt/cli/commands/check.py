"""`molt check`."""

from __future__ import annotations

from typing import Any

import click

from molt.cli import output
from molt.memory import workspace


@click.command()
@click.pass_obj
def check(obj: dict[str, Any]) -> int:
    """Judge what is on disk against the last commit."""
    from molt.memory import judging
    from molt.repo import worktree

    ws = workspace.find(obj["start"], obj["actor"])
    head = ws.head()
    new = worktree.Worktree(ws.repo, head)
    findings = judging.judge_files(ws.repo, head, new, workspace.find_actor(ws.repo, obj["actor"]))
    if obj["json"]:
        output.print_json([one.asdict() for one in findings])
    for one in () if obj["json"] else findings:
        click.echo(output.render_finding(one))
    return int(any(one.severity == "error" for one in findings))
