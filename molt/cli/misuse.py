"""What click finds wrong with a call, as an error of ours."""

from __future__ import annotations

import click
from click.exceptions import NoArgsIsHelpError

from molt import errors

_NUMBERS = {
    "integer range": "whole number",
    "integer": "whole number",
    "float range": "number",
    "float": "number",
}
"""What click calls its types, to what people call them; the longer name first."""

_LOOKING = ("list", "ls", "get", "view", "cat", "print")
"""What other programs call the command that shows something."""


def translate_misuse(error: BaseException) -> BaseException:
    """What click says as an error of ours, and its break as Python's; any other as it is."""
    if isinstance(error, click.Abort):
        return KeyboardInterrupt()
    if isinstance(error, NoArgsIsHelpError):
        group = error.ctx.command if error.ctx else None
        names = ", ".join(group.list_commands(error.ctx)) if isinstance(group, click.Group) else ""
        return errors.Usage(f"missing command. Choose from: {names}", _help_hint(error.ctx))
    if isinstance(error, click.MissingParameter) and error.param:
        said = _clean_sentence(error.format_message())
        call = f"`{_name_call(error.ctx, error.param)}`; " if error.ctx else ""
        return errors.Usage(said, call + _help_hint(error.ctx))
    if isinstance(error, click.UsageError):
        said = _clean_sentence(error.format_message())
        more = _explain_extra(error.ctx) if "unexpected extra argument" in said else ""
        if said.startswith("no such command") and error.ctx:
            more = _suggest_inner(error.ctx, said.partition("'")[2].removesuffix("'"))
        if isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--"):
            more = "what begins with `-` and is no option comes behind `--`; "
        return errors.Usage(said, more + _help_hint(error.ctx))
    if isinstance(error, click.ClickException):
        return errors.Failed(_clean_sentence(error.format_message()))
    return error


def _clean_sentence(text: str) -> str:
    """click's words in the manner of ours: no capital, no full stop."""
    text = " ".join(text.split()).removesuffix(".")
    for kind, meant in _NUMBERS.items():
        text = text.replace(f"is not a valid {kind}", f"is no {meant}")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _help_hint(ctx: click.Context | None) -> str:
    return f"`{ctx.command_path} --help`" if ctx else "`molt --help`"


def _explain_extra(ctx: click.Context | None) -> str:
    """What helps where words were too many: the option for one, where a command takes options
    alone.
    """
    if ctx is None or any(isinstance(one, click.Argument) for one in ctx.command.params):
        return "quotes make one of several words; "
    told = {name for one in ctx.command.params for name in one.opts}
    return f"a file: `{ctx.command_path} --file FILE`; " * ("--file" in told)


def _suggest_inner(ctx: click.Context, word: str) -> str:
    """What helps where a group has no such command: the one that is meant, or all that it has."""
    names = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    if word in _LOOKING and "show" in names:
        return f"did you mean `{ctx.command_path} show`? "
    return f"it has {', '.join(names)}; " if names else ""


def _name_call(ctx: click.Context, missing: click.Parameter) -> str:
    """A command with its arguments and the option that is missing, as its help writes them."""
    words = [one.make_metavar(ctx) for one in ctx.command.params if isinstance(one, click.Argument)]
    if isinstance(missing, click.Option):
        words += [missing.opts[0], missing.make_metavar(ctx)]
    return " ".join((ctx.command_path, *words))
