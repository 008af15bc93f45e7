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

# Several rules ask of each change, and a history changes few files again and again.
_MOST = 4096
_known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}


def classify(path: str, config: Config) -> str:
    """The class of a path: `critical`, `high`, `vault`, `bookkeeping` or `standard`.

    Names count as the least exact file system has them: some do not tell `Claude.md` from
    `CLAUDE.md`, or `.gitattributes.` from the name without the dot.
    """
    key = (path, config.policy_critical, config.policy_high)
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = _classify_name(names.fold_path(path), config)
    return found


def _classify_name(name: str, config: Config) -> str:
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
