"""The errors that molt raises on purpose, each with its exit status."""

from __future__ import annotations


class MoltError(Exception):
    """What was wrong and where (the message), and what to do next (`hint`)."""

    status = 1
    kind = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Failed(MoltError):
    """The request could not be carried out; nothing was changed."""

    kind = "failed"


class Refused(MoltError):
    """The policy refused a commit; `findings` says which rules and where."""

    kind = "refused"

    def __init__(self, message: str, hint: str = "", findings: tuple[object, ...] = ()) -> None:
        super().__init__(message, hint)
        self.findings = findings


class Usage(MoltError):
    """The command was called with arguments that make no sense."""

    status = 2
    kind = "usage"


class NeedsAnswer(MoltError):
    """A person must answer first; nothing was changed."""

    status = 3
    kind = "needs-answer"


class NotFound(MoltError):
    """No such workspace, memory, revision or file."""

    status = 4
    kind = "not-found"


class Busy(MoltError):
    """Another process holds the workspace, or moved it on every try."""

    status = 5
    kind = "busy"


class Unavailable(Failed):
    """A service gave no usable answer; `code` is its HTTP status, 0 where there was none."""

    kind = "unavailable"

    def __init__(self, message: str, hint: str = "", code: int = 0) -> None:
        super().__init__(message, hint)
        self.code = code


def unreadable(path: str, error: OSError | UnicodeDecodeError, hint: str = "") -> Usage:
    """That a file which the caller named cannot be read, in a person's words: its text is to be
    UTF-8.
    """
    why = error.strerror if isinstance(error, OSError) else f"byte {error.start} is no UTF-8"
    return Usage(f"cannot read {path}: {why}", hint)
