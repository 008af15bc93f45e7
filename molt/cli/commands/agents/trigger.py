"""`molt trigger`."""

from __future__ import annotations

import sys

from molt import errors
from molt.cli import output
from molt.cli.call import Call
from molt.cli.spec import FLAG, Option, Spec, text_of
from molt.formats.lines import escape_text
from molt.memory import triggers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.triggers.phrases import Phrases

_LONGEST_LINE = 1 << 22
"""Bytes of a message: four times what may be remembered of one."""


def _trigger(call: Call, text: str, stdin_lines: bool) -> int:
    known = _load_phrases(call)
    if stdin_lines:
        if text:
            raise errors.Usage("--stdin-lines takes no TEXT", "give one or the other")
        for line in _read_lines():
            output.print_json(triggers.detect_intent(line, known).asdict())
            sys.stdout.flush()
        return 0
    if not text:
        raise errors.Usage("no TEXT", 'molt trigger "remember that we chose PKCE"')
    found = triggers.detect_intent(text_of(text), known)
    if call.json:
        output.print_json(found.asdict())
    else:
        output.echo(escape_text(f"{found.intent}  {' '.join(found.payload.split())}".rstrip()))
    return 0


def _load_phrases(call: Call) -> Phrases:
    """The phrases of the workspace, if there is one, and those of molt."""
    try:
        ws = call.workspace()
    except errors.NotFound:
        return triggers.load_shipped()
    known, warnings = triggers.load_phrases(ws.head(), ws.config.triggers_files)
    output.note_warnings(call, warnings)
    return known


def _read_lines() -> Iterator[str]:
    """Each line of standard input as soon as it is there, cut where it is too long to be one."""
    while line := sys.stdin.buffer.readline(_LONGEST_LINE):
        rest = line
        while len(rest) == _LONGEST_LINE and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(_LONGEST_LINE)
        yield line.decode("utf-8", "replace").rstrip("\r\n")


trigger = Spec(
    "trigger",
    _trigger,
    "Say what a message asks of the memory: remember, forget, reflect, recall or none, with the "
    "phrase, where it stands (in characters), and what it is said of. `-` reads it from standard "
    "input.",
    "text",
    optional=True,
    options=(
        Option(
            ("--stdin-lines",),
            "stdin_lines",
            "One JSON object for each line of standard input, in order, as the lines come.",
            FLAG,
        ),
    ),
)
