"""Commands that write."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import click

from molt import errors, formats
from molt.cli import output
from molt.formats import message as messages
from molt.formats import meta
from molt.memory import importer, workspace

if TYPE_CHECKING:
    from molt.trees import Edits, Tree


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
