"""critical.sha256: one checksum a line, as `sha256sum -c` reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse_checksums(text: str) -> dict[str, str]:
    """Path to SHA-256 as `sha256sum` writes them; lines that are none are left out."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        digest, _, path = line.rstrip("\r").partition(" ")
        name = path[1:] if path[:1] in (" ", "*") else path
        if len(digest) == 64 and name and not digest.strip("0123456789abcdefABCDEF"):
            found[name] = digest.lower()
    return found


def render_checksums(checksums: Mapping[str, str]) -> str:
    """The text that `sha256sum -c` reads, sorted by path."""
    return "".join(f"{checksums[path]}  {path}\n" for path in sorted(checksums))
