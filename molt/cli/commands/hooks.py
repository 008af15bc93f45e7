"""`molt hooks`."""

from __future__ import annotations

import sys

import click

from molt.cli import output
from molt.cli.call import Call, pass_call


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.option("--force", is_flag=True, help="Fill a folder that other repositories share.")
@pass_call
def hooks(call: Call, what: str, strict: bool, force: bool) -> int:
    """Install, remove or inspect the git hooks and the merge driver."""
    from molt.memory import installation
    from molt.repo import merge_driver

    repo = call.workspace().repo
    done: tuple[str, ...] = ()
    if what == "install":
        done = installation.install(repo, sys.executable, strict=strict, force=force)
    elif what == "uninstall":
        done = installation.uninstall(repo)
    found = installation.read_hooks(repo, sys.executable)
    driver = merge_driver.read_state(repo, sys.executable)
    if call.json:
        hooks = [one.asdict() for one in found]
        output.print_json({"changed": list(done), "hooks": hooks, "merge_driver": driver})
    elif what == "status":
        for one in found:
            click.echo(f"{one.name:20} {one.state}")
        click.echo(f"{'merge driver':20} {driver}")
    else:
        click.echo(f"{what}ed: {', '.join(done) or 'nothing to do'}")
    return 0
