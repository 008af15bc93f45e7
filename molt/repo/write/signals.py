"""Signals that stop a program, kept waiting while a write must not be stopped."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    # `signal` makes enumerations of these, which takes a third of what starting Python does.
    import _signal

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
STOPS = tuple(getattr(_signal, name) for name in _NAMES if hasattr(_signal, name))


def hold() -> None:
    """Keep them waiting."""
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_BLOCK, STOPS)


def free() -> None:
    """Let them come."""
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, STOPS)
