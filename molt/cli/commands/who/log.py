"""`molt log`."""

from __future__ import annotations

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call
from molt.cli.spec import NUMBER, Option, Spec
from molt.memory import days
from molt.memory.provenance import audit_lines

_SHOWN = 12  # rows that are named; the others are counted


def _log(call: Call, /, limit: int, **want: str) -> int:
    ws = call.workspace()
    zone = ws.config.workspace_timezone
    want["since"] = days.find_days(want["since"], zone, clock.seconds())[0]
    ws.freshen()
    left = limit
    actors: set[str] = set()
    for line in audit_lines.make_newest(ws.repo, ws.repo.log_newest("HEAD", "--")):
        if not _is_wanted(line, want):
            actors.add(line.actor)
            continue
        if call.json:
            output.print_json(line.asdict())
        else:
            output.echo(line.text)
        left -= 1
        if not left:
            break
    if left == limit:
        output.note(call, _explain_nothing(want, actors))
    return 0


def _explain_nothing(want: dict[str, str], actors: set[str]) -> str:
    """Why no line is shown, and what could be asked instead. Raises Usage for an action that is
    none.
    """
    from molt.formats import message

    action, who = want["action"].upper(), want["who"]
    known = ("", *message.ACTIONS, *audit_lines.OTHER_ACTIONS)
    if action not in known:
        raise errors.Usage(f"no such action {action}", f"one of {', '.join(known[1:])}")
    if who and not any(message.is_by(one, who) for one in actors):
        return f"nothing by {who!r}; by {', '.join(sorted(actors)[:_SHOWN]) or 'nobody'}"
    return "no line of the log is like that"


def _is_wanted(line: audit_lines.Line, want: dict[str, str]) -> bool:
    if want["file"]:
        from fnmatch import fnmatchcase

        if not fnmatchcase(line.file, want["file"]):
            return False
    if want["who"]:
        from molt.formats import message

        if not message.is_by(line.actor, want["who"]):
            return False
    return (
        (not want["action"] or line.action == want["action"].upper())
        and line.time >= want["since"]
        and want["grep"].lower() in line.text.lower()
    )


log = Spec(
    "log",
    _log,
    "Who changed what, and when; newest first.",
    options=(
        Option(("-n", "--limit"), "limit", "How many lines.", NUMBER, low=1, default=20),
        Option(("--file",), "file", "Only this file or glob."),
        Option(("--actor",), "who", "Only this actor, type or glob."),
        Option(("--action",), "action", "Only this action."),
        Option(("--since",), "since", "Only from this day on: 2026-02-02, yesterday."),
        Option(("--grep",), "grep", "Only lines with this text."),
    ),
)
