"""`molt log`."""

from __future__ import annotations

from molt.cli import output, spec
from molt.cli.call import Call
from molt.cli.spec import NUMBER, Option, Spec
from molt.memory import audit_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def _log(call: Call, /, limit: int, **want: str) -> int:
    spec.check_date(want["since"])
    ws = call.workspace()
    ws.freshen()
    left = limit
    for line in audit_lines.make_newest(ws.repo, ws.repo.log_newest("HEAD", "--")):
        if not _is_wanted(line, want):
            continue
        if call.json:
            output.print_json(line.asdict())
        else:
            output.echo(line.text)
        left -= 1
        if not left:
            break
    return 0


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
        Option(("--since",), "since", "Only from this date on."),
        Option(("--grep",), "grep", "Only lines with this text."),
    ),
)
