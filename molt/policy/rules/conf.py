"""CONF: the configuration is one that this molt understands."""

from __future__ import annotations

from molt import config
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _check_format(judged: Judged) -> Iterator[Fault]:
    settings = judged.config
    # Parsing YAML takes longer than all other rules, and the file hardly ever changes.
    if any(change.path == config.PATH for change in judged.changes):
        settings = config.load(judged.new)[0]
    if newer := config.describe_newer_format(settings):
        yield Fault(config.PATH, 0, *newer)


RULES = (
    Rule(
        "CONF001",
        "known format",
        "error",
        _check_format,
        "Files of a newer format, which an older molt would take for something else.",
        Example({config.PATH: "workspace: {format: 1}\n"}, {"memory/2026-02-02.md": "One.\n"}),
        Example({}, {config.PATH: "workspace: {format: 1000}\n"}),
    ),
)
