"""The commands as click sees them: help, mistakes, completion, and all that is not plain."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from molt import __version__, errors
from molt.cli.call import Call, pass_call
from molt.cli.commands import COMMANDS, SECTIONS, module_name
from molt.cli.spec import DECIMAL, FLAG, MANY, NUMBER, Option, Spec, SpecGroup

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_ATTRIBUTES = {
    "eval": "evaluate",
    "import": "import_",
    "hook-run": "hook_run",
    "adopt-changes": "adopt_changes",
}


def _keep_option(ctx: click.Context, param: click.Parameter, value: Any) -> None:
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
    flags: dict[str, Any] = {"is_flag": True, "expose_value": False, "callback": _keep_option}
    words: dict[str, Any] = {"default": "", "expose_value": False, "callback": _keep_option}
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


def _add_globals(command: click.Command) -> click.Command:
    """The command with the global options that it does not use for something else."""
    known = {name for param in command.params for name in param.opts}
    fresh = [option for option in global_options() if not known.intersection(option.opts)]
    for option in fresh:
        option.hidden = True
    command.params.extend(fresh)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _add_globals(inner)
    command.epilog = command.epilog or "Options of every command: `molt --help`."
    command.context_settings.setdefault("help_option_names", ["-h", "--help"])
    return command


def build_command(spec: Spec) -> click.Command:
    """The click command of a declared one."""
    from molt.cli import completion

    options = [_build_option(one) for one in spec.options]
    names = completion.complete_memories if spec.complete == "memories" else None
    words: dict[str, Any] = {
        "nargs": -1 if spec.many else 1,
        "required": not spec.optional,
        "shell_complete": names,
    }
    arguments = [click.Argument([spec.argument], **words)] if spec.argument else []

    @pass_call
    def run(call: Call, /, **params: Any) -> int:
        unset = {one.name: one.unset for one in spec.options}
        if spec.optional:
            unset[spec.argument] = ""
        given = {key: value for key, value in params.items() if value is not None}
        return spec.run(call, **{**unset, **given})

    return click.Command(spec.name, params=[*arguments, *options], callback=run, help=spec.help)


def build_group(group: SpecGroup) -> click.Group:
    """The click group of some declared commands."""
    made = {one.name: build_command(one) for one in group.specs}
    rest = getattr(import_module(group.more), group.name) if group.more else click.Group()
    own = build_command(group.own) if group.own else click.Command(group.name)

    @click.pass_context
    def begin(context: click.Context, /, **params: Any) -> Any:
        if context.invoked_subcommand is None:
            return context.invoke(own, **params)
        return context.invoke(rest) if context.invoked_subcommand in rest.commands else 0

    return click.Group(
        group.name,
        commands={**made, **rest.commands},
        help=group.help,
        params=own.params,
        callback=begin,
        invoke_without_command=group.own is not None,
    )


class _Decimal(click.FloatRange):
    """A number; Python reads `nan` as one, which no comparison finds out of range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if math.isnan(found := float(super().convert(value, param, ctx))):
            self.fail(f"{value!r} is no number", param, ctx)
        return found


def _build_option(one: Option) -> click.Option:
    names = [*one.flags, one.name]
    if one.kind == FLAG:
        return click.Option(names, is_flag=True, help=one.help)
    kind: Any = click.Choice(one.choices) if one.choices else str
    metavar = one.metavar or None
    if one.kind == NUMBER:
        kind = click.IntRange(one.low)
    if one.kind == DECIMAL:
        kind = _Decimal(one.low)
    if one.kind == MANY:
        return click.Option(names, type=kind, multiple=True, help=one.help, metavar=metavar)
    return click.Option(names, type=kind, help=one.help, metavar=metavar)


class Lazy(click.Group):
    """A group that imports the module of one command, and for its help none."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for name, line in COMMANDS.items() if line]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            module = import_module(module_name(cmd_name))
            found = getattr(module, _ATTRIBUTES.get(cmd_name, cmd_name))
            found = build_command(found) if isinstance(found, Spec) else found
            found = build_group(found) if isinstance(found, SpecGroup) else found
            self.commands[cmd_name] = found if found.hidden else _add_globals(found)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = _suggest_command(args[0], self.list_commands(ctx))
            raise errors.Usage(f"no command {args[0]!r}", f"{near}`molt --help` lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            if rows := [(name, line) for name, line in commands.items() if line]:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


MEANT = {
    **dict.fromkeys(("add", "note", "save", "store", "write", "record", "memorize"), "remember"),
    **dict.fromkeys(("find", "query", "grep", "lookup"), "search"),
    **dict.fromkeys(("ask", "answer"), "recall"),
    **dict.fromkeys(("show", "read", "cat", "view", "open"), "get"),
    **dict.fromkeys(("delete", "remove", "rm", "erase", "archive"), "forget"),
    **dict.fromkeys(("undelete", "unforget", "recover"), "restore"),
    **dict.fromkeys(("undo", "unwrite"), "revert"),
    **dict.fromkeys(("reset", "rewind"), "rollback"),
    **dict.fromkeys(("pull", "push", "fetch"), "sync"),
    **dict.fromkeys(("history", "changes"), "log"),
    **dict.fromkeys(("adopt", "create", "new"), "init"),
    **dict.fromkeys(("fix", "repair", "health"), "doctor"),
    **dict.fromkeys(("lint", "validate"), "check"),
    **dict.fromkeys(("dream", "consolidate"), "reflect"),
    **dict.fromkeys(("info", "state"), "status"),
    **dict.fromkeys(("load", "ingest"), "import"),
    "annotate": "blame",
    "approve": "reflect approve",
    "reindex": "index",
    "serve": "mcp",
}
"""What other programs call the same, to the command here: how words are spelt does not tell."""


def _suggest_command(word: str, known: list[str]) -> str:
    from difflib import get_close_matches

    # Below this bound words are alike that mean the opposite, as `undo` and `demo`.
    near = [MEANT[word]] if word in MEANT else get_close_matches(word, known, n=1, cutoff=0.7)
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
        if ctx.obj.get("json"):
            raise errors.Usage("missing command", "`molt --help` lists them")
        click.echo(ctx.get_help(), err=True)
        return 2
    return 0
