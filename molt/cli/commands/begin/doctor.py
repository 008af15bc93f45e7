"""`molt doctor`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.hosts.install import codex_trust
from molt.memory.clone.problems import Problem
from molt.memory.health import growth as growths
from molt.repo import find

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended.")
@click.option("--growth", is_flag=True, help="Tell only what the history takes, and since when.")
@pass_call
def doctor(call: Call, fix: bool, growth: bool) -> int:
    """Find what is wrong with hooks, files, scores, links, index, locks and history."""
    if growth:
        return _tell_growth(call)
    from molt.memory.health import doctor as doctors

    # All of it before anything is said: what is not found at all is an error, and nothing else.
    with output.WaitingLine(call, "looking at all that is here"):
        told = doctors.examine(
            call.start, call.actor, now=clock.seconds(), tell_time=clock.now, fix=fix
        )
        found = [*told, *_check_hosts(call)]
    left = [one for one in found if not one.mended]
    errors_left = sum(one.severity == "error" for one in left)
    if call.json:
        output.print_json({"problems": [{"problem": one.what, **one.asdict()} for one in found]})
        return int(bool(errors_left))
    for one in found:
        _print_problem(one)
    warnings = len(left) - errors_left
    counts = {"error": errors_left, "warning": warnings}
    said = [output.render_count(count, word) for word, count in counts.items() if count]
    click.echo(", ".join(said) or "all is well")
    return int(bool(errors_left))


def _check_hosts(call: Call) -> Iterator[Problem]:
    """The programs that do not call molt although they were told to."""
    # A workspace of a newer format, which no command opens, has hosts too.
    for one in codex_trust.find_mute(os.environ, find.find_repo(call.start).root):
        yield Problem(one.why, one.path, one.then)


def _tell_growth(call: Call) -> int:
    ws = call.workspace()
    found = growths.measure_growth(ws.repo)
    budget = ws.config.history_budget_mb * growths.MIB
    if call.json:
        output.print_json({"budget": budget, **found.asdict()})
        return 0
    click.echo(f"{growths.format_size(found.size)} of {growths.format_size(budget)}")
    if found.loose:
        said = f"  {growths.format_size(found.loose)} of it loose; `git gc` packs that"
        click.echo(said)
    by_size = sorted(found.places.items(), key=lambda pair: (-pair[1], pair[0]))
    for rows in (by_size, sorted(found.months.items())):
        click.echo("")
        for name, size in rows:
            click.echo(f"{growths.format_size(size):>12}  {escape_text(name)}")
    return 0


def _print_problem(one: Problem) -> None:
    color = "green" if one.mended else "red" if one.severity == "error" else "yellow"
    word = click.style("mended" if one.mended else one.severity, fg=color)
    click.echo(f"{word}  {escape_text(f'{one.where}: {one.what}')}")
    if one.hint and not one.mended:
        click.echo(f"    {escape_text(one.hint)}")
