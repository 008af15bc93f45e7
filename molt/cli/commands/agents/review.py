"""`molt review`: deciding on what sub-agents propose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt import errors, trees
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats import paths
from molt.formats.lines import escape_text
from molt.formats.meta import proposals
from molt.memory import shown
from molt.memory.govern import disputes
from molt.memory.govern import proposals as deciding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from molt.formats.meta.proposals import Proposal
    from molt.memory.govern.proposals import Decided, Reviewed
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written

    F = TypeVar("F", bound=Callable[..., int])

_NUMBERS = click.argument("numbers", metavar="N…", nargs=-1, required=True)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")


@click.group(invoke_without_command=True)
@click.pass_context
def review(context: click.Context) -> int | None:
    """What sub-agents propose: without a command, what waits; with one, decide on it.

    N is a proposal's number or id.
    """
    return None if context.invoked_subcommand else context.invoke(show)


@review.command(name="list")
@pass_call
def show(call: Call) -> int:
    """The proposals that wait, each with what says otherwise."""
    ws = call.workspace()
    found = deciding.list_proposals(ws, shown.list_files(ws))
    if call.json:
        told = [_describe_proposal(one) for one in found]
        output.print_json({"mode": ws.config.agents_review, "proposals": told})
        return 0
    for one in found:
        click.echo(escape_text(_render_proposal(one), "\n"))
    if found:
        output.note(
            call,
            "`molt review accept|reject|defer N…|all` decides, `resolve N` on what contradicts",
        )
    else:
        click.echo("nothing waits")
    return 0


def _describe_proposal(one: Reviewed) -> dict[str, object]:
    said = one.proposal.asdict()
    for unread in ("start", "end", "fields", "flag"):
        said.pop(unread)
    return {**said, "conflicts": [found.asdict() for found in one.conflicts]}


def _render_proposal(one: Reviewed) -> str:
    said = one.proposal
    state = "" if said.status == "pending" else f"  {said.status}"
    core = "  core-worthy" if said.core_worthy else ""
    head = f"#{said.number}  {said.id}  {said.agent}  {said.store}  {said.confidence}{core}{state}"
    rows = [head, f"    {_flatten(said.content)}"]
    if said.entities:
        rows.append(f"    about {', '.join(said.entities)}")
    for found in one.conflicts:
        rows.append(f"    ⚠️ CONFLICT with {found.id}: {_flatten(found.text)}")
    return "\n".join(rows)


def _flatten(text: str) -> str:
    return " ".join(text.split())


@review.command()
@_NUMBERS
@click.option("--store", type=click.Choice(paths.STORE_NAMES), help="Where it goes.")
@_DRY_RUN
@pass_call
def accept(call: Call, numbers: tuple[str, ...], store: str | None, dry_run: bool) -> int:
    """Put proposal N into its store, or another one; several (`1 4-7`), or `all`.

    Each is a commit of its own; what contradicts something is left, and told. Core memory,
    procedures and the vault take it from a person alone (`molt --actor manual`).
    """
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)

    def decide(number: str) -> Written[Decided]:
        return deciding.accept(ws, number, now, store=store or "", dry_run=dry_run)

    return _decide_each(call, _expand_numbers(ws, numbers), decide)


@review.command()
@_NUMBERS
@click.option("--why", default="", help="The reason, for the log.")
@_DRY_RUN
@pass_call
def reject(call: Call, numbers: tuple[str, ...], why: str, dry_run: bool) -> int:
    """Turn proposal N down, or several; it leaves the list, and the history says why."""
    ws = call.workspace()

    def decide(number: str) -> Written[Decided]:
        return deciding.reject(ws, number, why, dry_run=dry_run)

    return _decide_each(call, _expand_numbers(ws, numbers), decide)


@review.command()
@_NUMBERS
@_DRY_RUN
@pass_call
def defer(call: Call, numbers: tuple[str, ...], dry_run: bool) -> int:
    """Leave proposal N, or several, for later."""
    ws = call.workspace()

    def decide(number: str) -> Written[Decided]:
        return deciding.defer(ws, number, dry_run=dry_run)

    return _decide_each(call, _expand_numbers(ws, numbers), decide)


@review.command()
@click.argument("number", metavar="N")
@click.option("--prefer", "way", flag_value=deciding.PREFER, help="N holds, the other does not.")
@click.option(
    "--keep-both", "way", flag_value=deciding.KEEP_BOTH, help="Both, with low confidence."
)
@click.option("--ask", "way", flag_value=deciding.ASK, help="A question for the user; N waits.")
@_DRY_RUN
@pass_call
def resolve(call: Call, number: str, way: str | None, dry_run: bool) -> int:
    """Settle what proposal N contradicts: another proposal, or what is known.

    What N is not preferred to is struck through, or turned down.
    """
    if way is None:
        raise click.UsageError("how? --prefer, --keep-both or --ask")
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    return _tell(call, disputes.resolve_conflict(ws, number, way, now, dry_run=dry_run))


def _expand_numbers(ws: Workspace, given: Sequence[str]) -> list[str]:
    """The proposals that are meant, each once: of `4-7` and `all` those that wait."""
    found: dict[str, None] = {}
    for one in given:
        first, _, last = one.partition("-")
        if one != "all" and not (first.isdecimal() and last.isdecimal()):
            found[one] = None
            continue
        waiting = proposals.list_pending(trees.read_text(ws.head(), paths.PROPOSALS))
        numbers = (each.number for each in waiting)
        some = [n for n in numbers if one == "all" or int(first) <= n <= int(last)]
        if not some:
            raise errors.NotFound(f"no proposal of {one} waits", "`molt review` lists them")
        found.update(dict.fromkeys(map(str, some)))
    return list(found)


def _decide_each(
    call: Call, numbers: Sequence[str], decide: Callable[[str], Written[Decided]]
) -> int:
    """Decide on some proposals, one after the other; of several, what one is refused for is told,
    and the others go on. The exit status is that of the last refusal.
    """
    if len(numbers) == 1:
        return _tell(call, decide(numbers[0]))
    status = 0
    for number in numbers:
        try:
            _tell(call, decide(number))
        except errors.MoltError as error:
            status = error.status
            output.note(call, escape_text(f"left: {error.message}"))
            if error.hint:
                output.note(call, escape_text(f"  {error.hint}"))
    return status


def _tell(call: Call, done: Written[Decided]) -> int:
    made = done.made
    notes = (made.note if made.what == "accepted" else "", *done.warnings)
    for note in filter(None, notes):
        output.note(call, note)
    if call.json:
        named = [{"number": one.number, "id": one.id} for one in made.proposals]
        said = {"decision": made.what, "proposals": named, "memories": list(made.memories)}
        gave_way = [one.id for one in made.gave_way]
        more = {"paths": list(made.paths), "gave_way": gave_way, "commit": done.oid}
        output.print_json({**said, **more})
    elif not done.oid and done.message:
        output.echo(done.message, end="")
    else:
        numbers = _number([one for one in made.proposals if one not in made.gave_way])
        lost = f", turned down {_number(made.gave_way)}" if made.gave_way else ""
        where = f"  {', '.join(made.memories)}" if made.memories else ""
        commit = (done.oid or "unchanged")[:10]
        output.echo(f"{made.what} {numbers}{lost}{where}  {commit}")
    return 0


def _number(some: Sequence[Proposal]) -> str:
    return ", ".join(f"#{one.number}" for one in some)
