"""`molt check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from molt.cli import output
from molt.memory import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.doctor import Problem
    from molt.repo.repository import Repo


@click.command()
@click.pass_obj
def check(obj: dict[str, Any]) -> int:
    """Judge what is on disk against the last commit."""
    from molt.policy import Context, evaluate
    from molt.repo import worktree

    ws = workspace.find(obj["start"], obj["actor"])
    head = ws.head()
    new = worktree.Worktree(ws.repo, head)
    findings = evaluate(head, new, None, Context(actor=obj["actor"] or "manual", alerts=ws.alerts))
    if obj["json"]:
        output.print_json([one.asdict() for one in findings])
    for one in () if obj["json"] else findings:
        click.echo(output.render_finding(one))
    return int(any(one.severity == "error" for one in findings))


def driver(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    """A merge driver that this clone lacks: two clones that wrote on one day would conflict."""
    from molt.memory.doctor import Problem
    from molt.repo import merge_driver

    found = merge_driver.state(repo, sys.executable)
    if found == "installed":
        return
    if fix:
        merge_driver.install(repo, sys.executable)
    said = f"the merge driver is {found}: what two clones wrote conflicts"
    yield Problem(said, "git config merge.molt.driver", "`molt hooks install`", "warning", fix)
