"""`molt eval`."""

from __future__ import annotations

import os
import sys

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call


@click.command("eval")
@click.argument("folder")
@pass_call
def evaluate(call: Call, folder: str) -> int:
    """Ask the questions of FOLDER (corpus.jsonl, queries.jsonl, qrels.tsv), and say how many of
    their answers are found. Its documents are imported into workspaces made for it.
    """
    from molt.memory.health import measure as evaluating

    if not os.path.isdir(folder):
        hint = "give one with corpus.jsonl, queries.jsonl and qrels.tsv"
        raise errors.NotFound(f"no folder {folder}", hint)
    quiet = call.quiet or not sys.stderr.isatty()

    def show_progress(done: int, total: int) -> None:
        click.echo(f"\r{done}/{total}", nl=done == total, err=True)

    questions = evaluating.read_set(folder)
    asked = evaluating.ask_questions(questions, progress=None if quiet else show_progress)
    found = evaluating.make_report(questions, asked)
    if call.json:
        output.print_json(found)
        return 0
    click.echo(f"{found['set']}: {found['queries']} queries")
    for name in evaluating.MEASURES:
        low, high = found["intervals"][name]
        click.echo(f"  {name:8} {found[name]:6.1%}  ({low:.1%} to {high:.1%})")
    click.echo(f"  latency  {found['p50_ms']:.1f} ms, 95 of 100 within {found['p95_ms']:.1f} ms")
    for kind, row in found["by_type"].items():
        click.echo(f"  {kind}: R@5 {row['R@5']:.1%}, R@10 {row['R@10']:.1%} of {row['queries']}")
    return 0
