"""`molt hooks`."""

from __future__ import annotations

import sys
from typing import Any

import click

from molt.cli import output
from molt.memory import workspace


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.pass_obj
def hooks(obj: dict[str, Any], what: str, strict: bool) -> int:
    """Install, remove or inspect the git hooks and the merge driver."""
    from molt.repo import hooks as hook_files
    from molt.repo import merge_driver

    repo = workspace.find(obj["start"], obj["actor"]).repo
    folder = repo.hooks_dir()
    done: tuple[str, ...] = ()
    if what == "install":
        done = hook_files.install(folder, sys.executable, strict=strict)
        done += ("merge driver",) * merge_driver.install(repo, sys.executable)
    elif what == "uninstall":
        done = hook_files.uninstall(folder)
        done += ("merge driver",) * merge_driver.uninstall(repo)
    found = hook_files.status(folder, sys.executable)
    driver = merge_driver.read_state(repo, sys.executable)
    if obj["json"]:
        hooks = [one.asdict() for one in found]
        output.print_json({"changed": list(done), "hooks": hooks, "merge_driver": driver})
    elif what == "status":
        for one in found:
            click.echo(f"{one.name:20} {one.state}")
        click.echo(f"{'merge driver':20} {driver}")
    else:
        click.echo(f"{what}ed: {', '.join(done) or 'nothing to do'}")
    return 0
