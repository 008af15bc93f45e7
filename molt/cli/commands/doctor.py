"""`molt doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.repo import merge_driver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.doctor import Problem
    from molt.repo.repository import Repo


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended.")
@pass_call
def doctor(call: Call, fix: bool) -> int:
    """Find what is wrong with hooks, files, scores, links, index, locks and history."""
    found = list(_find_problems(call, fix))
    left = [one for one in found if not one.mended]
    errors_left = sum(one.severity == "error" for one in left)
    if call.json:
        told = [{"problem": one.what, **one.asdict()} for one in found]
        output.print_json({"problems": told})
        return int(bool(errors_left))
    for one in found:
        _print_problem(one)
    warnings = len(left) - errors_left
    counts = {"error": errors_left, "warning": warnings}
    said = [output.render_count(count, word) for word, count in counts.items() if count]
    click.echo(", ".join(said) or "all is well")
    return int(bool(errors_left))


def _print_problem(one: Problem) -> None:
    color = "green" if one.mended else "red" if one.severity == "error" else "yellow"
    word = click.style("mended" if one.mended else one.severity, fg=color)
    click.echo(f"{word}  {escape_text(f'{one.where}: {one.what}')}")
    if one.hint and not one.mended:
        click.echo(f"    {escape_text(one.hint)}")


def _find_problems(call: Call, fix: bool) -> Iterator[Problem]:
    from molt.memory import doctor as doctors
    from molt.repo import find

    repo = find.find_repo(call.start)
    yield from doctors.examine_repository(repo, clock.seconds(), fix=fix)
    try:
        ws = call.workspace()
        yield from doctors.check_hooks(ws.repo, sys.executable, fix=fix)
        yield from _check_driver(ws.repo, fix=fix)
        yield from _check_zone(ws.config.workspace_timezone)
        yield from doctors.examine_workspace(ws, fix=fix)
    except errors.Failed as error:
        # Where git itself cannot go on, what was found before is all the more worth telling.
        yield doctors.Problem(error.message, repo.root, error.hint or "see above")


def _check_zone(zone: str) -> Iterator[Problem]:
    """A zone that only a clock can judge: without it no memory is written."""
    from molt.memory.doctor import Problem

    try:
        clock.now(zone)
    except errors.Usage as error:
        said = error.message.removeprefix("molt.yaml: ")
        yield Problem(said, "molt.yaml", f"workspace.timezone: {error.hint}")


def _check_driver(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    """A merge driver that this clone lacks: what two clones wrote on one day would conflict."""
    from molt.memory.doctor import Problem

    found = merge_driver.read_state(repo, sys.executable)
    if found == "installed":
        return
    if fix:
        merge_driver.install(repo, sys.executable)
    said = f"the merge driver is {found}: what two clones wrote conflicts"
    yield Problem(said, "git config merge.molt.driver", "`molt hooks install`", "warning", fix)
