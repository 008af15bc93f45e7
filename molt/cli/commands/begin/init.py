"""`molt init`."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats import core as core_text
from molt.formats import documents
from molt.formats.lines import escape_text
from molt.memory.adopt import adoption, setup
from molt.repo import hooks as hook_files
from molt.repo import ignores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from molt.memory.adopt.adoption import AdoptionReport
    from molt.memory.adopt.setup import Made

_SHOWN = 5  # rows that are named; the others are counted


@click.command()
@click.argument("folder", default="")
@click.option("--adopt", is_flag=True, help="Say that the folder holds a workspace already.")
@click.option("--hooks/--no-hooks", default=True, help="Install the git hooks.")
@click.option("--agents", is_flag=True, help="Write into AGENTS.md how an agent uses molt.")
@click.option("--unignore", is_flag=True, help="Have .gitignore leave memory alone.")
@click.option("--name", default="", help="Set user.name for this repository.")
@click.option("--email", default="", help="Set user.email for this repository.")
@pass_call
def init(call: Call, /, folder: str, adopt: bool, hooks: bool, **chosen: Any) -> int:
    """Make a workspace, or adopt what is there; nothing existing is rewritten."""
    target = _find_target(folder or call.start, adopt=adopt)
    with output.WaitingLine(call, f"looking at what is in {escape_text(target)}") as line:

        def tell(report: AdoptionReport) -> None:
            line.clear_line()
            _print_report(report)

        heard = None if call.json or call.quiet else tell
        made = setup.init(target, name=chosen["name"], email=chosen["email"], tell=heard)
    done = _change_files(made, chosen)
    named = tuple(f"user.{key}" for key in ("name", "email") if chosen[key])
    placed: tuple[str, ...] = ()
    foreign = hook_files.describe_foreign(made.repo) if hooks else None
    if foreign:
        output.note(call, f"warning: no hooks installed: {foreign.what}\n  {foreign.hint}")
    elif hooks:
        placed = hook_files.install(made.repo.hooks_dir(), sys.executable)
    if hooks:
        from molt.repo import merge_driver

        placed += ("merge driver",) * merge_driver.install(made.repo, sys.executable)
    for note in made.notes:
        output.note(call, f"warning: {note}")
    if call.json:
        findings = [one.asdict() for one in made.findings]
        report = made.report.asdict() if made.report else None
        told = {**made.asdict(), "findings": findings, "report": report}
        output.print_json(
            {**told, "hooks": list(placed), "changed": list(done), "set": list(named)}
        )
        return 0
    for one in made.findings:
        # The report has said it of whole files, those that git knew before included.
        if one.code != "SEC001":
            output.note(call, output.render_finding(one).strip())
    _print_result(made, {"hooks": placed, "changed": done, "set": named})
    return 0


def _find_target(folder: str, *, adopt: bool) -> str:
    """The folder to make a workspace of. Raises NotFound or Usage for what is none."""
    target = os.path.abspath(folder)
    if adopt and not os.path.isdir(target):
        raise errors.NotFound(f"{target} is no folder to adopt")
    if os.path.lexists(target) and not os.path.isdir(target):
        raise errors.Usage(f"{target} is no folder", "`molt init DIR` names one, or a new one")
    return target


def _change_files(made: Made, chosen: dict[str, Any]) -> tuple[str, ...]:
    """What a person has asked for beside the workspace: the paths that were changed."""
    done: list[str] = []
    if chosen["unignore"] and ignores.list_ignored(made.repo):
        done += setup.unignore(made.repo).paths
    if chosen["agents"]:
        done += setup.instruct_agents(made.repo).paths
    return tuple(done)


def _print_result(made: Made, more: dict[str, tuple[str, ...]]) -> None:
    done = made.commit or any(more.values())
    click.echo(f"{made.repo.root}: {'ready' if done else 'a workspace already; nothing changed'}")
    found = {
        "created": made.created,
        "adopted": made.adopted,
        "left uncommitted": made.left,
        "git keeps no longer": made.untracked,
        "relations from graph/index.md": made.related,
    }
    for word, paths in {**found, **more}.items():
        if paths:
            click.echo(f"  {word}: {_join_paths(paths)}")
    if made.report is not None and not made.report.is_empty:
        for line in _list_steps(made.report):
            click.echo(line)


def _join_paths(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 4 * _SHOWN:,} more" if len(paths) > 4 * _SHOWN else ""
    return escape_text(", ".join(paths[: 4 * _SHOWN])) + more


def _print_report(report: AdoptionReport) -> None:
    if not report.is_empty:
        click.echo("found:")
        for line in _describe_report(report):
            click.echo(f"  {escape_text(line)}")


def _describe_report(report: AdoptionReport) -> Iterator[str]:
    """What was found, a line each."""
    counts = ", ".join(adoption.render_kind(*pair) for pair in report.memories.items())
    yield f"memories: {counts or 'none'}"
    yield from _describe_core(report)
    if report.ignored:
        yield f"git ignores {_shorten(report.ignored)}: what git ignores is no memory,"
        yield "  and is neither searched nor written; `molt init --unignore` has git keep it"
    if report.projections:
        yield f"git keeps {_shorten(report.projections)}: molt makes them anew, and un-tracks them"
    if report.edges:
        yield f"graph/index.md has edges that {report.edges:,} entities lack; they get them"
    for one in report.secrets[:_SHOWN]:
        yield f"{one.path} gives away {adoption.render_secrets(one)}"
    if len(report.secrets) > _SHOWN:
        yield f"and {len(report.secrets) - _SHOWN:,} more files give something away"
    if report.documents:
        count = f"documents in folders: {_shorten(_count_places(report.documents))}"
        too_many = f", more than {documents.MOST:,}: not searched"
        yield f"{count}{too_many if report.has_too_many else ', searched behind the memory'}"
    if report.unsearched:
        yield f"Markdown that no search reads: {_shorten(_count_places(report.unsearched))}"


def _count_places(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{place} ({count:,})" for place, count in counts.items())


def _describe_core(report: AdoptionReport) -> Iterator[str]:
    if report.core_tokens:
        share = core_text.render_share(report.core_tokens, report.core_cap)
        cap = f"{share} of the cap of {report.core_cap:,}"
        yield f"MEMORY.md: {report.core_tokens:,} tokens, {cap} (core.cap in molt.yaml)"
    if report.core_tokens > report.core_cap:
        yield "  that is a warning until it was under the cap once; from then on the cap holds"


def _shorten(found: tuple[str, ...]) -> str:
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more


def _list_steps(report: AdoptionReport) -> Iterator[str]:
    """What a person does next, a line each."""
    if report.secrets:
        yield "secrets: take them out and rotate them; they stay in the history that there is"
    if report.has_too_many:
        yield "to search the documents, let `search.sources` in molt.yaml name `documents`"
    if report.unsearched:
        places = " ".join(map(shlex.quote, report.unsearched))
        yield f"to search the rest: molt index --add {escape_text(places)}"
    if report.agents:
        yield "to tell the agent of molt, `molt init --agents` writes this into its instructions:"
        yield from (f"  {line}".rstrip() for line in report.agents.splitlines())
    yield "next: `molt index` reads it all for the search, `molt status` shows what is there"
