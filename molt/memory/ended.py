"""Conversations that have ended and that no reflection has looked back on, kept in the clone."""

from __future__ import annotations

from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_FILE = "ended-sessions"
_MOST = 500
"""Of more conversations only the newest are kept: a reflection a day sees a few dozen."""
_WAIT = 0.2
"""Seconds: who ends a conversation is not to wait, for its host may be killed meanwhile."""


class EndedSession(Value):
    """A conversation that is over: the host's id for it, when (ISO 8601), why, and where its
    transcript is; empty for what is not known.
    """

    session: str
    time: str
    reason: str = ""
    transcript: str = ""


def list_ended(repo: Repo) -> tuple[EndedSession, ...]:
    """The conversations that wait for a reflection, in the order in which they ended."""
    rows = map(state.parse_row, state.read(repo.common_dir, _FILE).split("\n"))
    return tuple(EndedSession(*row) for row in rows if len(row) == len(EndedSession._fields))


def append_ended(repo: Repo, one: EndedSession) -> int:
    """Keep one, in the place of an earlier end of the same conversation; gives how many wait.

    Raises Busy where another process does that for long, and Failed where nothing can be written.
    """
    with state.lock(repo.common_dir, _FILE, _WAIT):
        others = [other for other in list_ended(repo) if other.session != one.session]
        kept = [*others, one][-_MOST:]
        _write_ended(repo, kept)
    return len(kept)


def drop_ended(repo: Repo, done: tuple[EndedSession, ...]) -> None:
    """Forget those that a reflection has looked back on. Raises what `append_ended` does."""
    if not done:
        return
    with state.lock(repo.common_dir, _FILE):
        _write_ended(repo, [one for one in list_ended(repo) if one not in done])


def _write_ended(repo: Repo, kept: list[EndedSession]) -> None:
    rows = (state.render_row(one._astuple()) for one in kept)
    state.write(repo.common_dir, _FILE, "".join(rows))
