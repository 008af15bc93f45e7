"""What programs that run an agent tell their hooks, read and answered: Claude Code's events, whose
form others have taken over.
"""

from __future__ import annotations

from molt.hosts.session import moment as moments
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from molt.hosts.session.moment import TalkMoment
    from molt.memory.workspace import Workspace

    Answer = Callable[[TalkMoment, "HostEvent"], "HookAnswer"]

_LONGEST_NAME = 60
"""Letters of a name of a host or agent, which becomes a part of an actor."""
_USER = (None, "", "user")
"""What a prompt's `source` is where a person typed it; hosts of before it had one say nothing."""


class HookAnswer(Value):
    """What the model is told, marked as molt's, and what went wrong; both empty for nothing."""

    context: str = ""
    failure: str = ""


QUIET = HookAnswer()


class HostEvent(Value):
    """An event of a host as a mapping of JSON, of which nothing is believed but its form."""

    fields: Mapping[str, object]

    def text(self, name: str) -> str:
        """The text of a field; empty where it is none."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def name(self) -> str:
        """What happened, as the host calls it."""
        return self.text("hook_event_name")

    @property
    def actor(self) -> str:
        """`subagent:NAME` where a sub-agent is at work; else empty."""
        if not self.text("agent_id"):
            return ""
        return f"subagent:{make_actor_word(self.text('agent_type') or 'agent')}"


def make_actor_word(text: str) -> str:
    """A name as the id of an actor: ASCII words."""
    plain = (one if one.isascii() and (one.isalnum() or one in "-_.") else "-" for one in text)
    return "".join(plain)[:_LONGEST_NAME] or "agent"


def make_moment(ws: Workspace, event: HostEvent, now: Callable[[str], datetime]) -> TalkMoment:
    """The moment of an event. `now` reads the clock in a zone."""
    return moments.TalkMoment(ws, now(ws.config.workspace_timezone), event.text("session_id"))


def answer_start(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """What a conversation begins with. One that goes on from another has that one's beginning."""
    from molt.hosts.session import start

    source = event.text("source")
    known = source if source in start.SOURCES else "resume" if source == "fork" else "startup"
    return HookAnswer(start.start_session(moment, source=known).context)


def answer_prompt(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """What a message asks for, and what is near to it."""
    from molt.hosts.session import prompt

    # What is no text is not missing: nobody knows who that was.
    by_user = event.fields.get("source") in _USER and not event.actor
    message = prompt.UserMessage(event.text("prompt"), by_user)
    found = prompt.notice_prompt(moment, message)
    return HookAnswer(found.context, found.failure)


def note_stop(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """Count what an answer quotes as used; there is nothing to tell."""
    from molt.hosts.session import turn

    if text := event.text("last_assistant_message"):
        turn.note_turn(moment, text)
    return QUIET


def note_subagent_stop(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """The same of a sub-agent; one without a type is the host's own, at a compaction."""
    return note_stop(moment, event) if event.text("agent_type") else QUIET


def note_compaction(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """Save what is not in memory yet, while the host goes on."""
    from molt.hosts import detached

    if not event.actor:
        detached.start_flush(moment, event.text("transcript_path"))
    return QUIET


def note_end(moment: TalkMoment, event: HostEvent) -> HookAnswer:
    """Note that the conversation is over. Where a person has chosen that the host's own model makes
    plans, a process of its own asks it, if a reflection is due.
    """
    from molt.hosts import detached
    from molt.hosts.session import end

    if not event.actor:
        transcript = event.text("transcript_path")
        end.end_session(moment, reason=event.text("reason"), transcript=transcript)
        detached.start_reflection(moment)
    return QUIET


def ignore_event(_moment: TalkMoment, _event: HostEvent) -> HookAnswer:
    """Nothing: an event that says nothing to the memory."""
    return QUIET
