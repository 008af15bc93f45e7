"""Before a compaction: whether it is time to save what is not in memory yet, and with which words
the agent is asked to.
"""

from __future__ import annotations

from molt.hosts.session import moment as moments
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.session.gather import ProposedTurn
    from molt.hosts.session.moment import TalkMoment, TalkState

RESERVE = 20_000
"""Tokens of the window that a host keeps free for its answer, of a small window a quarter."""
SOFT = 4_000
"""Tokens before the compaction at which it is time."""
_SHARE = 4
"""Of a small window a quarter at most stays free for the answer."""
SILENT = "NO_REPLY"
PROMPT = (
    "Pre-compaction memory flush. Store durable memories now, one `molt remember` each, with what "
    "you know of it: `--store`, `--type`, `--entity TYPE:LABEL`, `--tag`, `--confidence`, "
    '`--block` for core memory, `--supersedes ID` for what has changed, `--phrase "…"` where the '
    "user asked for it. What others said, and what you only guess, is proposed instead (`molt "
    f"propose`). If nothing to store, reply with {SILENT}."
)
SYSTEM_PROMPT = (
    "Pre-compaction memory flush turn. The session is near auto-compaction; capture durable "
    f"memories to disk. You may reply, but usually {SILENT} is correct."
)


class ContextUsage(Value):
    """How full a conversation is: the tokens in it, the window, and what of it is kept free. Where
    `tokens` is not told, a compaction is about to happen. `compaction` counts those so far, where
    the host does that; `skip` says why nothing is to be flushed, empty for no reason.
    """

    tokens: int | None = None
    window: int = 0
    reserve: int = RESERVE
    soft: int = SOFT
    compaction: int | None = None
    skip: str = ""

    @property
    def threshold(self) -> int:
        """The tokens from which on it is time."""
        return self.window - min(self.reserve, self.window // _SHARE) - self.soft


class Flush(Value):
    """Whether it is time, and why or why not; the prompts are empty where it is not. `proposed` is
    what was found in the transcript and awaits a review.
    """

    flush: bool
    reason: str
    threshold: int = 0
    prompt: str = ""
    system_prompt: str = ""
    proposed: tuple[ProposedTurn, ...] = ()


def plan_flush(moment: TalkMoment, usage: ContextUsage, *, transcript: str = "") -> Flush:
    """Whether it is time to flush: once for each compaction, and not where it is to be skipped.
    With a transcript, what a person said there and no memory says becomes proposals.
    """
    if usage.skip:
        return Flush(False, usage.skip, usage.threshold)
    if usage.tokens is not None and usage.tokens < usage.threshold:
        left = usage.threshold - usage.tokens
        return Flush(False, f"{left:,} tokens below the threshold", usage.threshold)

    def mark(before: TalkState) -> TalkState:
        count = before.compactions if usage.compaction is None else usage.compaction
        return before.replace(flushed=count)

    fresh, failed = moments.change_state(moment, mark)
    if failed:
        # What cannot be written has nowhere to flush to, and would be asked again at each turn.
        return Flush(False, failed, usage.threshold)
    if not fresh:
        return Flush(False, "flushed already before this compaction", usage.threshold)
    proposed: tuple[ProposedTurn, ...] = ()
    if transcript:
        # What reads transcripts takes longer than all else.
        from molt.hosts.session import gather

        proposed = gather.propose_turns(moment, transcript)
    return Flush(True, "a compaction is near", usage.threshold, PROMPT, SYSTEM_PROMPT, proposed)
