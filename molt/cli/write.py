"""Commands that write."""

from __future__ import annotations

import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import click

from molt import errors, formats
from molt.cli import clock, output
from molt.formats import message as messages
from molt.formats import meta
from molt.memory import importer, stores, workspace

if TYPE_CHECKING:
    from molt.memory.stores import Placed
    from molt.trees import Edits, Tree


def _text(argument: str) -> str:
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read(2 * stores.LIMIT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.Usage("standard input is not UTF-8", "encode it as UTF-8") from error


@click.command()
@click.argument("text")
@click.option("--store", type=click.Choice(stores.STORES), help="Where it goes.")
@click.option("--entity", default="", help='For the graph: TYPE:LABEL, such as tool:"Git".')
@click.option("--block", default="", help="For core memory: the block.")
@click.option("--title", default="", help="For procedures and the vault.")
@click.option("--type", "type_", default="", help="For episodes: decision, fact, preference …")
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@click.pass_obj
def remember(obj: dict[str, Any], /, text: str, dry_run: bool, type_: str, **given: Any) -> int:
    """Write one memory; `-` reads it from standard input."""
    ws = workspace.find(obj["start"], obj["actor"])
    now = clock.now(ws.config.workspace_timezone)
    route = stores.route(_text(text), **given, type=type_)
    placed: list[Placed] = []

    def edits(tree: Tree) -> Edits:
        placed.append(stores.write(tree, route, now))
        return placed[-1].edits

    def message(_tree: Tree, _edits: Edits) -> str:
        made = placed[-1]
        trailers = (("Memory-Id", made.id), ("Route-Engine", "rules"))
        return messages.render(
            made.action,
            made.path,
            " ".join(route.text.split())[:60],
            actor=ws.actor,
            approval="auto",
            trigger="molt remember",
            trailers=trailers,
        )

    done = ws.commit(edits, message, dry_run=dry_run)
    made = placed[0]
    for warning in (*ws.warnings, *(one.message for one in done.findings)):
        output.note(f"warning: {warning}")
    if obj["json"]:
        said = {"id": made.id, "store": route.store, "path": made.path, "commit": done.oid}
        warnings = [one.asdict() for one in done.findings]
        output.document({**said, "action": made.action, "engine": "rules", "warnings": warnings})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(f"{made.id}  {made.path}  {(done.oid or 'unchanged')[:10]}")
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.pass_obj
def ack(obj: dict[str, Any], files: tuple[str, ...]) -> int:
    """Acknowledge the critical FILES as they are in the last commit."""
    ws = workspace.find(obj["start"], obj["actor"] or "manual")
    for path in files:
        if path not in ws.config.policy_critical:
            raise errors.Usage(f"{path} is no critical file", ", ".join(ws.config.policy_critical))
        if ws.head().read(path) is None:
            raise errors.NotFound(f"no {path} in the last commit")

    def edits(tree: Tree) -> Edits:
        sums = meta.parse_checksums((tree.read(formats.CHECKSUMS) or b"").decode())
        sums |= {path: sha256(tree.read(path) or b"").hexdigest() for path in files}
        return {formats.CHECKSUMS: meta.render_checksums(sums).encode()}

    def message(_tree: Tree, _edits: Edits) -> str:
        return messages.render(
            "ACK",
            formats.CHECKSUMS,
            f"acknowledged {', '.join(files)}",
            actor="manual",
            approval="approved",
            trigger="molt ack",
            trailers=[("Acknowledged", path) for path in files],
        )

    done = ws.commit(edits, message, actor="manual")
    if obj["json"]:
        output.document({"files": list(files), "commit": done.oid})
        return 0
    said = f"acknowledged {', '.join(files)}" if done.oid else "acknowledged already"
    click.echo(said)
    return 0


@click.command("import")
@click.argument("paths", nargs=-1, required=True)
@click.option("--group", default="", help="Only records of this group, such as one conversation.")
@click.option("--dry-run", is_flag=True, help="Say what would be brought in.")
@click.pass_obj
def import_(obj: dict[str, Any], paths: tuple[str, ...], group: str, dry_run: bool) -> int:
    """Bring in JSON-lines files ({id, text, date}), one memory a record, one commit a file."""
    ws = workspace.find(obj["start"], obj["actor"])
    for path in paths:
        done = importer.bring_in(ws, path, group=group, dry_run=dry_run)
        if obj["json"]:
            output.document(done.asdict())
        else:
            commit = (done.commit or ("not written" if dry_run else "unchanged"))[:11]
            click.echo(f"{done.source}: {len(done.memories)} memories  {commit}")
    return 0
