"""`molt index`: the search index, looked after."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory.consents import consent
from molt.memory.critical import alerts as alarms
from molt.memory.search import at, places, watch
from molt.memory.search import index as search_index

if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.memory.workspace import Workspace


@click.command()
@click.option("--rebuild", is_flag=True, help="Make it anew.")
@click.option("--status", "only_status", is_flag=True, help="Say what it holds; change nothing.")
@click.option("--watch", is_flag=True, help="Bring it up whenever files change, until stopped.")
@click.option("--batch", is_flag=True, help="Use the provider's batch API; call it again later.")
@click.option("--add", is_flag=True, help="Have FOLDERs searched too (search.extra_paths).")
@click.argument("folders", nargs=-1)
@pass_call
def index(call: Call, /, folders: tuple[str, ...], **chosen: bool) -> int:
    """Bring the search index up to the files."""
    ws = call.workspace()
    if bool(folders) != chosen["add"]:
        raise errors.Usage("`--add` and FOLDERs go together", "`molt index --add skills ~/notes`")
    if chosen["only_status"]:
        return _print_status(ws, as_json=call.json)
    if folders:
        return _add_places(call, ws, folders)
    # Who searches falls back; who asks for just these vectors is told.
    consent.require_consent(ws.missing, consent.EMBEDDING)
    if chosen["batch"]:
        return _run_batch(ws, as_json=call.json)
    if chosen["watch"]:
        return _watch_files(ws, as_json=call.json)
    if chosen["rebuild"]:
        at.delete_index(ws)
    outcome = search_index.build_index(ws, rebuild=chosen["rebuild"], progress=_make_progress())
    return _print_outcome(outcome, as_json=call.json)


def _add_places(call: Call, ws: Workspace, folders: tuple[str, ...]) -> int:
    done = alarms.write_own(ws, lambda: places.add_places(ws, folders))
    output.note_warnings(call, done.warnings)
    if call.json:
        output.print_json({"added": list(done.made), "commit": done.oid, "message": done.message})
        return 0
    said = f"searched from now on: {', '.join(done.made)}" if done.made else "searched already"
    click.echo(f"{escape_text(said)}  {(done.oid or 'unchanged')[:10]}")
    for one in call.workspace().missing:
        if one.name == consent.EXTRA:
            click.echo(f"molt: {escape_text(one.refusal)}", err=True)
    return 0


def _print_outcome(outcome: search_index.Outcome, *, as_json: bool) -> int:
    if as_json:
        output.print_json(outcome.asdict())
        return int(bool(outcome.failure))
    files, chunks = (
        output.render_count(outcome.updated, "file"),
        output.render_count(outcome.stale, "chunk"),
    )
    said = f"{files} brought up, {chunks} wait{'s' * (outcome.stale == 1)} for vectors"
    click.echo(said)
    for why in filter(None, (outcome.fallback, outcome.failure, *outcome.notes)):
        click.echo(f"molt: {why}", err=True)
    return int(bool(outcome.failure))


def _print_status(ws: Workspace, *, as_json: bool) -> int:
    found = search_index.read_status(ws)
    if as_json:
        output.print_json(found.asdict())
        return 0
    model = f" ({found.model})" if found.model else ""
    click.echo(f"provider  {found.provider}{model}")
    click.echo(f"holds     {found.files:,} files, {found.chunks:,} chunks")
    files, chunks = (
        output.render_count(found.changed, "file"),
        output.render_count(found.stale, "chunk"),
    )
    click.echo(f"waiting   {files} to read, {chunks} for vectors")
    click.echo(
        f"on disk   {found.bytes / 1e6:.1f} MB, and {found.cache_bytes / 1e6:.1f} MB of cache"
    )
    if found.batch:
        click.echo(f"batch     {found.batch}")
    if found.fallback:
        click.echo(f"molt: {found.fallback}", err=True)
    return 0


def _run_batch(ws: Workspace, *, as_json: bool) -> int:
    from molt.memory.search import batch as batches

    report = batches.backfill_vectors(ws)
    if as_json:
        output.print_json(report.asdict())
        return int(report.state == "failed")
    job = f" {report.job}" if report.job else ""
    click.echo(f"{report.state}{job}: {report.detail}")
    click.echo(f"{report.taken} vectors taken, {report.stale} chunks wait for vectors")
    for trouble in report.troubles:
        click.echo(f"molt: {trouble}", err=True)
    if report.state in ("submitted", "running") or report.stale:
        click.echo("call `molt index --batch` again", err=True)
    return int(report.state == "failed")


def _watch_files(ws: Workspace, *, as_json: bool) -> int:
    import signal
    import threading

    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_given: stop.set())
    if not as_json:
        click.echo(f"watching {ws.repo.root}; Ctrl-C ends it")

    def tell_outcome(outcome: search_index.Outcome) -> None:
        _print_outcome(outcome, as_json=as_json)
        sys.stdout.flush()

    watch.watch_files(ws, stop.wait, told=tell_outcome)
    return 0


def _make_progress() -> Callable[[str, int, int], None] | None:
    """Shows a line on a terminal that is rewritten; None elsewhere."""
    if not sys.stderr.isatty():
        return None
    import time

    last = 0.0

    def show_progress(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < 0.1 and done != total:
            return
        last = now
        share = (
            f"{done:,} of {total:,} {what}, {done * 100 // total} %"
            if total
            else f"{done:,} {what}"
        )
        sys.stderr.write(f"\r\x1b[K{share}" if not total or done < total else "\r\x1b[K")
        sys.stderr.flush()

    return show_progress
