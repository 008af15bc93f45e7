"""`contextlib.contextmanager`, whose module takes a sixth of a start of Python to import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import contextmanager
    from types import TracebackType
    from typing import Any

    managed = contextmanager
else:

    def managed(make):
        """A function whose generator, which yields once, is what a `with` statement enters."""

        def enter(*args, **named):
            return _Steps(make(*args, **named))

        enter.__doc__ = make.__doc__
        return enter


class _Steps:
    """A generator that is entered; what is raised inside of the statement, it raises where it
    yields.
    """

    def __init__(self, steps: Any) -> None:
        self._steps = steps

    def __enter__(self) -> object:
        return next(self._steps)

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if error is None:
            for _ in self._steps:
                raise RuntimeError("it yields more than once")
            return False
        try:
            self._steps.throw(error)
        except StopIteration:
            # It went on as if nothing had been raised.
            return True
        except BaseException as raised:
            # A generator makes a RuntimeError of a StopIteration that it lets through (PEP 479).
            wrapped = isinstance(error, StopIteration) and raised.__cause__ is error
            if raised is not error and not wrapped:
                raise
            return False
        raise RuntimeError("it yields more than once")
