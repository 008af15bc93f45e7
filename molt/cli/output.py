"""What commands print: text for people, JSON for programs."""

from __future__ import annotations

import sys

from molt.formats.lines import escape_text, render_hint
from molt.repo.write import news

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from molt.cli.call import Call
    from molt.errors import MoltError
    from molt.memory.critical.alerts import Alert
    from molt.policy import Finding


def echo(text: str, *, end: str = "\n") -> None:
    """A text on stdout as it is."""
    sys.stdout.write(text + end)


def style(text: str, **how: Any) -> str:
    """A text in colour, as `click.style` has it; as it is where click was not needed: whatever has
    colour on a terminal has imported it.
    """
    if "click" not in sys.modules:
        return text
    import click

    return click.style(text, **how)


def print_json(value: Any) -> None:
    """One JSON document on stdout, on one line."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        # A name with bytes that are no UTF-8, or a terminal of another time: JSON has escapes.
        text = json.dumps(value)
    echo(text)


def note(call: Call, text: str) -> None:
    """What is good to know beside the result, on stderr; `--quiet` leaves it out."""
    if call.quiet:
        return
    _echo_error(f"molt: {text}")


def _echo_error(text: str, color: bool | None = None) -> None:
    """A text on stderr, where colour is for terminals, unless said otherwise."""
    if "\033" not in text:
        sys.stderr.write(f"{text}\n")
        return
    import click

    click.echo(text, err=True, color=color)


def note_warnings(call: Call, warnings: Iterable[str]) -> None:
    """What does not hold as it is written, a line each, such as settings that are not in force.
    What is left to be done is an error, which is printed when the call ends.
    """
    left = news.list_unfinished()
    for one in dict.fromkeys(warnings):
        if one not in left:
            note(call, f"warning: {one}")


class WaitingLine:
    """What is being done, on a line of the terminal that is gone when it is done; nothing where
    nobody looks on.
    """

    def __init__(self, call: Call, text: str) -> None:
        self._text = "" if call.quiet or call.json or not sys.stderr.isatty() else text

    def __enter__(self) -> WaitingLine:
        if self._text:
            sys.stderr.write(f"{self._text} …")
            sys.stderr.flush()
        return self

    def __exit__(self, *_: object) -> None:
        self.clear_line()

    def clear_line(self) -> None:
        """Take it away early, for what is said before the work is done."""
        if self._text:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._text = ""


def print_failure(error: MoltError, *, as_json: bool, color: bool | None = None) -> None:
    """What was wrong, where, and what to do next."""
    findings = getattr(error, "findings", ())
    if as_json:
        inner = {"kind": error.kind, "message": error.message, "hint": error.hint}
        print_json({"error": {**inner, "findings": [one.asdict() for one in findings]}})
        return
    if sys.stderr.isatty() if color is None else color:
        import click  # noqa: F401 what styles a text asks for it
    rows = [f"molt: {error.message}", *([f"  {error.hint}"] if error.hint else [])]
    for row in (*rows, *map(render_finding, findings)):
        _echo_error(row, color)


def can_ask(call: Call) -> bool:
    """Whether somebody at a terminal can be asked; who wants JSON is a program."""
    return not call.json and sys.stdin.isatty() and sys.stdout.isatty()


def print_question(message: str, hint: str, told: dict[str, object]) -> int:
    """Say as JSON what is asked, with what is `told` of it, where nobody can be; gives the exit
    status of that.
    """
    error = {"kind": "needs-answer", "message": message, "hint": hint, "findings": []}
    print_json({"error": error, **told})
    return 3


def render_finding(one: Finding, commits: str = "") -> str:
    """A finding for people: of which commits, where, which rule, what, and how to mend it."""
    where = escape_text(one.place)
    severity = style(one.severity, fg="red" if one.severity == "error" else "yellow")
    head = " ".join(part for part in (commits, severity, one.code, where) if part)
    hint = f"\n{render_hint(one.hint)}" if one.hint else ""
    return f"  {head}: {escape_text(one.message)}{hint}"


def render_count(number: int, noun: str, plural: str = "") -> str:
    """A number of things, in words that fit it; `plural` where the noun takes more than an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def print_annotations(found: Iterable[tuple[str, Finding]]) -> None:
    """Findings as annotations of GitHub; a name cannot end its field or begin a command."""
    for commit, one in found:
        text = _encoded(f"{one.message} ({commit[:10]}). {one.hint}", "%\r\n")
        place = f"file={_encoded(one.path)},line={max(one.line, 1)}," if one.path else ""
        echo(f"::{one.severity} {place}title={one.code}::{text}")


def _encoded(text: str, special: str = "%\r\n:,") -> str:
    """A text with some characters as their code, as workflow commands of GitHub write them."""
    return "".join(f"%{ord(char):02X}" if char in special else char for char in text)


def alert_line(alert: Alert) -> str:
    return escape_text(f"{alert.file} {alert.summary}")
