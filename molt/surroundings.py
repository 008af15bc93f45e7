"""Who acts without an explicit actor: what the environment of a process shows.

A program that runs agents marks the commands that they run; a terminal is a person's. What has
neither, a cron job or a step of CI, has the least privilege.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PERSON, BOT = "manual", "bot:main"
NOBODY = DECIDER = BOT
"""Whom molt's own commands take for the actor where nothing tells, and who decides then what only a
person may: absence is the least privilege.
"""

MARKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "CLAUDECODE": ("Claude Code", ()),
    "CODEX_CI": ("Codex", ()),
    "CODEX_SANDBOX": ("Codex", ()),
    "CODEX_SANDBOX_NETWORK_DISABLED": ("Codex", ()),
    "CODEX_THREAD_ID": ("Codex", ()),
    # Its terminal marks what a person types there, too, by another value.
    "OPENCLAW_SHELL": ("OpenClaw", ("exec", "acp")),
    "GEMINI_CLI": ("Gemini CLI", ()),
    "CURSOR_AGENT": ("Cursor", ()),
    "CURSOR_EXTENSION_HOST_ROLE": ("Cursor", ("agent-exec",)),
    "OPENCODE": ("opencode", ()),
    "GOOSE_TERMINAL": ("goose", ()),
    "ANTIGRAVITY_AGENT": ("Antigravity", ()),
    "AUGMENT_AGENT": ("Augment", ()),
    "PI_CODING_AGENT": ("pi", ()),
    "AGENT": ("a program that runs agents", ("1", "amp", "goose")),
    "AI_AGENT": ("a program that runs agents", ()),
}
"""The variables by which programs mark what their agents run, with the program and the values that
do so; none for any. A variable that a person's own terminal has as well is no mark: such are
Cursor's `CURSOR_TRACE_ID` and Codex's `CODEX_HOME`.
"""


def find_host() -> str:
    """The program whose agent runs this process; empty without a mark."""
    for name, (program, values) in MARKS.items():
        if (found := os.environ.get(name)) and (not values or found in values):
            return program
    return ""


def has_terminal() -> bool:
    """Whether a person's terminal is at either end of this process."""
    for stream in (sys.stdin, sys.stdout):
        try:
            if stream is not None and stream.isatty():
                return True
        except ValueError:  # it is closed
            continue
    return False


def find_actor(named: str, configure: Callable[[], str | None]) -> str:
    """Who acts: as the call (`named`), the environment or git's configuration says, which is asked
    last; else whom the surroundings tell of, empty for nobody.
    """
    said = named or os.environ.get("MOLT_ACTOR") or configure()
    if said or find_host():
        return said or BOT
    return PERSON if has_terminal() else ""


def is_own_deed(named: str) -> bool:
    """Whether a person does this at a terminal: whatever the call says, no agent runs it."""
    said = named or os.environ.get("MOLT_ACTOR") or PERSON
    return said == PERSON and not find_host() and has_terminal()
