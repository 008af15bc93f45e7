"""Commands that judge, explain and mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import completion, output
from molt.memory import audit as auditing
from molt.memory import verify as verifying
from molt.memory import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy import Rule


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
    """Find interrupted writes, stale locks and outdated projections."""
    found = list(_problems(obj, fix))
    open_ = [said for said, mended in found if not mended]
    if obj["json"]:
        said = [{"problem": text, "mended": mended} for text, mended in found]
        output.document({"problems": said})
        return int(bool(open_))
    for text, _ in found:
        click.echo(text)
    click.echo(output.count(len(open_), "problem") if open_ else "all is well")
    return int(bool(open_))


def _problems(obj: dict[str, Any], fix: bool) -> Iterator[tuple[str, bool]]:
    """What is wrong, and whether it was mended."""
    from molt.repo import git, health

    repo = git.find(obj["start"])
    yield from health.problems(repo, fix=fix)
    ws = workspace.find(obj["start"], obj["actor"])
    for warning in ws.warnings:
        yield warning, False
    if fix:
        auditing.rebuild(repo)
