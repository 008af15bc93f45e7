"""What a write tells who runs the program while it lasts, and what has come of the writes so far.

One program answers one call at a time, as a command does: a door that calls `listen` hears of it,
until it calls `close`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_listeners: list[Callable[[str], None]] = []
_written: list[str] = []
_unfinished: list[str] = []


def listen(tell: Callable[[str], None]) -> None:
    """Have `tell` hear what a write waits for, in place of whoever did."""
    _listeners[:] = [tell]


def close() -> None:
    """Tell nobody any more, and forget what was written: the call has ended."""
    _listeners.clear()
    _written.clear()
    _unfinished.clear()


def tell_waiting(text: str) -> None:
    """Say what a write waits for."""
    for tell in _listeners:
        tell(text)


def note_written(subject: str) -> None:
    """Note that a commit is on its branch."""
    if _listeners:
        _written.append(subject)


def list_written() -> tuple[str, ...]:
    """The subjects of the commits that this call has put on a branch, in order."""
    return tuple(_written)


def note_unfinished(text: str) -> None:
    """Note what is left to be done of a commit that is on its branch."""
    if _listeners:
        _unfinished.append(text)


def list_unfinished() -> tuple[str, ...]:
    """What is left to be done of the commits of this call, in order: no such call succeeds."""
    return tuple(_unfinished)
