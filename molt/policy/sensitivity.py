"""How much a file matters, and so who may change it: one table."""

from __future__ import annotations

from molt.policy import names

TYPE_CHECKING = False
if TYPE_CHECKING:
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


_OBEYED_NOWHERE_ELSE = frozenset(("user.md", "tools.md"))
"""Files of the workspace that a note of any folder may be called like."""
# A path with many short names (`A~1/B~1/…`) doubles its readings with each of them.
_MOST_READINGS = 64


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
    if name.startswith(_VAULT) or _VAULT.startswith(f"{name}/"):
        return VAULT
    if covers(config.policy_high, name) or is_obeyed_below(name, config):
        return HIGH
    return BOOKKEEPING if name.startswith(_META) else STANDARD


def is_obeyed_below(name: str, config: Config) -> bool:
    """Whether what is below memory/ has a name (folded) that agents obey in the folder that they
    read.
    """
    if not name.startswith("memory/"):
        return False
    parts = name.split("/")
    ends = ("/".join(parts[at:]) for at in range(1, len(parts)))
    return any(covers(config.policy_high, end) for end in ends if end not in _OBEYED_NOWHERE_ELSE)


def covers(patterns: tuple[str, ...], name: str) -> bool:
    """Whether a folded path is one of the patterns, in which `*` is any text: a path, `X/*` for all
    that is below a folder, `*/X` for that name in any folder. A file, link or submodule in the
    place of a folder above counts: it decides what is found there.
    """
    folded = _fold_patterns(patterns)
    if any(_matches(pattern, name) for pattern in folded):
        return True
    return "~" in name and any(
        _matches(pattern, reading) for reading in _read_short(folded, name) for pattern in folded
    )


_folded: dict[tuple[str, ...], tuple[str, ...]] = {}


def _fold_patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Patterns as names are folded; those of a configuration are folded once."""
    found = _folded.get(patterns)
    if found is None:
        if len(_folded) >= _MOST:
            _folded.clear()
        found = _folded[patterns] = tuple(map(_fold_pattern, patterns))
    return found


def _fold_pattern(pattern: str) -> str:
    """A pattern as names are folded: who writes `./X` or `X/` means what git calls `X`."""
    text = pattern.replace("\\", "/").removeprefix("./").lstrip("/")
    folded = names.fold_path(text.rstrip("/")) + "/*" * text.endswith("/")
    return folded.replace("?", "*").replace("**/", "*").replace("**", "*")


def _matches(pattern: str, name: str) -> bool:
    if "*" not in pattern:
        return name == pattern or pattern.startswith(f"{name}/")
    first, *others, last = pattern.split("*")
    if first.startswith(f"{name}/"):
        return True
    if not (name.startswith(first) and name.endswith(last)):
        return False
    at = len(first)
    for piece in others:
        at = name.find(piece, at) + len(piece)
        if at < len(piece):
            return False
    return at <= len(name) - len(last)


def _read_short(patterns: tuple[str, ...], name: str) -> list[str]:
    """What a path may be where Windows gives names of eight letters: `CLAUDE~1` for `.claude`."""
    known = dict.fromkeys(part for pattern in patterns for part in pattern.split("/"))
    found = [""]
    for part in name.split("/"):
        meant = [one for one in known if "~" in part and names.is_short_for(part, one)]
        found = [f"{one}/{other}" for one in found for other in (part, *meant)][:_MOST_READINGS]
    return [one[1:] for one in found]
