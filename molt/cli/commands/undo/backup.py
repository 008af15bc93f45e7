"""`molt backup`."""

from __future__ import annotations

import sys

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.memory.govern import backup as backups


@click.command()
@click.argument("place", metavar="FILE|DIR", default="")
@click.option("--keep", type=click.IntRange(1), help="So many in DIR; older ones are deleted.")
@click.option("--restore", "bundle", default="", metavar="FILE", help="Bring FILE back into DIR.")
@pass_call
def backup(call: Call, place: str, keep: int | None, bundle: str) -> int:
    """Write all of the history to one file, and try that it comes back.

    A name that ends in .bundle is the file; any other is a folder, which gets one named for the
    time. It is a bundle of git with every ref: `git clone FILE` reads it too. What is not
    committed, and what this clone alone keeps (settings of git, uses that are not counted yet), is
    not in it.
    """
    if not place:
        said = "where to?" if bundle else "name a file or a folder, best on another disk"
        raise errors.Usage(said, "`molt backup DIR`, `molt backup --restore FILE DIR`")
    if bundle:
        return _restore(call, bundle, place)
    ws = call.workspace()
    done = backups.write_backup(ws, place, clock.now("UTC"), keep or 0)
    for one in done.missing:
        output.note(call, f"not in it: {one}")
    if call.json:
        output.print_json({**done.asdict(), "bundle": done.bundle.asdict()})
        return 0
    found = done.bundle
    click.echo(f"{found.path}  {found.size:,} bytes")
    refs = output.render_count(found.refs, "ref")
    click.echo(f"tried: {refs} and {output.render_count(found.objects, 'object')} came back")
    for name in done.dropped:
        click.echo(f"deleted {name}")
    return 0


def _restore(call: Call, bundle: str, folder: str) -> int:
    done = backups.restore_backup(bundle, folder, sys.executable)
    if call.json:
        output.print_json(done.asdict())
        return 0
    click.echo(f"{done.folder} is back, on {done.branch or 'no branch'}")
    return 0
