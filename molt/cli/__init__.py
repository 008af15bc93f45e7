"""The door for people, hosts and CI: one table of commands, one place for errors."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from molt import __version__, errors

COMMANDS = {
    "init": ("admin", "Make or adopt a workspace."),
    "status": ("admin", "What is here, and what waits."),
    "verify": ("admin", "Judge commits by the policy."),
    "check": ("admin", "Judge what is on disk, before a commit."),
    "rule": ("admin", "Explain one rule, or list them all."),
    "hooks": ("admin", "Install, remove or inspect the git hooks."),
    "doctor": ("admin", "Find and mend what is wrong."),
    "index": ("admin", "Bring the search index up."),
    "audit": ("admin", "The audit log."),
    "demo": ("demo", "A guided run on a throw-away workspace."),
    "remember": ("write", "Write one memory."),
    "ack": ("write", "Acknowledge a change of a critical file."),
    "import": ("write", "Bring in records of another tool."),
    "search": ("read", "Find memories."),
    "get": ("read", "Read one memory."),
    "log": ("read", "Who changed what, and when."),
    "why": ("read", "The story of one memory."),
    "context": ("read", "What to load at the start of a session."),
    "alerts": ("read", "Changes of critical files that await acknowledgement."),
    "hook-run": ("admin", ""),
}

_ATTRIBUTES = {"import": "import_", "hook-run": "hook_run"}


class Lazy(click.Group):
    """A group that imports the module of one command, and for its help none."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for name, (_, line) in COMMANDS.items() if line]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"molt.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, _ATTRIBUTES.get(cmd_name, cmd_name))
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items() if line])


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--workspace", default="", help="The workspace; found upwards from here otherwise.")
@click.option("--actor", default="", help="Who acts, as TYPE:ID.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--debug", is_flag=True, help="Show the traceback of a defect.")
@click.version_option(__version__, prog_name="molt")
@click.pass_context
def cli(ctx: click.Context, workspace: str, actor: str, as_json: bool, debug: bool) -> None:
    """An agent's memory as a git repository of plain Markdown."""
    start = workspace or os.environ.get("MOLT_WORKSPACE") or os.getcwd()
    ctx.obj = {"start": start, "actor": actor, "json": as_json, "debug": debug}


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit status. Errors become one message here and nowhere else."""
    args = list(sys.argv[1:] if argv is None else argv)
    as_json, debug = "--json" in args, "--debug" in args
    args = [arg for arg in args if arg not in ("--json", "--debug")]
    front = ["--json"] * as_json + ["--debug"] * debug
    try:
        status = cli.main([*front, *args], prog_name="molt", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except errors.MoltError as error:
        from molt.cli import output

        output.failure(error, as_json=as_json)
        return error.status
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("molt: interrupted; nothing is half-done\n")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        if debug:
            raise
        said = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"molt: this is a defect: {said}\n  run it again with --debug\n")
        return 1
    finally:
        from molt.repo import process

        process.close_all()
