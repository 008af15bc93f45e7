"""`molt consent`: leave for what a workspace's molt.yaml leads out of it."""

from __future__ import annotations

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory import workspace
from molt.memory.consents import consent as consents
from molt.memory.consents import wishes
from molt.memory.consents.consent import Wish


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(consents.NAMES))
@click.option("--withdraw", is_flag=True, help="Take it back instead.")
@click.option("--dry-run", is_flag=True, help="Only say what would be used.")
@pass_call
def consent(call: Call, names: tuple[str, ...], withdraw: bool, dry_run: bool) -> int:
    """Let this clone use what molt.yaml names; without a name, list it.

    That is an address of another server, a variable with a key, a folder outside of the workspace.
    It holds for just these values, and in this clone alone.
    """
    ws = call.find_workspace()
    asked = [one for one in ws.wishes if not names or one.name in names]
    if names and not withdraw:
        _require_asked(names, asked)
    if names and not dry_run:
        workspace.require_person(ws, "consent for a person")
        if withdraw:
            wishes.withdraw_consent(ws.repo, names)
        else:
            wishes.give_consent(ws.repo, asked)
        asked = [one.replace(given=not withdraw) for one in asked]
    if call.json:
        rows = [{**one.asdict(), "value": list(one.value)} for one in asked]
        output.print_json({"consents": rows})
        return 0
    for one in asked:
        click.echo(_render_wish(one))
    if not asked:
        click.echo("molt.yaml names nothing that takes a consent")
    return 0


def _require_asked(names: tuple[str, ...], asked: list[Wish]) -> None:
    """Raises NotFound for a name of which molt.yaml has nothing."""
    for name in names:
        if all(one.name != name for one in asked):
            said = f"molt.yaml names nothing of {name} that takes a consent"
            raise errors.NotFound(said, "`molt consent` lists what does")


def _render_wish(one: Wish) -> str:
    state = "given " if one.given else "wanted"
    return escape_text(f"{state}  {one.name}  {one.said}")
