"""The end of a conversation: it waits for a reflection, and nobody waits for that."""

from __future__ import annotations

from molt.hosts.session import moment as moments
from molt.memory.talks import ended
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.session.moment import TalkMoment


class Ended(Value):
    """Whether the conversation waits for a reflection, and how many do."""

    queued: bool
    waiting: int


def end_session(moment: TalkMoment, *, reason: str = "", transcript: str = "") -> Ended:
    """Note that a conversation is over. Raises Failed or Busy where that cannot be noted."""
    moments.sweep_states(moment)
    if not moment.session and not transcript:
        return Ended(False, len(ended.list_ended(moment.ws.repo)))
    one = ended.EndedSession(
        moment.session or transcript,
        moment.now.isoformat(timespec="seconds"),
        reason,
        transcript,
        moments.read_state(moment).read,
    )
    return Ended(True, ended.append_ended(moment.ws.repo, one))
