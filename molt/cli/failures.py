"""What went wrong, as one message and an exit status."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click
from click.exceptions import NoArgsIsHelpError

from molt import __version__, errors
from molt.cli import output
from molt.repo.write import news

if TYPE_CHECKING:
    from molt.cli.call import Call

INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it
_NUMBERS = {
    "integer range": "whole number",
    "integer": "whole number",
    "float range": "number",
    "float": "number",
}
"""What click calls its types, to what people call them; the longer name first."""

_LOOKING = ("list", "ls", "get", "view", "cat", "print")
"""What other programs call the command that shows something."""


def is_defect(error: BaseException) -> bool:
    """Whether nobody foresaw it, so that it is molt's own mistake."""
    foreseen = (errors.MoltError, click.ClickException, click.Abort, KeyboardInterrupt, OSError)
    return not isinstance(error, foreseen)


def tell(error: BaseException, call: Call, *, as_json: bool, color: bool | None = None) -> int:
    """Say what was wrong, where, and what to do next; gives the exit status."""
    known = _translate_error(error)
    if known is None:
        place = write_report(error, call.start)
        said = " ".join(f"{type(error).__name__}: {error}".split())
        hint = f"{place} tells more; please report it" if place else "--debug tells more"
        known = errors.MoltError(f"this is a defect of molt: {said}", hint)
        known.kind = "defect"
    try:
        output.print_failure(known, as_json=as_json, color=color)
        sys.stdout.flush()
    except OSError:
        # What stdout would not take is not tried again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        output.print_failure(known, as_json=False, color=color)
    return known.status


def _translate_error(error: BaseException) -> errors.MoltError | None:
    if isinstance(error, errors.MoltError):
        return error
    if isinstance(error, NoArgsIsHelpError):
        group = error.ctx.command if error.ctx else None
        names = ", ".join(group.list_commands(error.ctx)) if isinstance(group, click.Group) else ""
        return errors.Usage(f"missing command. Choose from: {names}", _help_hint(error.ctx))
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument):
        said = _clean_sentence(error.format_message())
        call = f"`{_name_call(error.ctx)}`; " if error.ctx else ""
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
    if isinstance(error, click.Abort | KeyboardInterrupt):
        stopped = errors.MoltError(f"interrupted; {_tell_written()}")
        stopped.status, stopped.kind = INTERRUPTED, "interrupted"
        return stopped
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return errors.Failed(f"{where}{error.strerror or error}")
    return None


def _tell_written() -> str:
    """What an interrupted call has done all the same."""
    written = news.list_written()
    if not written:
        return "nothing is half-done"
    if len(written) == 1:
        return f"what it wrote stays: {written[0]}"
    return f"its {len(written):,} commits stay, of which the last is {written[-1]}"


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


def _name_call(ctx: click.Context) -> str:
    """A command with its arguments, as its help writes them."""
    words = (one.make_metavar(ctx) for one in ctx.command.params if isinstance(one, click.Argument))
    return " ".join((ctx.command_path, *words))


def write_report(error: BaseException, start: str) -> str:
    """Write the traceback into the workspace's git folder; gives the file, or an empty text.

    Arguments are left out: they may be what somebody wanted kept apart.
    """
    import traceback

    from molt.repo import find

    try:
        folder = find.find_repo(start).molt_dir
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "failed-molt.txt")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"molt {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n\n")
            file.write("".join(traceback.format_exception(error)))
    except (OSError, errors.MoltError):
        return ""
    return path
