"""`molt hooks`."""

from __future__ import annotations

import sys

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.option("--force", is_flag=True, help="Fill a folder that other repositories share.")
@pass_call
def hooks(call: Call, what: str, strict: bool, force: bool) -> int:
    """Install, remove or inspect the git hooks and the merge driver."""
    from molt.repo import hooks as hook_files
    from molt.repo import merge_driver

    repo = call.workspace().repo
    folder = repo.hooks_dir()
    done: tuple[str, ...] = ()
    if what == "install":
        foreign = None if force else hook_files.describe_foreign(repo)
        if foreign is not None and foreign.is_shared:
            raise errors.Failed(foreign.what, foreign.hint)
        done = hook_files.install(folder, sys.executable, strict=strict)
        done += ("merge driver",) * merge_driver.install(repo, sys.executable)
    elif what == "uninstall":
        done = hook_files.uninstall(folder)
        done += ("merge driver",) * merge_driver.uninstall(repo)
    configuration = hook_files.read_configuration(repo.root)
    found = hook_files.status(folder, sys.executable, configuration)
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
