"""`molt verify`."""

from __future__ import annotations

import os

import click

from molt import errors
from molt.cli import output, sarif
from molt.cli.call import Call, pass_call
from molt.memory.checks import ci, offers
from molt.memory.checks import verify as verifying


@click.command()
@click.argument("revisions", nargs=-1, metavar="[RANGE]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    help="How findings are written; github makes annotations, sarif a log for forges and editors.",
)
@pass_call
def verify(call: Call, revisions: tuple[str, ...], form: str) -> int:
    """Judge every commit of RANGE, by default what a run in CI is about, else all since the
    adoption."""
    ws = call.workspace()
    found = None if revisions else ci.find_range(ws.repo, os.environ)
    if found is not None:
        report = verifying.judge_range(ws.repo, found)
        output.note(call, f"this run is about {found.text}")
    else:
        report = verifying.verify_commits(ws.repo, revisions)
    if call.json or form == "json":
        findings = [{"commit": oid, **one.asdict()} for oid, one in report.findings]
        said = {"range": report.range, "commits": report.commits, "findings": findings}
        output.print_json({**said, "missing": report.missing})
    elif form == "sarif":
        output.print_json(sarif.make_log(report.findings))
    elif form == "github":
        output.print_annotations(report.findings)
    else:
        for one in offers.list_causes(report):
            click.echo(output.render_finding(one.finding, one.named))
        click.echo(
            f"{output.render_count(report.commits, 'commit')}, "
            f"{output.render_count(len(report.findings), 'finding')}"
        )
    if way := offers.tell_way_on(report):
        output.note(call, way)
    if report.missing:
        raise errors.Usage(verifying.tell_missing(report), verifying.FETCH)
    if not report.commits:
        output.note(call, f"warning: no commit is in {report.range}, so nothing was judged")
    return int(bool(report.errors))
