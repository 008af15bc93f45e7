"""`molt doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import clock, output
from molt.memory import workspace
from molt.repo import hooks, merge_driver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.doctor import Problem
    from molt.repo.repository import Repo


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended.")
@click.pass_obj
def doctor(obj: dict[str, Any], fix: bool) -> int:
    """Find what is wrong with hooks, files, scores, links, index, locks and history."""
    found = list(_find_problems(obj, fix))
    left = sum(not one.mended and one.severity == "error" for one in found)
    if obj["json"]:
        told = [{"problem": one.what, **one.asdict()} for one in found]
        output.print_json({"problems": told})
        return int(bool(left))
    for one in found:
        _print_problem(one)
    click.echo(output.render_count(left, "problem") if left else "all is well")
    return int(bool(left))


def _print_problem(one: Problem) -> None:
    color = "green" if one.mended else "red" if one.severity == "error" else "yellow"
    word = click.style("mended" if one.mended else one.severity, fg=color)
    click.echo(f"{word}  {output.escape_text(f'{one.where}: {one.what}')}")
    if one.hint and not one.mended:
        click.echo(f"    {output.escape_text(one.hint)}")


def _find_problems(obj: dict[str, Any], fix: bool) -> Iterator[Problem]:
    from molt.memory import doctor as doctors
    from molt.repo import find

    repo = find.find_repo(obj["start"])
    yield from doctors.examine_repository(repo, clock.seconds(), fix=fix)
    try:
        ws = workspace.find(obj["start"], obj["actor"])
        yield from _check_hooks(ws.repo, fix=fix)
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


def _check_hooks(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    """Hooks that are missing or outdated; those of other tools stay as they are."""
    from molt.memory.doctor import Problem

    folder = repo.hooks_dir()
    if hooks.foreign_hooks(repo):
        if not any(hooks.calls_molt(folder, name) for name in hooks.NAMES):
            hint = """call `molt hook-run NAME "$@"` there; until then `molt verify`"""
            yield Problem("no hook here runs molt", folder, hint, "warning")
        return
    found = hooks.status(folder, sys.executable)
    bad = [one for one in found if one.state not in ("installed", "legacy")]
    if not bad:
        return
    if fix:
        hooks.install(folder, sys.executable)
    # A workspace without any was made so, with `molt init --no-hooks`.
    severity = "warning" if all(one.state == "absent" for one in found) else "error"
    said = "hooks that do not run: " + ", ".join(f"{one.name} ({one.state})" for one in bad)
    yield Problem(said, folder, "`molt hooks install`", severity, fix)


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
