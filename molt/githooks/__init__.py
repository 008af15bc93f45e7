"""The door for git: what each hook does. Starts nothing that a plain commit does not need."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VETO = frozenset(
    (
        *("pre-commit", "pre-merge-commit", "commit-msg", "pre-push", "pre-receive"),
        *("reference-transaction", "verify"),
    )
)
"""Hooks whose failure stops git: they fail closed. All others always exit 0."""

MERGE = "merge-driver"


def main(argv: Sequence[str]) -> int:
    """Runs one hook (`NAME ARGS...`) and returns its exit status; never raises."""
    name = argv[0] if argv else ""
    try:
        status = _run_hook(name, argv[1:])
    except Exception as error:
        _report_error(name, error)
        status = 1
    if name == MERGE:
        return status
    from molt import repo

    repo.close()
    return status if name in VETO else 0


def _run_hook(name: str, args: Sequence[str]) -> int:
    if name == MERGE:
        from molt.githooks import merge

        return merge.merge_driver(args)
    if name in ("pre-commit", "pre-merge-commit", "commit-msg", "prepare-commit-msg"):
        from molt.githooks import judge

        if name == "prepare-commit-msg":
            return judge.prepare_commit_msg(args)
        return judge.commit_msg(args) if name == "commit-msg" else judge.pre_commit()
    if name in ("post-commit", "post-merge", "post-rewrite", "post-checkout"):
        from molt.githooks import refresh

        return refresh.freshen_log(name)
    return _run_range(name, args)


def _run_range(name: str, args: Sequence[str]) -> int:
    """Runs a hook that judges what a ref is about to get."""
    if name == "pre-receive":
        from molt.githooks import server

        return server.pre_receive(_read_stdin())
    from molt.githooks import updates

    if name == "pre-push":
        return updates.pre_push(args, _read_stdin())
    if name == "reference-transaction":
        return updates.reference_transaction(args, _read_stdin())
    if name == "verify":
        return updates.verify(args)
    from molt.errors import Usage

    raise Usage(f"no such hook: {name!r}")


def _read_stdin() -> str:
    return "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()


def _report_error(name: str, error: Exception) -> None:
    """One line for the person; the traceback goes to a file in the git folder."""
    import traceback

    from molt.errors import MoltError

    place = ""
    if not isinstance(error, MoltError):
        folder = os.path.join(os.environ.get("GIT_DIR", ".git"), "molt")
        path = os.path.join(folder, f"failed-{name or 'hook'}.txt")
        try:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                traceback.print_exception(error, file=file)
            place = f" (report: {path})"
        except OSError:
            pass
    lines = str(error).strip().splitlines() or [type(error).__name__]
    hint = getattr(error, "hint", "")
    text = f"{lines[0]}; {hint}" if hint else lines[0]
    sys.stderr.write(f"molt: {name}: {type(error).__name__}: {text}{place}\n")
