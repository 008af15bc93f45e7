"""`molt log`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import click

from molt.cli import output, spec
from molt.formats import message as messages
from molt.memory import audit_lines, workspace


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
    found = audit_lines.make_lines(ws.repo, ws.repo.log_raw("HEAD"))
    lines = [one for one in found if _is_wanted(one, want)]
    for line in lines[::-1][:limit]:
        if obj["json"]:
            output.print_json(line.asdict())
        else:
            click.echo(line.text)
    return 0


def _is_wanted(line: audit_lines.Line, want: dict[str, str]) -> bool:
    return (
        (not want["file"] or fnmatchcase(line.file, want["file"]))
        and (not want["who"] or messages.is_by(line.actor, want["who"]))
        and (not want["action"] or line.action == want["action"].upper())
        and line.time >= want["since"]
        and want["grep"].lower() in line.text.lower()
    )
