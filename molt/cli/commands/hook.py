"""`molt hook`: what a program that runs an agent calls at each event."""

from __future__ import annotations

import sys

from molt.cli import clock
from molt.cli.call import Call
from molt.cli.spec import Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _hook(call: Call, words: Sequence[str]) -> int:
    from molt.hosts import door

    asked = door.HookCall(words[0] if words else "", call.folder, clock.now)
    try:
        data = sys.stdin.buffer.read(door.LONGEST + 1)
    except OSError as error:
        sys.stderr.write(f"molt hook: {error}\n")
        return 0
    reply = door.run_hook(asked, data)
    sys.stdout.write(reply.out)
    sys.stderr.write(reply.said)
    return 0


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
