"""What stands in a conversation in a person's name, and was put there by a host."""

from __future__ import annotations

# What Claude Code and OpenClaw put into a conversation in the user's name.
_NOT_SAID = (
    *("<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-caveat>"),
    *("<system-reminder>", "[cron:", "[Request interrupted", "Read HEARTBEAT.md", "HEARTBEAT"),
)


def is_notice(text: str) -> bool:
    """Whether a message begins as what Claude Code or OpenClaw says of a command, a schedule or an
    interruption.
    """
    return text.startswith(_NOT_SAID)


def is_said(text: str) -> bool:
    """Whether a message in a person's name is what the person typed: neither such a notice nor
    anything else that begins with a tag, as what hosts and tools wrap does.
    """
    said = text.lstrip()
    tag = said[:1] == "<" and said[1:2].isalpha() and ">" in said
    return bool(said) and not tag and not is_notice(said)
