"""`molt procedure`: the workflows that were learned, and one of them as a skill for a host."""

from __future__ import annotations

import os

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.reflect import skill
from molt.repo import disk


@click.group(invoke_without_command=True)
@click.pass_context
def procedure(context: click.Context) -> int | None:
    """Learned workflows, and how one becomes a skill of the host; without a command, the list."""
    return None if context.invoked_subcommand else context.invoke(list_)


@procedure.command(name="list")
@pass_call
def list_(call: Call) -> int:
    """All procedures, with how many days they were learned on."""
    found = skill.list_procedures(call.workspace())
    if call.json:
        rows = [
            {"id": memory, "label": one.label, "steps": len(one.steps), "days": days}
            for memory, one, days in found
        ]
        output.print_json(rows)
        return 0
    for memory, one, days in found:
        told = f"{output.render_count(len(one.steps), 'step')}, {output.render_count(days, 'day')}"
        click.echo(escape_text(f"{memory}  {one.label}  ({told})"))
    if not found:
        output.note(call, "no procedure yet")
    return 0


@procedure.command(name="export")
@click.argument("name", metavar="ID")
@click.option("--to", "folder", required=True, metavar="DIR", help="Where its folder is made.")
@click.option("--unproved", is_flag=True, help="Also one that was learned on one day only.")
@pass_call
def export_(call: Call, name: str, folder: str, unproved: bool) -> int:
    """Write a procedure as a skill: a folder with a SKILL.md, for a person to install."""
    ws = call.workspace()
    made = skill.make_skill(ws, name, least=0 if unproved else skill.PROVED)
    target = os.path.abspath(os.path.expanduser(folder))
    _refuse_live(target, ws.repo.root)
    path = os.path.join(target, made.name, "SKILL.md")
    if os.path.lexists(path):
        raise errors.Refused(f"{path} is there already", "remove it, or give another folder")
    try:
        disk.replace_file(path, made.text.encode())
    except OSError as error:
        raise errors.Failed(f"cannot write {path}: {error.strerror}", "is it writable?") from error
    if call.json:
        output.print_json({"name": made.name, "path": path, "days": made.days})
    else:
        click.echo(escape_text(path))
        click.echo("read it, then put its folder where your host loads skills from")
    return 0


def _refuse_live(target: str, root: str) -> None:
    """Raises Refused for a folder that a host loads skills from: that a person decides."""
    real = os.path.realpath(target)
    inside = os.path.commonpath([real, os.path.realpath(root)]) == os.path.realpath(root)
    if inside or "skills" in real.split(os.sep):
        hint = "export it elsewhere, read it, and copy it there yourself"
        raise errors.Refused(f"a host may load skills from {target}", hint)
