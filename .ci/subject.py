"""Whether the subject of a commit says where, what, and no more: `area: what changed`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

LONGEST = 72
FORM = re.compile(r"[a-z][a-z0-9_ -]*: \S.*[^.\s]")
OF_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")


def find_fault(subject: str) -> str:
    """What is wrong with a subject; empty for nothing."""
    if subject.startswith(OF_GIT):
        return ""
    if len(subject) > LONGEST:
        return f"{len(subject)} characters, {len(subject) - LONGEST} too many"
    if not FORM.fullmatch(subject):
        return "no `area: what changed`, such as `policy: refuse links where agents read`"
    return ""


def main(args: list[str]) -> int:
    """Judges the message in a file; gives the exit status."""
    subject = Path(args[0]).read_text("utf-8").partition("\n")[0]
    if fault := find_fault(subject):
        print(f"{subject!r}: {fault}", file=sys.stderr)
    return int(bool(fault))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
