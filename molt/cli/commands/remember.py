"""`molt remember`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import FLAG, MANY, Option, Spec, text_of
from molt.formats import paths
from molt.formats.episodes import CONFIDENCES
from molt.memory.write import route as routing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RELATION = 'An edge of the graph, such as "project--molt uses tool--git".'


def _remember(call: Call, /, text: str, dry_run: bool, **given: Any) -> int:
    from molt.cli import clock
    from molt.memory.write import remember as writing

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    route = routing.route_text(text_of(text), **given)
    done = writing.remember_text(ws, route, now, dry_run=dry_run)
    made = done.made
    taken = (made.taken,) if made.taken else ()
    for warning in (*ws.warnings, *taken, *done.warnings):
        output.note(call, f"warning: {warning}")
    if call.json:
        said = {"id": made.id, "store": route.store, "path": made.path, "commit": done.oid}
        warnings = [one.asdict() for one in done.findings]
        output.print_json({**said, "action": made.action, "engine": "rules", "warnings": warnings})
    elif dry_run:
        output.echo(done.message, end="")
    else:
        output.echo(f"{made.id}  {made.path}  {(done.oid or 'unchanged')[:10]}")
    return 0


remember = Spec(
    "remember",
    _remember,
    "Write one memory; `-` reads it from standard input.",
    "text",
    options=(
        Option(("--store",), "store", "Where it goes.", choices=paths.STORE_NAMES),
        Option(("--entity",), "entity", 'For the graph: TYPE:LABEL, such as tool:"Git".'),
        Option(("--supersedes",), "supersedes", "The entity's fact that is no longer true."),
        Option(("--block",), "block", "For core memory: the block."),
        Option(("--title",), "title", "For procedures and the vault."),
        Option(("--type",), "type", "For episodes: decision, fact, preference …"),
        Option(("--tag",), "tags", "May be given several times.", MANY),
        Option(("--confidence",), "confidence", "How sure it is.", choices=CONFIDENCES),
        Option(
            ("--relation",),
            "relations",
            'SUBJECT WORD OBJECT: "project--molt uses tool--git".',
            MANY,
        ),
        Option(("--dry-run",), "dry_run", "Show the commit that would be made.", FLAG),
    ),
)
