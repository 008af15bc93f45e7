"""Commands that set a workspace up."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from molt import errors
from molt.cli import output
from molt.memory import audit as auditing
from molt.memory import setup, workspace
from molt.repo import hooks as hook_files

_FOREIGN = """warning: no hooks installed: core.hooksPath is {}, not this clone's alone
  run `molt hook-run NAME "$@"` from your own hooks, or `molt hooks install` to put them there"""


@click.command()
@click.argument("folder", default="")
@click.option("--adopt", is_flag=True, help="Say that the folder holds a workspace already.")
@click.option("--hooks/--no-hooks", default=True, help="Install the git hooks.")
@click.option("--name", default="", help="Set user.name for this repository.")
@click.option("--email", default="", help="Set user.email for this repository.")
@click.pass_obj
def init(obj: dict[str, Any], folder: str, adopt: bool, hooks: bool, name: str, email: str) -> int:
    """Make a workspace, or adopt what is there; nothing existing is rewritten."""
    target = os.path.abspath(folder or obj["start"])
    if adopt and not os.path.isdir(target):
        raise errors.NotFound(f"{target} is no folder to adopt")
    made = setup.init(target, name=name, email=email)
    placed: tuple[str, ...] = ()
    foreign = hook_files.foreign_hooks(made.repo) if hooks else ""
    if hooks and not foreign:
        from molt.repo import hooks as hook_files

        placed = hook_files.install(made.repo.hooks_dir(), sys.executable)
    if foreign:
        output.note(obj, _FOREIGN.format(foreign))
    for one in made.findings:
        output.note(obj, output.finding(one).strip())
    if obj["json"]:
        findings = [one.asdict() for one in made.findings]
        output.document({**made.asdict(), "findings": findings, "hooks": list(placed)})
        return 0
    done = bool(made.commit or placed)
    click.echo(f"{made.repo.root}: {'ready' if done else 'a workspace already; nothing changed'}")
    found = {"created": made.created, "adopted": made.adopted, "left uncommitted": made.left}
    for word, paths in {**found, "hooks": placed}.items():
        if paths:
            click.echo(f"  {word}: {', '.join(paths)}")
    return 0


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.pass_obj
def hooks(obj: dict[str, Any], what: str, strict: bool) -> int:
    """Install, remove or inspect the git hooks."""
    from molt.repo import hooks as hook_files

    folder = workspace.find(obj["start"], obj["actor"]).repo.hooks_dir()
    done: tuple[str, ...] = ()
    if what == "install":
        done = hook_files.install(folder, sys.executable, strict=strict)
    elif what == "uninstall":
        done = hook_files.uninstall(folder)
    found = hook_files.status(folder, sys.executable)
    if obj["json"]:
        output.document({"changed": list(done), "hooks": [one.asdict() for one in found]})
    elif what == "status":
        for one in found:
            click.echo(f"{one.name:20} {one.state}")
    else:
        click.echo(f"{what}ed: {', '.join(done) or 'nothing to do'}")
    return 0


@click.command()
@click.argument("what", type=click.Choice(["rebuild", "verify"]))
@click.pass_obj
def audit(obj: dict[str, Any], what: str) -> int:
    """Rebuild the audit log, or compare it with history."""
    repo = workspace.find(obj["start"], obj["actor"]).repo
    path = os.path.join(repo.root, auditing.PATH)
    before = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            before = file.read()
    count = auditing.rebuild(repo)
    with open(path, "rb") as file:
        same = file.read() == before
    if obj["json"]:
        output.document({"lines": count, "same": same})
        return int(what == "verify" and not same)
    click.echo(
        f"{count} lines" + ("" if what == "rebuild" else f", {'as' if same else 'not as'} before")
    )
    return int(what == "verify" and not same)


@click.command("hook-run", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def hook_run(args: tuple[str, ...]) -> int:
    """What an installed hook runs where its interpreter is gone."""
    from molt import githooks

    return githooks.main(list(args))
