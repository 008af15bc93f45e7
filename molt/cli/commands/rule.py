"""Commands that judge, explain and mend."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import clock, completion, output
from molt.memory import verify as verifying
from molt.memory import workspace
from molt.repo import hooks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.doctor import Problem
    from molt.policy import Rule
    from molt.repo.repository import Repo


@click.command()
@click.argument("revisions", nargs=-1, metavar="[RANGE]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How findings are written; github makes annotations.",
)
@click.pass_obj
def verify(obj: dict[str, Any], revisions: tuple[str, ...], form: str) -> int:
    """Judge every commit of RANGE, by default all since the adoption."""
    ws = workspace.find(obj["start"], obj["actor"])
    report = verifying.verify(ws.repo, revisions)
    if obj["json"] or form == "json":
        findings = [{"commit": oid, **one.asdict()} for oid, one in report.findings]
        said = {"range": report.range, "commits": report.commits, "findings": findings}
        output.document(said)
    elif form == "github":
        output.github(report.findings)
    else:
        for oid, one in report.findings:
            click.echo(output.finding(one, oid))
        click.echo(
            f"{output.count(report.commits, 'commit')}, "
            f"{output.count(len(report.findings), 'finding')}"
        )
    return int(any(one.severity == "error" for _, one in report.findings))


@click.command()
@click.pass_obj
def check(obj: dict[str, Any]) -> int:
    """Judge what is on disk against the last commit."""
    from molt.policy import Context, evaluate
    from molt.repo import worktree

    ws = workspace.find(obj["start"], obj["actor"])
    head = ws.head()
    new = worktree.Worktree(ws.repo, head)
    findings = evaluate(head, new, None, Context(actor=obj["actor"] or "manual", alerts=ws.alerts))
    if obj["json"]:
        output.document([one.asdict() for one in findings])
    for one in () if obj["json"] else findings:
        click.echo(output.finding(one))
    return int(any(one.severity == "error" for one in findings))


@click.command()
@click.argument("code", default="", shell_complete=completion.rules)
@click.pass_obj
def rule(obj: dict[str, Any], code: str) -> int:
    """Explain the rule CODE, or list them all."""
    from molt import policy

    found = policy.rule(code)
    if code and found is None:
        raise errors.NotFound(f"no rule {code}", "`molt rule` lists them")
    if obj["json"]:
        output.document(_told(found) if found else [_told(one) for one in policy.RULES])
    elif found:
        _explain(found)
    else:
        for one in policy.RULES:
            click.echo(f"{one.code:9} {one.severity:8} {one.name} — {one.protects}")
    return 0


def _told(one: Rule) -> dict[str, Any]:
    named = {key: getattr(one, key) for key in ("code", "name", "severity", "protects")}
    return named | {"passes": one.passes.asdict(), "fails": one.fails.asdict()}


def _explain(found: Rule) -> None:
    click.echo(f"{found.code} {found.name} ({found.severity})\nProtects: {found.protects}")
    for word, example in (("Passes", found.passes), ("Fails", found.fails)):
        click.echo(f"\n{word}, as {example.actor or 'manual'}:")
        for path, content in example.new.items():
            before = example.base.get(path)
            if before != content:
                said = "new" if before is None else f"was {before[:200]!r}"
                click.echo(f"  {path} ({said}): {content[:200]!r}")
        if example.message:
            click.echo(f"  message: {example.message!r}")


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended.")
@click.pass_obj
def doctor(obj: dict[str, Any], fix: bool) -> int:
    """Find what is wrong with hooks, files, scores, links, index, locks and history."""
    found = list(_problems(obj, fix))
    left = sum(not one.mended and one.severity == "error" for one in found)
    if obj["json"]:
        told = [{"problem": one.what, **one.asdict()} for one in found]
        output.document({"problems": told})
        return int(bool(left))
    for one in found:
        _show(one)
    click.echo(output.count(left, "problem") if left else "all is well")
    return int(bool(left))


def _show(one: Problem) -> None:
    color = "green" if one.mended else "red" if one.severity == "error" else "yellow"
    word = click.style("mended" if one.mended else one.severity, fg=color)
    click.echo(f"{word}  {output.shown(f'{one.where}: {one.what}')}")
    if one.hint and not one.mended:
        click.echo(f"    {output.shown(one.hint)}")


def _problems(obj: dict[str, Any], fix: bool) -> Iterator[Problem]:
    from molt.memory import doctor as doctors
    from molt.repo import find

    repo = find.find(obj["start"])
    yield from doctors.repository(repo, clock.seconds(), fix=fix)
    try:
        ws = workspace.find(obj["start"], obj["actor"])
        yield from _hooks(ws.repo, fix=fix)
        yield from _zone(ws.config.workspace_timezone)
        yield from doctors.examine(ws, fix=fix)
    except errors.Failed as error:
        # Where git itself cannot go on, what was found before is all the more worth telling.
        yield doctors.Problem(error.message, repo.root, error.hint or "see above")


def _zone(zone: str) -> Iterator[Problem]:
    """A zone that only a clock can judge: without it no memory is written."""
    from molt.memory.doctor import Problem

    try:
        clock.now(zone)
    except errors.Usage as error:
        said = error.message.removeprefix("molt.yaml: ")
        yield Problem(said, "molt.yaml", f"workspace.timezone: {error.hint}")


def _hooks(repo: Repo, *, fix: bool) -> Iterator[Problem]:
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
