"""How much a file matters, and so who may change it: one table."""

from __future__ import annotations

from molt.policy import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.config import Config

CRITICAL, HIGH, VAULT, BOOKKEEPING, STANDARD = (
    *("critical", "high", "vault"),
    *("bookkeeping", "standard"),
)
WHO = {
    CRITICAL: "a person, or a reflection that a person merged (never configuration)",
    HIGH: "a person, or a bot whose branch a person merged",
    VAULT: "a person; a bot adds what the user asked for",
    BOOKKEEPING: "molt's own commands, in the commit that they belong to",
    STANDARD: "people and bots, within the other rules",
}
CONFIGURATION = ("molt.yaml", "openclaw.json", "moltbot.json")
"""What no reflection changes, approved or not."""
_VAULT = "memory/vault/"
_META = "memory/meta/"


def classify(path: str, config: Config) -> str:
    """The class of a path: `critical`, `high`, `vault`, `bookkeeping` or `standard`.

    Names count as the least exact file system has them: some do not tell `Claude.md` from
    `CLAUDE.md`, or `.gitattributes.` from the name without the dot.
    """
    name = names.fold_path(path)
    if covers(config.policy_critical, name):
        return CRITICAL
    if name.startswith(_VAULT):
        return VAULT
    if covers(config.policy_high, name):
        return HIGH
    return BOOKKEEPING if name.startswith(_META) else STANDARD


def covers(patterns: Iterable[str], name: str) -> bool:
    """Whether a folded path is one of the patterns: a path, `X/*` for all that is below a folder,
    `*/X` for that name in any folder. A file, link or submodule in the place of a folder above
    counts: it decides what is found there.
    """
    return any(_matches(pattern.lower(), name) for pattern in patterns)


def _matches(pattern: str, name: str) -> bool:
    if pattern.startswith(f"{name}/"):
        return True
    if pattern.endswith("/*"):
        return name.startswith(pattern[:-1])
    return name.endswith(pattern[1:]) if pattern.startswith("*/") else name == pattern
