"""Passwords that a call of a program is given by their place: `login("ada", "…")`."""

from __future__ import annotations

from molt.policy.secrets import stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

CALLS = frozenset(
    (
        *("auth(", "auth=(", "login(", "connect(", "connection(", "credential", "credentials("),
        *("mysqli(", "pdo(", "bind(", "bind_s(", "authentication(", "password("),
    )
)
"""Words of which one must be in a text, in lower case: how calls end that log somebody in."""
_OPENED = tuple(sorted(word if "(" in word else f"{word}s(" for word in CALLS))
_REACH = 256
"""Characters of a call that are read."""
_ARGUMENTS = 6
"""Quoted arguments of a call that are read: a password is the second or third."""
_QUOTES = "\"'"


def find_in_calls(line: str, lower: str) -> Iterator[Span]:
    """A quoted argument, behind another one, that can be nothing but a password."""
    # What calls stand in each other for is read once.
    known: dict[Span, bool] = {}
    for name in _OPENED:
        at = lower.find(name)
        while at >= 0:
            start = at + len(name)
            yield from _find_argument(line, start, known)
            at = lower.find(name, start)


def _find_argument(line: str, start: int, known: dict[Span, bool]) -> Iterator[Span]:
    stop, closed, count = min(len(line), start + _REACH), -1, 0
    at = start
    while at < stop and line[at] != ")" and count < _ARGUMENTS:
        if line[at] in _QUOTES:
            closed = line.find(line[at], at + 1, stop)
            if closed < 0:
                return
            count += 1
            span = at + 1, closed
            if count > 1 and span not in known:
                known[span] = _is_given(line[at + 1 : closed])
            if known.get(span) and count > 1:
                yield span
            at = closed
        at += 1


def _is_given(value: str) -> bool:
    """Whether an argument is a password, and no host, address or name of a base."""
    by_lot = value.isalpha() and stand_ins.is_password(value)
    return " " not in value and (by_lot or stand_ins.is_all_kinds(value))
