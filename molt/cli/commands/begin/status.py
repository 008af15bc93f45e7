"""`molt status`."""

from __future__ import annotations

import os

from molt.cli import clock, merged_branches, output
from molt.cli.call import Call
from molt.cli.spec import Spec
from molt.formats.lines import escape_text
from molt.memory.critical import alerts as alarms

_SHOWN = 12
"""Files that a row names; `--json` and git name all."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.answers.status import WorkspaceStatus
    from molt.memory.workspace import Workspace


def _status(call: Call) -> int:
    from molt.memory.answers import status as memory_status

    ws = call.find_workspace()
    merged_branches.finish_merged(call, ws)
    found = memory_status.read_status(ws, clock.seconds())
    mute = _find_mute(ws)
    if call.json:
        told = [alarms.describe_alert(ws, one) for one in found.alerts]
        output.print_json({**found.asdict(), "alerts": told, "hosts": mute})
        return 0
    for word, said in _status_rows(found):
        _print_row(f"{output.style(f'{word:12}', bold=True)}{escape_text(said)}")
    for said in mute:
        _print_row(output.style("host        ", fg="red") + escape_text(said))
    for one in found.quarantine:
        kept = f"{output.render_count(one.lines, 'line')} of it held back"
        said = kept if one.lines else "no memory is held back"
        files = f" ({', '.join(one.files)})" * bool(one.files)
        why = f"{one.commit[:10]} breaks {', '.join(one.codes)}: {said}{files}; "
        said = escape_text(f"{why}`{one.look}`, then `{one.then}`")
        _print_row(output.style("quarantine  ", fg="red") + said)
    for alert in found.alerts:
        _print_row(output.style("alert       ", fg="red") + output.alert_line(alert))
        for row in alarms.read_diff(ws, alert):
            _print_row(f"{'':14}{row}")
        _print_row(f"{'':12}then {alert.then}")
    return 0


def _find_mute(ws: Workspace) -> list[str]:
    """Why a program does not call molt although it was told to, and what to do; to look into its
    settings takes as long as all else, so they are asked for first.
    """
    home = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    folders = (home, os.path.join(ws.repo.root, ".codex"))
    if not any(os.path.exists(os.path.join(one, "hooks.json")) for one in folders):
        return []
    from molt.hosts.install import codex_trust

    mute = codex_trust.find_mute(os.environ, ws.repo.root)
    return [f"{one.why}; {one.then}" for one in mute]


def _print_row(text: str) -> None:
    """A row on stdout, in colour where there is any for click to judge."""
    if "\033" not in text:
        output.echo(text)
        return
    import click

    click.echo(text)


def _status_rows(found: WorkspaceStatus) -> Iterator[tuple[str, str]]:
    core = found.core
    left = core.cap - core.tokens
    room = f"{left:,} left" if left >= 0 else f"{-left:,} over"
    if found.purging:
        yield "purge", "interrupted: `molt purge --continue` ends it"
    if found.blocked:
        yield "blocked", found.blocked
    yield "MEMORY.md", f"{core.tokens:,} of {core.cap:,} tokens, {room}"
    if core.warning:
        yield "warning", core.warning
    for store, states in found.memories.items():
        parts = (f"{count:,} {state}" for state, count in states.items() if count)
        yield store, ", ".join(parts) or "none"
    waiting = f"{found.proposals:,} to decide on: `molt review`"
    if any(found.notes.values()):
        daily, other = (output.render_count(found.notes[key], f"{key} note") for key in found.notes)
        yield "notes", f"{daily}, {other}, which a search reads as they are"
    yield "proposals", waiting if found.proposals else "none"
    yield "reflections", ", ".join(found.reflections) or "none"
    then = "makes it anew" if found.index.damaged else "brings it up"
    behind = f"{found.index}; the next search {then}"
    yield "index", "fresh" if found.index.fresh else behind
    yield "uncommitted", _shorten(found.dirty) or "nothing"
    if found.ignored:
        yield "ignored", f"{_shorten(found.ignored)}; `molt init --unignore` has git keep it"
    if not found.hooks:
        yield "hooks", "none of molt's run in this clone: `molt hooks install`"
    for said in found.settings:
        yield "settings", said
    if not found.alerts:
        yield "alerts", "none"


def _shorten(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if names[_SHOWN:] else ""
    return ", ".join(names[:_SHOWN]) + more


status = Spec(
    "status",
    _status,
    "Core tokens, memories by store and status, alerts, what is pending or uncommitted.",
    colored=True,
)
