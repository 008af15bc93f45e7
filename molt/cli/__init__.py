"""The door for people, hosts and CI: one table of commands, one place for errors."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from molt import __version__, errors

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

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
    "completion": ("completion", "What a shell reads to complete commands and memory ids."),
    "hook-run": ("admin", ""),
}

_ATTRIBUTES = {"import": "import_", "hook-run": "hook_run"}
_FORCED = ("FORCE_COLOR", "CLICOLOR_FORCE")


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep a global option that was given, wherever it stood: before the command or after it."""
    kept = ctx.ensure_object(dict)
    name = str(param.name)
    if value:
        kept[name] = value
        if name == "no_color":
            ctx.find_root().color = ctx.color = False
    kept.setdefault(name, value)


def global_options() -> list[click.Option]:
    """The options of every command, made anew, for click keeps them in one command each."""
    flags: dict[str, Any] = {"is_flag": True, "expose_value": False, "callback": _keep}
    words: dict[str, Any] = {"default": "", "expose_value": False, "callback": _keep}
    return [
        click.Option(
            ["--workspace"], **words, help="The workspace; found upwards from here otherwise."
        ),
        click.Option(["--actor"], **words, help="Who acts, as TYPE:ID."),
        click.Option(["--json"], **flags, help="JSON on stdout: one document, or one a line."),
        click.Option(["-q", "--quiet"], **flags, help="Results and errors only."),
        click.Option(["--no-color"], **flags, help="No colour; NO_COLOR does the same."),
        click.Option(["--debug"], **flags, help="Show the traceback of a defect."),
    ]


def _extend(command: click.Command) -> click.Command:
    """The command with the global options that it does not use for something else."""
    known = {name for param in command.params for name in param.opts}
    fresh = [option for option in global_options() if not known.intersection(option.opts)]
    for option in fresh:
        option.hidden = True
    command.params.extend(fresh)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _extend(inner)
    command.epilog = command.epilog or "Options of every command: `molt --help`."
    command.context_settings.setdefault("help_option_names", ["-h", "--help"])
    return command


class Lazy(click.Group):
    """A group that imports the module of one command, and for its help none."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for name, (_, line) in COMMANDS.items() if line]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            module = import_module(f"molt.cli.{COMMANDS[cmd_name][0]}")
            found = getattr(module, _ATTRIBUTES.get(cmd_name, cmd_name))
            self.commands[cmd_name] = found if found.hidden else _extend(found)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = _nearest(args[0], self.list_commands(ctx))
            raise errors.Usage(f"no command {args[0]!r}", f"{near}`molt --help` lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items() if line])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=COMMANDS[name][1]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


def _nearest(word: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}? " if near else ""


@click.command(
    cls=Lazy,
    params=global_options(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="molt")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """An agent's memory as a git repository of plain Markdown.

    The options stand before the command or after it.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    return 0


class Settings(dict[str, Any]):
    """The global options that were given, and `start`: where to look for the workspace."""

    def __missing__(self, key: str) -> Any:
        if key == "start":
            return self.get("workspace") or os.environ.get("MOLT_WORKSPACE") or os.getcwd()
        raise KeyError(key)


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit status. Errors become one message here and nowhere else."""
    args = list(sys.argv[1:] if argv is None else argv)
    given = args[: args.index("--")] if "--" in args else args
    obj = Settings(actor="", workspace="", json=False, quiet=False, debug=False)
    color = _color(given)
    try:
        status = cli.main(args, prog_name="molt", standalone_mode=False, obj=obj, color=color)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except (Exception, KeyboardInterrupt) as error:
        from molt.cli import failures

        debug = obj["debug"] or "--debug" in given
        if debug and failures.is_defect(error):
            raise
        return failures.tell(error, obj, as_json=obj["json"] or "--json" in given, color=color)
    finally:
        from molt.repo import process

        process.close_all()


def _color(given: list[str]) -> bool | None:
    """Whether to colour; None leaves it to whether the output is a terminal."""
    if "--no-color" in given or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if any(os.environ.get(name) for name in _FORCED) else None
