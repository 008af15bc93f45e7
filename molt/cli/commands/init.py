"""`molt init`."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from molt import errors
from molt.cli import output
from molt.memory import setup
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
        placed = hook_files.install(made.repo.hooks_dir(), sys.executable)
    if hooks:
        from molt.repo import merge_driver

        placed += ("merge driver",) * merge_driver.install(made.repo, sys.executable)
    if foreign:
        output.note(obj, _FOREIGN.format(foreign))
    for one in made.findings:
        output.note(obj, output.render_finding(one).strip())
    if obj["json"]:
        findings = [one.asdict() for one in made.findings]
        output.print_json({**made.asdict(), "findings": findings, "hooks": list(placed)})
        return 0
    done = bool(made.commit or placed)
    click.echo(f"{made.repo.root}: {'ready' if done else 'a workspace already; nothing changed'}")
    found = {"created": made.created, "adopted": made.adopted, "left uncommitted": made.left}
    for word, paths in {**found, "hooks": placed}.items():
        if paths:
            click.echo(f"  {word}: {', '.join(paths)}")
    return 0
