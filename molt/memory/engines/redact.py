"""A text without its secrets, for what leaves the machine."""

from __future__ import annotations

from molt.policy import secrets

_BLOCK = "-----END"


def redact_text(text: str) -> tuple[str, int]:
    """A text with a word in place of each secret, and how many there were."""
    likely = secrets.suspects(text)
    if not likely:
        return text, 0
    count = 0
    within = False
    kept: list[str] = []
    for line in text.split("\n"):
        if within:
            within = _BLOCK not in line
            continue
        for start, end, kind in reversed(secrets.find(line, likely)):
            count += 1
            line = f"{line[:start]}[{kind} left out]{line[end:]}"
            within |= "PRIVATE KEY" in kind.upper() and _BLOCK not in line
        kept.append(line)
    return "\n".join(kept), count
