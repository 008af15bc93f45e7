"""`molt keys`: which keys sign for whom."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.memory.govern import keys as binding

if TYPE_CHECKING:
    from molt.memory.govern.keys import BoundKey, KeyChange
    from molt.repo.write.transaction import Written

_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")


@click.group(invoke_without_command=True)
@click.pass_context
def keys(context: click.Context) -> int | None:
    """Which SSH keys sign for whom; without a command, the list.

    An actor that is bound to keys signs each of its commits with one of them.
    """
    return None if context.invoked_subcommand else context.invoke(show)


@keys.command(name="list")
@pass_call
def show(call: Call) -> int:
    """The keys, and whether this machine can sign with each."""
    found = binding.list_keys(call.workspace())
    if call.json:
        output.print_json([one.asdict() for one in found])
        return 0
    for one in found:
        click.echo(_render_key(one))
    if not found:
        click.echo("nobody is bound to a key")
    return 0


def _render_key(one: BoundKey) -> str:
    if not one.fingerprint:
        return f"{one.actor}  no key: nobody signs for it"
    days = [f"from {one.after}"] * bool(one.after) + [f"until {one.before}"] * bool(one.before)
    here = "signs here" if one.here else "not on this machine"
    return "  ".join(filter(None, (one.actor, one.fingerprint, one.comment, *days, here)))


@keys.command()
@click.argument("who", metavar="ACTOR")
@click.argument("key")
@click.option("--valid", default="", metavar="FROM..UNTIL", help="Days on which the key holds.")
@_DRY_RUN
@pass_call
def add(call: Call, who: str, key: str, valid: str, dry_run: bool) -> int:
    """Bind ACTOR to KEY: a file, the public key itself, or `-` for standard input.

    ACTOR is `manual` for people, an id such as `bot:main`, or `bot:*` for all that have no own.
    """
    given = sys.stdin.read() if key == "-" else key
    return _tell(call, binding.add_key(call.workspace(), who, given, days=valid, dry_run=dry_run))


@keys.command()
@click.argument("who", metavar="ACTOR")
@click.argument("key", default="")
@click.option("--unbind", is_flag=True, help="With its last key, let anybody be ACTOR again.")
@_DRY_RUN
@pass_call
def remove(call: Call, who: str, key: str, unbind: bool, dry_run: bool) -> int:
    """Take KEY from ACTOR, by its fingerprint, name or file; all of them without one.

    Without any key nobody can commit as ACTOR, until one is added.
    """
    ws = call.workspace()
    return _tell(call, binding.remove_key(ws, who, key, unbind=unbind, dry_run=dry_run))


def _tell(call: Call, done: Written[KeyChange]) -> int:
    made = done.made
    output.note_warnings(call, done.warnings)
    if call.json:
        output.print_json({**made.asdict(), "commit": done.oid, "message": done.message})
    elif not done.oid and done.message:
        output.echo(done.message, end="")
    else:
        what = made.fingerprint or "all keys"
        click.echo(f"{made.done} {what} of {made.actor}  {(done.oid or 'unchanged')[:10]}")
    return 0
