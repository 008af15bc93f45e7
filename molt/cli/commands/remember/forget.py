"""`molt forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.forget import elsewhere, matches
from molt.memory.forget import forget as forgetting
from molt.memory.reflect.decisions import redraw

if TYPE_CHECKING:
    from typing import Any

    from molt.memory.forget.elsewhere import OtherPlace
    from molt.memory.forget.forget import ForgetOptions
    from molt.memory.forget.matches import Match, Seen, Wanted
    from molt.memory.workspace import Workspace

_ASK = "`--yes` forgets all of it, `--id ID` what you choose"


@click.command()
@click.argument("what", default="")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only this; may be given again.")
@click.option("--session", default="", metavar="ID", help="What came from a conversation.")
@click.option("--by", default="", metavar="ACTOR", help="What an actor wrote: type, id or glob.")
@click.option("--import", "brought", default="", metavar="SOURCE", help="What an import brought.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--permanently", is_flag=True, help="Remove it from the files; history has it still.")
@click.option("--dry-run", is_flag=True, help="Show what would be forgotten, and the commit.")
@pass_call
def forget(call: Call, /, what: str, yes: bool, **given: Any) -> int:
    """Forget all that says WHAT (a text or an id), or what came from somewhere, in every store.

    It is shown first, with what happens to each. Without a terminal, `--yes` or `--id`, nothing is
    touched: the list comes as JSON, and the status is 3.
    """
    ws = call.workspace()
    options = forgetting.ForgetOptions(given.pop("permanently"), given.pop("dry_run"))
    wanted = matches.Wanted(what, **given)
    seen: Seen = {}
    found = forgetting.find_all(ws, ws.head(), wanted, options, seen)
    for_good = options.permanently
    places = elsewhere.find_elsewhere(ws, wanted, found, permanently=for_good)
    told = elsewhere.describe_places(places)
    forgetting.require_matches(wanted, found, told)
    sure = yes or bool(wanted.ids) or options.dry_run
    if not sure and not output.can_ask(call):
        return _print_question(found, places)
    if not call.json:
        _print_matches(found)
    if told:
        output.note(call, told)
    if not sure and not click.confirm("Forget this?", default=False):
        output.note(call, "nothing was forgotten")
        return 3
    return _commit(call, ws, wanted, options, seen)


def _print_question(found: tuple[Match, ...], places: tuple[OtherPlace, ...]) -> int:
    said = f"{output.render_count(len(found), 'memory', 'memories')} to forget"
    told = [one.asdict() for one in found]
    more = [one.asdict() for one in places]
    return output.print_question(said, _ASK, {"matches": told, "elsewhere": more})


def _print_matches(found: tuple[Match, ...]) -> None:
    for one in found:
        click.echo(escape_text(f"{one.id}  {one.text}"))
        click.echo(escape_text(f"    {one.effect}"))


def _commit(call: Call, ws: Workspace, wanted: Wanted, options: ForgetOptions, seen: Seen) -> int:
    now = clock.now(ws.config.workspace_timezone)
    done = forgetting.forget_matches(ws, wanted, now, options, seen)
    rest = redraw.erase_forgotten(ws, wanted, done, now) if options.permanently and done.oid else ()
    output.note_warnings(call, (*done.warnings, *rest))
    if call.json:
        said = {"forgotten": [one.asdict() for one in done.made.done], "commit": done.oid}
        left = [one.asdict() for one in done.made.left]
        output.print_json({**said, "left": left, "message": done.message, "remains": list(rest)})
        return 0
    if options.dry_run:
        click.echo(done.message, nl=False)
        return 0
    click.echo(f"forgotten {len(done.made.done):,}  {(done.oid or 'unchanged')[:10]}")
    if options.permanently:
        click.echo("git's history still holds it: `molt purge` takes it out")
    return 0
