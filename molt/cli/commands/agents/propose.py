"""`molt propose`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import FLAG, MANY, Option, Spec, text_of
from molt.formats import paths
from molt.formats.meta import proposals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _propose(call: Call, /, text: str, dry_run: bool, **given: Any) -> int:
    from molt.cli import clock
    from molt.memory.govern import proposals as deciding

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    made, taken = deciding.propose_text(ws, text_of(text), now, dry_run=dry_run, **given)
    one, done = made.proposal, made.done
    output.note_warnings(call, done.warnings)
    kept = taken.made.memories[0] if taken else ""
    if call.json:
        said = {"id": one.id, "number": one.number, "store": one.store, "conflict": one.flag}
        said |= {"path": done.paths[0] if done.paths else "", "commit": done.oid}
        output.print_json({**said, "accepted": kept or None})
    elif dry_run:
        output.echo(done.message, end="")
    else:
        row = f"#{one.number}  {one.id}  {one.store}  {(done.oid or '')[:10]}"
        output.echo(f"{row}  {one.flag}{f'accepted as {kept}' if kept else ''}".rstrip())
    return 0


propose = Spec(
    "propose",
    _propose,
    "Propose a memory as a sub-agent; `-` reads it from standard input.",
    "text",
    options=(
        Option(("--store",), "store", "Where it should go.", choices=paths.STORE_NAMES),
        Option(("--entity",), "entities", "What it is about: TYPE:LABEL or TYPE--SLUG.", MANY),
        Option(("--confidence",), "confidence", "How sure.", choices=proposals.CONFIDENCES),
        Option(("--trigger",), "trigger", "What made the sub-agent propose it."),
        Option(("--core-worthy",), "core_worthy", "That core memory should hold it.", FLAG),
        Option(("--dry-run",), "dry_run", "Show the commit that would be made.", FLAG),
    ),
)
