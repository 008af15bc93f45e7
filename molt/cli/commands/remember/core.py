"""`molt core`: core memory by block and bullet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.critical import alerts as alarms
from molt.memory.govern import cap as govern_cap
from molt.memory.held import quarantine
from molt.memory.write import core as writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from molt.memory.write.core import CoreBlock, CoreRequest, Item

    F = TypeVar("F", bound=Callable[..., int])


@click.group(invoke_without_command=True)
@click.pass_context
def core(context: click.Context) -> int | None:
    """Core memory: MEMORY.md by block and bullet, under its cap; without a command, all of it."""
    return None if context.invoked_subcommand else context.invoke(show)


def _edits(command: F) -> F:
    """The options of every command that edits."""
    room = "Move the least relevant bullets to the graph where the cap is full."
    command = click.option("--make-room", is_flag=True, help=room)(command)
    return click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")(
        command
    )


@core.command()
@click.argument("block", default="")
@pass_call
def show(call: Call, block: str) -> int:
    """The blocks with their tokens and bullets, or one BLOCK."""
    ws = call.workspace()
    held = quarantine.list_quarantined(quarantine.freshen_held(ws.repo))
    found = writing.read_core(ws, clock.seconds())
    chosen = writing.select_blocks(found, block)
    if call.json:
        output.print_json(found.replace(blocks=chosen).asdict())
        return 0
    click.echo(f"MEMORY.md  {found.tokens:,} of {found.cap:,} tokens")
    for one in chosen:
        click.echo(f"\n{_render_head(one)}")
        for item in one.items:
            click.echo(escape_text(_render_item(item)))
    if found.warning:
        output.note(call, f"warning: {found.warning}")
    if held:
        output.note(call, quarantine.tell_held(held))
    return 0


def _render_head(one: CoreBlock) -> str:
    allowed = f" of about {one.budget:,}" if one.budget else ""
    over = f", {one.tokens - one.budget:,} over" if 0 < one.budget < one.tokens else ""
    return escape_text(f"{one.title}  {one.tokens:,}{allowed} tokens{over}")


def _render_item(item: Item) -> str:
    state = "pinned" if item.pinned else f"{item.score:.2f} {item.status}"
    return f"  {item.id}  {state}  {' '.join(item.text.split())}"


@core.command(name="set")
@click.argument("ref", metavar="BLOCK|ID")
@click.argument("words", nargs=-1, required=True, metavar="TEXT…")
@_edits
@pass_call
def set_(call: Call, ref: str, words: tuple[str, ...], make_room: bool, dry_run: bool) -> int:
    """Replace the bullets of a BLOCK, each TEXT one, or the one bullet of an ID.

    `-` reads them from standard input, a line each.
    """
    given = tuple(sys.stdin.read().splitlines()) if words == ("-",) else words
    asked = writing.set_block(ref, tuple(one.removeprefix("- ") for one in given if one.strip()))
    return _commit(call, asked, writing.CoreOptions(make_room, dry_run))


@core.command()
@click.argument("block")
@click.argument("text")
@_edits
@pass_call
def add(call: Call, block: str, text: str, make_room: bool, dry_run: bool) -> int:
    """Add TEXT as a bullet of BLOCK."""
    said = sys.stdin.read() if text == "-" else text
    return _commit(call, writing.add_bullet(block, said), writing.CoreOptions(make_room, dry_run))


@core.command()
@click.argument("ref", metavar="ID|TEXT")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def remove(call: Call, ref: str, dry_run: bool) -> int:
    """Take out the bullet of an ID, or the only one that has a TEXT."""
    return _commit(call, writing.remove_bullet(ref), writing.CoreOptions(dry_run=dry_run))


@core.command()
@click.argument("tokens", type=click.IntRange(1, 1_000_000))
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def cap(call: Call, tokens: int, dry_run: bool) -> int:
    """Let core memory hold so many TOKENS (`core.cap` in molt.yaml); a person decides."""
    ws = call.workspace()
    done = alarms.write_own(ws, lambda: govern_cap.set_cap(ws, tokens, dry_run=dry_run))
    output.note_warnings(call, done.warnings)
    if call.json:
        told = {"commit": done.oid, "message": done.message}
        output.print_json({"cap": tokens, "before": done.made, **told})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(f"core.cap {done.made:,} to {tokens:,}  {(done.oid or 'unchanged')[:10]}")
    return 0


def _commit(call: Call, asked: CoreRequest, options: writing.CoreOptions) -> int:
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    done = writing.edit_core(ws, asked, now, options)
    made = done.made
    output.note_warnings(call, filter(None, (made.warning, *done.warnings)))
    if call.json:
        moved = [{"from": old, "to": new} for old, new in made.moved]
        said = {"added": list(made.added), "removed": list(made.removed), "moved": moved}
        told = {"commit": done.oid, "message": done.message, "warning": made.warning}
        output.print_json({**said, **told})
    elif options.dry_run:
        click.echo(done.message, nl=False)
    else:
        for old, new in made.moved:
            click.echo(f"moved {old} to {new}")
        named = " ".join(made.added or made.removed)
        click.echo(f"{named}  {(done.oid or 'unchanged')[:10]}")
    return 0
