"""The door for people, hosts and CI: one table of commands, one place for errors."""

from __future__ import annotations

import gc
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = {
    "init": ("admin", "Make or adopt a workspace."),
    "status": ("state", "What is here, and what waits."),
    "verify": ("check", "Judge commits by the policy."),
    "check": ("check", "Judge what is on disk, before a commit."),
    "rule": ("check", "Explain one rule, or list them all."),
    "hooks": ("admin", "Install, remove or inspect the git hooks."),
    "doctor": ("check", "Find and mend what is wrong."),
    "index": ("index", "Bring the search index up."),
    "audit": ("admin", "The audit log."),
    "eval": ("evaluate", "Measure the search on a set of questions."),
    "demo": ("demo", "A guided run on a throw-away workspace."),
    "remember": ("remembering", "Write one memory."),
    "propose": ("proposing", "Propose a memory as a sub-agent."),
    "ack": ("state", "Acknowledge a change of a critical file."),
    "import": ("write", "Bring in records of another tool."),
    "search": ("searching", "Find memories."),
    "recall": ("searching", "Answer a question from memory."),
    "get": ("searching", "Read one memory."),
    "touch": ("searching", "Say that memories were used."),
    "graph": ("graphs", "The knowledge graph."),
    "log": ("read", "Who changed what, and when."),
    "why": ("read", "The story of one memory."),
    "context": ("read", "What to load at the start of a session."),
    "alerts": ("state", "Changes of critical files that await acknowledgement."),
    "completion": ("completion", "What a shell reads to complete commands and memory ids."),
    "hook-run": ("admin", ""),
}

PLAIN = ("remember", "search", "recall", "get", "touch", "propose")
"""Commands that are declared as data and run without click where the call is plain."""

_SELDOM = 100_000
_FORCED = ("FORCE_COLOR", "CLICOLOR_FORCE")


class Settings(dict[str, "Any"]):
    """The global options that were given, and `start`: where to look for the workspace."""

    def __missing__(self, key: str) -> Any:
        if key != "start":
            raise KeyError(key)
        try:
            return self.get("workspace") or os.environ.get("MOLT_WORKSPACE") or os.getcwd()
        except FileNotFoundError:
            from molt import errors

            raise errors.NotFound("the current folder is gone", "`cd` into one") from None


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit status. Errors become one message here and nowhere else."""
    args = list(sys.argv[1:] if argv is None else argv)
    given = args[: args.index("--")] if "--" in args else args
    obj = Settings(actor="", workspace="", json=False, quiet=False, debug=False)
    color = _color(given)
    _open_stdout()
    try:
        status = _plain(args, obj)
        if status is None:
            from molt.cli.group import cli

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


def _open_stdout() -> None:
    """Have an output that takes any text: no name of a file and no terminal is worth failing."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 it ends with us
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _plain(args: list[str], obj: Settings) -> int | None:
    """Run a plain call of a declared command; None where click must look."""
    from molt.cli import spec

    name = spec.command(args)
    if name not in PLAIN or "_MOLT_COMPLETE" in os.environ:
        return None
    # importlib, which says the same, takes longer to import than it helps.
    declared: spec.Spec = getattr(
        __import__(f"molt.cli.{COMMANDS[name][0]}", fromlist=[name]), name
    )
    read = spec.parse(declared, args)
    if read is None:
        return None
    params, given = read
    obj.update(given)
    usual = gc.get_threshold()
    # Nothing that a short call makes is garbage before its end; looking for it took a tenth of it.
    gc.set_threshold(_SELDOM)
    try:
        return declared.run(obj, **params)
    finally:
        gc.set_threshold(*usual)


def _color(given: list[str]) -> bool | None:
    """Whether to colour; None leaves it to whether the output is a terminal."""
    if "--no-color" in given or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if any(os.environ.get(name) for name in _FORCED) else None
