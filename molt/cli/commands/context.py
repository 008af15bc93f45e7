"""Commands that read."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import click

from molt import errors
from molt.cli import completion, output, spec
from molt.formats import message as messages
from molt.memory import audit, workspace


@click.command()
@click.option("-n", "--limit", type=click.IntRange(1), default=20, help="How many lines.")
@click.option("--file", "file", default="", help="Only this file or glob.")
@click.option("--actor", "who", default="", help="Only this actor, type or glob.")
@click.option("--action", default="", help="Only this action.")
@click.option("--since", default="", help="Only from this date on.")
@click.option("--grep", default="", help="Only lines with this text.")
@click.pass_obj
def log(obj: dict[str, Any], /, limit: int, **want: str) -> int:
    """Who changed what, and when; newest first."""
    spec.check_date(want["since"])
    ws = workspace.find(obj["start"], obj["actor"])
    ws.refresh()
    found = audit.lines(ws.repo, ws.repo.log_raw("HEAD"))
    lines = [one for one in found if _wanted(one, want)]
    for line in lines[::-1][:limit]:
        if obj["json"]:
            output.document(line.asdict())
        else:
            click.echo(line.text)
    return 0


def _wanted(line: audit.Line, want: dict[str, str]) -> bool:
    return (
        (not want["file"] or fnmatchcase(line.file, want["file"]))
        and (not want["who"] or messages.is_by(line.actor, want["who"]))
        and (not want["action"] or line.action == want["action"].upper())
        and line.time >= want["since"]
        and want["grep"].lower() in line.text.lower()
    )


@click.command()
@click.argument("ref", shell_complete=completion.memories)
@click.pass_obj
def why(obj: dict[str, Any], ref: str) -> int:
    """The story of the memory REF (an id): every commit that names it, oldest first."""
    ws = workspace.find(obj["start"], obj["actor"])
    story = audit.story(ws.repo, ref)
    if not story:
        raise errors.NotFound(f"no commit names {ref!r}", "`molt search` gives ids")
    for line in story:
        if obj["json"]:
            output.document(line.asdict())
        else:
            click.echo(f"{line.text}  ({line.commit[:10]})")
    return 0


@click.command()
@click.option("--max-tokens", type=click.IntRange(1), default=6000, help="The most it may hold.")
@click.pass_obj
def context(obj: dict[str, Any], max_tokens: int) -> int:
    """Core memory, alerts, today's and yesterday's episodes, what is pending."""
    from molt.cli.clock import now
    from molt.memory import context as contexts

    ws = workspace.find(obj["start"], obj["actor"])
    text = contexts.context(ws, now(ws.config.workspace_timezone), max_tokens=max_tokens)
    if obj["json"]:
        output.document({"context": text})
    else:
        click.echo(text, nl=False)
    return 0
