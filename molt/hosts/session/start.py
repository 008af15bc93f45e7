"""The start of a conversation, also of one that is resumed or was compacted."""

from __future__ import annotations

from molt.formats.prose import injected
from molt.hosts.session import moment as moments
from molt.memory.adopt import foreign
from molt.memory.answers import context
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.session.moment import TalkMoment, TalkState
    from molt.memory.adopt.foreign import Adopted

SOURCES = ("startup", "resume", "clear", "compact")
TOKENS = 4000  # where nothing is set; core memory may be 3,000 of them
_DIFF_LINES = 30
"""Lines of the diff of one alert."""


class Started(Value):
    """What the conversation begins with: `context` is for the model, marked as molt's, empty where
    there is nothing; `adopted` is what of foreign writers was committed, and what was not.
    """

    context: str
    source: str
    adopted: Adopted


def start_session(
    moment: TalkMoment, *, source: str = "startup", max_tokens: int = TOKENS
) -> Started:
    """The block that a conversation begins with, in at most so many tokens: alerts, core memory,
    what is pending, today and yesterday. What known foreign writers left uncommitted is adopted
    first.
    """
    adopted = foreign.try_adopt(moment.ws, moment.now)
    if source != "resume":
        moments.change_state(moment, _begin_anew if source == "compact" else _forget_shown)
    asked = context.ContextRequest(
        max_tokens=max(max_tokens - _MARKS, 1), diff_lines=_DIFF_LINES, head=adopted.render_kept()
    )
    text = context.build_context(moment.ws, moment.now, asked)
    return Started(injected.wrap_block(text), source, adopted)


_MARKS = 64
"""Tokens that the marks around a block may take."""


def _begin_anew(before: TalkState) -> TalkState:
    return before.replace(compactions=before.compactions + 1, shown=())


def _forget_shown(before: TalkState) -> TalkState:
    return before.replace(shown=())
