"""The door for people, hosts and CI: one place where commands start and errors end."""

from __future__ import annotations

import gc
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_USUAL = gc.get_threshold()
_SELDOM = 100_000  # allocations; Python's own bound is 700
_FORCED = ("FORCE_COLOR", "CLICOLOR_FORCE")


def run() -> NoReturn:
    """Run the command of this process, and end the process with its status.

    What a command opened is closed by then, and taking the interpreter down would cost as much as
    starting it.
    """
    if sys.platform == "win32":
        sys.exit("molt: Windows lacks what molt needs of a system; run it in WSL: wsl --install")
    # Nothing that a short call makes is garbage before its end; looking for it took a tenth of it.
    gc.set_threshold(_SELDOM)
    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
    os._exit(status)


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit status. Errors become one message here and nowhere else."""
    args = list(sys.argv[1:] if argv is None else argv)
    given = args[: args.index("--")] if "--" in args else args
    options: dict[str, Any] = {}
    color = _choose_color(given)
    _open_streams()
    try:
        status = _run_plain(args, options, color)
        if status is None:
            from molt.cli.app import cli

            gc.set_threshold(*_USUAL)
            status = cli.main(
                args, prog_name="molt", standalone_mode=False, obj=options, color=color
            )
        sys.stdout.flush()
        return _tell_unfinished() or (status if isinstance(status, int) else 0)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except (Exception, KeyboardInterrupt) as error:
        from molt.cli import failures
        from molt.cli.call import make_call

        call = make_call({**options, "json": options.get("json") or "--json" in given})
        debug = call.debug or "--debug" in given
        if debug and failures.is_defect(error):
            raise
        return failures.tell(error, call, as_json=call.json, color=color)
    finally:
        from molt import repo
        from molt.repo.write import news

        news.close()
        repo.close()


def _tell_unfinished() -> int:
    """Say what is left to be done of what this call has committed; gives 1 then."""
    from molt.repo.write import news

    left = news.list_unfinished()
    sys.stderr.writelines(f"molt: error: {one}\n" for one in dict.fromkeys(left))
    return int(bool(left))


def _open_streams() -> None:
    """Have all three streams, and an output that takes any text: no name of a file and no terminal
    is worth failing. In the place of one that is closed the next file that we open would stand.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 it ends with us
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _run_plain(args: list[str], options: dict[str, Any], color: bool | None) -> int | None:
    """Run a plain call of a declared command; None where click must look."""
    from molt.cli import commands, spec
    from molt.cli.call import make_call

    name = spec.find_command(args)
    if name not in commands.PLAIN or "_MOLT_COMPLETE" in os.environ:
        return None
    # importlib, which says the same, takes longer to import than it helps.
    module = __import__(commands.module_name(name), fromlist=[name])
    declared: spec.Spec | spec.SpecGroup | None = getattr(module, name)
    if isinstance(declared, spec.SpecGroup):
        declared, args = spec.choose_spec(declared, args)
    if declared is None:
        return None
    colored = declared.colored and (sys.stdout.isatty() if color is None else color)
    read = None if colored else spec.parse(declared, args)
    if read is None:
        return None
    params, given = read
    options.update(given)
    return declared.run(make_call(options), **params)


def _choose_color(given: list[str]) -> bool | None:
    """Whether to colour; None leaves it to whether the output is a terminal."""
    if "--no-color" in given or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if any(os.environ.get(name) for name in _FORCED) else None
