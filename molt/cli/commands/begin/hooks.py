"""`molt hooks`."""

from __future__ import annotations

import sys

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory.clone import installation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.hooks import HookStatus


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.option("--force", is_flag=True, help="Fill a folder that other repositories share.")
@click.option("--server", metavar="DIR", help="Of a repository that others push to: pre-receive.")
@pass_call
def hooks(call: Call, what: str, strict: bool, force: bool, server: str | None) -> int:
    """Install, remove or inspect the git hooks and the merge driver."""
    from molt.repo import merge_driver

    if server is not None:
        if strict or force:
            raise errors.Usage("a server has one hook, which is always strict", "--server alone")
        return _serve(call, what, server)
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
        return 0
    _print_hooks(what, found, done)
    if what == "status":
        click.echo(f"{'merge driver':20} {driver}")
    return 0


def _serve(call: Call, what: str, folder: str) -> int:
    """The same for the repository of a server, which need hold no workspace yet."""
    done: tuple[str, ...] = ()
    if what == "install":
        done = installation.install_server(folder, sys.executable)
    elif what == "uninstall":
        done = installation.uninstall_server(folder)
    found = installation.read_server(folder, sys.executable)
    if call.json:
        output.print_json({"changed": list(done), "hooks": [one.asdict() for one in found]})
        return 0
    _print_hooks(what, found, done)
    return 0


def _print_hooks(what: str, found: Sequence[HookStatus], done: Sequence[str]) -> None:
    if what == "status":
        for one in found:
            click.echo(f"{one.name:20} {one.state}")
        return
    click.echo(f"{what}ed: {', '.join(done) or 'nothing to do'}")
