"""Conversations that have ended and that no reflection has looked back on, and how far those were
read that one has, kept in the clone.
"""

from __future__ import annotations

from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_FILE, _MARKS = "ended-sessions", "read-sessions"
_MOST = 500
"""Of more conversations only the newest are kept: a reflection a day sees a few dozen."""
_DIGITS = 18  # what has fewer fits into 64 bits
_WAIT = 0.2
"""Seconds: who ends a conversation is not to wait, for its host may be killed meanwhile."""


class EndedSession(Value):
    """A conversation that is over: the host's id for it, when (ISO 8601), why, and where its
    transcript is; empty for what is not known. `read` is how much of the transcript (bytes, or
    events of a database) was looked at before the end, as before a compaction.
    """

    session: str
    time: str
    reason: str = ""
    transcript: str = ""
    read: int = 0


class ReadSession(Value):
    """How far a conversation was read, and whether that is all of it."""

    ended: EndedSession
    position: int
    whole: bool


def list_ended(repo: Repo) -> tuple[EndedSession, ...]:
    """The conversations that wait for a reflection, in the order in which they ended."""
    rows = map(state.parse_row, state.read(repo.common_dir, _FILE).split("\n"))
    fields = len(EndedSession._fields)
    # Who kept it with an older molt did not say how much was read.
    whole = ((*row, "0")[:fields] for row in rows if fields - 1 <= len(row) <= fields)
    return tuple(_make_ended(*row) for row in whole)


def _make_ended(session: str, time: str, reason: str, transcript: str, read: str) -> EndedSession:
    return EndedSession(session, time, reason, transcript, _parse_position(read))


def _parse_position(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else 0


def append_ended(repo: Repo, one: EndedSession) -> int:
    """Keep one, in the place of an earlier end of the same conversation; gives how many wait.

    Raises Busy where another process does that for long, and Failed where nothing can be written.
    """
    with state.lock(repo.common_dir, _FILE, _WAIT):
        others = [other for other in list_ended(repo) if other.session != one.session]
        kept = [*others, one][-_MOST:]
        _write_ended(repo, kept)
    return len(kept)


def list_marks(repo: Repo) -> dict[str, int]:
    """How far conversations were read by reflections, by the host's ids: one may go on."""
    rows = map(state.parse_row, state.read(repo.common_dir, _MARKS).split("\n"))
    return {row[0]: _parse_position(row[1]) for row in rows if len(row) == len(("id", "position"))}


def finish_reading(repo: Repo, done: tuple[ReadSession, ...]) -> None:
    """Note how far a reflection has read, and forget those conversations that it has read to their
    end. Raises what `append_ended` does.

    The notes come first: who dies between the two reads a conversation again from its end.
    """
    if not done:
        return
    with state.lock(repo.common_dir, _FILE):
        marks = list_marks(repo)
        for one in done:
            marks.pop(one.ended.session, 0)
            marks[one.ended.session] = one.position
        rows = (state.render_row((name, str(at))) for name, at in [*marks.items()][-_MOST:])
        state.write(repo.common_dir, _MARKS, "".join(rows))
        read = [one.ended for one in done if one.whole]
        _write_ended(repo, [one for one in list_ended(repo) if one not in read])


def drop_session(repo: Repo, session: str) -> None:
    """Forget that one waits, and how far it was read. Raises what `append_ended` does."""
    with state.lock(repo.common_dir, _FILE, _WAIT):
        marks = {name: at for name, at in list_marks(repo).items() if name != session}
        rows = (state.render_row((name, str(at))) for name, at in marks.items())
        state.write(repo.common_dir, _MARKS, "".join(rows))
        _write_ended(repo, [one for one in list_ended(repo) if one.session != session])


def _write_ended(repo: Repo, kept: list[EndedSession]) -> None:
    rows = (state.render_row(map(str, one._astuple())) for one in kept)
    state.write(repo.common_dir, _FILE, "".join(rows))
