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


def _check_settings(judged: Judged) -> Iterator[Fault]:
    """What a commit writes into the configuration, and nobody will heed."""
    if any(change.path == config.PATH for change in judged.changes):
        settings, complaints = config.load(judged.new)
        bound = [{name for name, _ in one.actors_keys} for one in (judged.config, settings)]
        # By a slip nobody is set free to be claimed: who claims a person binds what it likes.
        unbinds = not bound[0] <= bound[1]
        for said in complaints:
            what = said.removeprefix(f"{config.PATH}: ")
            hint = "mend it; `molt doctor` says what is left"
            yield Fault(config.PATH, 0, what, hint, soft=not unbinds)


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
    Rule(
        "CONF002",
        "settings in force",
        "error",
        _check_settings,
        "That what the configuration says is what holds.",
        Example({config.PATH: "core: {cap: 3000}\n"}, {config.PATH: "core: {cap: 2000}\n"}),
        Example(
            {config.PATH: "actors: {'bot:main': []}\n"},
            {config.PATH: "actors: {'bot:main': []}\nactors: {}\n"},
        ),
    ),
)
