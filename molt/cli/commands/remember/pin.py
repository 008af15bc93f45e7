"""`molt pin`."""

from __future__ import annotations

import click

from molt.cli import pins
from molt.cli.call import Call, pass_call


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def pin(call: Call, ids: tuple[str, ...], dry_run: bool) -> int:
    """Keep memories from fading, until they are unpinned."""
    return pins.set_pins(call, ids, pinned=True, dry_run=dry_run)
