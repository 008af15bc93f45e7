"""`molt hook`: what a program that runs an agent calls at each event."""

from __future__ import annotations

import os
import sys

from molt.cli import clock
from molt.cli.call import Call
from molt.cli.spec import Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_CHUNK = 1 << 16
"""Bytes that are asked for at once: what a pipe of Linux holds."""


def _hook(call: Call, words: Sequence[str]) -> int:
    out = said = ""
    try:
        from molt.hosts import door

        asked = door.HookCall(words[0] if words else "", call.folder, clock.now)
        reply = door.run_hook(asked, _read_event(door.LONGEST + 1))
        out, said = reply.out, reply.said
    except (OSError, MemoryError) as error:
        said = f"molt hook: {error or 'out of memory'}\n"
    _tell(sys.stdout, out)
    _tell(sys.stderr, said)
    return 0


def _read_event(most: int) -> bytes:
    """What the host says, as far as anybody wants to know it."""
    parts: list[bytes] = []
    while most > 0 and (part := sys.stdin.buffer.read(min(_CHUNK, most))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _tell(stream: TextIO, text: str) -> None:
    """Write to a stream; one that takes nothing is nothing to fail for."""
    if not text:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        # Python tries it again as it ends, and ends with another status if that fails.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


hook = Spec(
    "hook",
    _hook,
    "Answer an event of a host (claude-code, codex), which comes as JSON on standard input. "
    "It ends with 0 whatever happens, for no host is to be stopped by its memory; what went wrong "
    "stands on stderr, and `molt doctor` tells it again.",
    "words",
    many=True,
    optional=True,
    lenient=True,
)
