"""`molt why`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.memory.why import trace
from molt.repo import find

_WAS = "    was: "
_PEOPLE = ("manual", "—")
"""Actors that do not say who it was; the author of the commit does."""


def _why(call: Call, ref: str) -> int:
    ws = call.workspace()
    for one in trace.tell_story(ws, find.name_ref(ws.repo.root, call.start, ref)):
        line = one.line
        if call.json:
            more = {"superseded": one.superseded or None, "by": one.by or None}
            output.print_json({**line.asdict(), "author": one.author, "was": one.was, **more})
            continue
        by = f", {one.author}" if line.actor in _PEOPLE and one.author else ""
        output.echo(f"{line.text}  ({line.commit[:10]}{by})" if line.commit else line.text)
        if one.superseded:
            output.echo(f"    {one.by} supersedes {one.superseded}")
        if one.was:
            output.echo("\n".join(row and f"{_WAS}{row}" for row in one.was.split("\n")))
    return 0


why = Spec(
    "why",
    _why,
    "The story of a memory (id, file, citation, label, words): what each commit did, oldest first.",
    "ref",
    complete="memories",
)
