"""`molt setup`: connect molt with a language model."""

from __future__ import annotations

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.hosts import model as hosts
from molt.memory import workspace
from molt.memory.critical import alerts as alarms
from molt.memory.govern import model_choice
from molt.memory.govern.model_choice import ModelChoice
from molt.settings import MODELS

_HOST = "host"


@click.group()
def setup() -> None:
    """Connect molt with a language model, and try it.

    \b
    molt setup model host
    molt setup model openai --model gpt-5-mini
    """


@setup.command()
@click.argument(
    "provider", type=click.Choice((_HOST, *MODELS)), metavar="host|openai|anthropic|none"
)
@click.option(
    "--model", "name", default="", metavar="NAME", help="The model, as its provider names it"
)
@click.option(
    "--base-url", default="", metavar="URL", help="Address of the API (default the provider's own)"
)
@click.option(
    "--key-env",
    default="",
    metavar="VAR",
    help="Variable with the key (default the provider's own)",
)
@click.option(
    "--program",
    default="claude-code",
    type=click.Choice(tuple(hosts.PROGRAMS)),
    help="The host that is asked (default claude-code)",
)
@click.option("--no-try", is_flag=True, help="Do not ask the model a first question")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made")
@pass_call
def model(
    call: Call, /, provider: str, program: str, no_try: bool, dry_run: bool, **given: str
) -> int:
    """Choose who routes memories and makes the plan of a reflection.

    `host` lets the host's own model make the plan at the end of a session, by its program and in
    this clone alone. `openai` and `anthropic` are the forms of an API; another address may serve
    them. `none` leaves both to the shipped models and to you.

    \b
    molt setup model host
    molt setup model openai --model qwen3 --base-url http://127.0.0.1:8000/v1
    """
    ws = call.find_workspace()
    workspace.require_person(ws, "choose the language model")
    if provider == _HOST:
        if any(given.values()):
            raise errors.Usage(
                "`host` has no model, address or key of its own", "molt setup model host"
            )
        return _choose_host(call, ws, program, tries=not no_try, dry_run=dry_run)
    choice = _read_choice(provider, given)
    spent = ""
    if provider == "none" and not dry_run:
        hosts.set_host(ws.repo, "")
    elif provider != "none" and not (no_try or dry_run):
        reply = model_choice.try_model(ws.config, choice)
        spent = f"{reply.model}: {reply.tokens_in or '?'} tokens in, {reply.tokens_out or '?'} out"
    done = alarms.write_own(ws, lambda: model_choice.set_model(ws, choice, dry_run=dry_run))
    output.note_warnings(call, done.warnings)
    if call.json:
        told = {"commit": done.oid, "message": done.message, "tried": spent}
        output.print_json({**choice.asdict(), "host": hosts.read_host(ws.repo), **told})
    elif dry_run:
        click.echo(done.message, nl=False)
    else:
        click.echo(f"{provider} {choice.model}".rstrip() + f"  {(done.oid or 'unchanged')[:10]}")
        if spent:
            click.echo(escape_text(f"it answers ({spent})"))
    return 0


def _read_choice(provider: str, given: dict[str, str]) -> ModelChoice:
    """Return the endpoint of the options. Raises Usage where they do not fit the provider."""
    if provider == "none" and any(given.values()):
        raise errors.Usage("`none` has no model, address or key", "molt setup model none")
    if provider != "none" and not given["name"]:
        hint = f"molt setup model {provider} --model NAME"
        raise errors.Usage(f"which model of {provider}?", hint)
    return ModelChoice(provider, given["name"], given["base_url"], given["key_env"])


def _choose_host(
    call: Call, ws: workspace.Workspace, program: str, *, tries: bool, dry_run: bool
) -> int:
    """Let a host's program make the plans of this clone."""
    spent = ""
    if not dry_run:
        if tries:
            spent = hosts.ask_host(program, "Answer with the one word: ready").spent
        hosts.set_host(ws.repo, program)
    if call.json:
        output.print_json({"provider": _HOST, "host": program, "tried": spent})
        return 0
    would = "would make" if dry_run else "makes"
    click.echo(f"{program} {would} the plan of a reflection when a session ends and one is due")
    if spent:
        click.echo(escape_text(f"it answers ({spent})"))
    click.echo("`molt reflect --engine host` asks it now; `molt setup model none` ends that")
    return 0
