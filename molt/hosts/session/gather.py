"""What a person said in a conversation and no memory says: proposed, for somebody to decide."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import proposals
from molt.formats.prose import speech
from molt.hosts.session import moment as moments
from molt.index.content import words
from molt.memory.engines import classify
from molt.memory.engines.verdict import NONE
from molt.memory.search import search, sessions
from molt.memory.talks import transcripts
from molt.memory.write import propose
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.hosts.session.moment import TalkMoment
    from molt.index.content.sources import Turn

AGENT = "session-flush"
"""The sub-agent in whose name it is proposed: what it says enters core memory, a procedure or the
vault only when somebody accepts it there."""
_MOST = 12
"""Proposals of one flush: a person decides on each."""
_LONGEST = 600
"""Characters of what a person types; a longer message is pasted, or an order of many parts."""
_MOST_BYTES = 8 << 20
"""Of a longer transcript the end is read: some hundred turns with what tools said between them."""
_FEWEST = 2
"""Words with a meaning of what stands on its own: `the second`, `Monday` and `42` are answers."""
_HELD = 0.8
"""How many words of a text a memory must have for it to say so already."""
_STORES = ("episodic", "semantic")
_STORED = ".sqlite"


class ProposedTurn(Value):
    """A proposal that was made of a turn: its number and id, and its words."""

    number: int
    id: str
    content: str


def propose_turns(moment: TalkMoment, transcript: str) -> tuple[ProposedTurn, ...]:
    """Propose what a person said in a transcript since the last time; nothing where the agent that
    acts is a sub-agent, whose conversation is with no person.

    How far it was read is noted behind each proposal: who dies between the two finds it waiting
    for a review the next time, and proposes it once.
    """
    if moment.ws.actor.startswith("subagent:"):
        return ()
    found: list[ProposedTurn] = []
    writer = moment.replace(ws=moment.ws.replace(named=f"subagent:{AGENT}"))
    pending = proposals.list_pending(trees.read_text(moment.ws.head(), paths.PROPOSALS))
    waiting = [one.content for one in pending]
    place = -1
    for place, turn in _read_new_turns(moment, transcript):
        text = _read_candidate(moment, turn, waiting) if turn else ""
        if not text:
            continue
        try:
            found.append(_propose_text(writer, text))
            waiting.append(found[-1].content)
        except errors.MoltError:
            # What the policy refuses, such as a secret, is no memory.
            continue
        _note_place(moment, place)
        if len(found) == _MOST:
            # The rest is for the next time.
            break
    if place >= 0:
        _note_place(moment, place)
    return tuple(found)


def _note_place(moment: TalkMoment, place: int) -> None:
    moments.change_state(moment, lambda before: before.replace(read=place))


def _read_new_turns(moment: TalkMoment, transcript: str) -> Iterator[tuple[int, Turn | None]]:
    """The lines behind those that were read before, as far as they are whole: where each ends, and
    what a person said in it. Raises Failed.
    """
    start = moments.read_state(moment).read
    if not os.path.isfile(transcript):
        # To open a pipe would wait for whoever writes into it.
        raise errors.Failed(f"{transcript}: no such file")
    try:
        if transcript.endswith(_STORED):
            end, turns = sessions.read_stored(transcript, moment.session, start)
            yield from ((turn.line, turn) for turn in turns)
            yield end, None
        else:
            size = os.path.getsize(transcript)
            start = start if start <= size else 0
            yield from transcripts.read_said(transcript, max(start, size - _MOST_BYTES))
    except OSError as error:
        raise errors.Failed(f"{transcript}: {error.strerror or error}") from error


def _read_candidate(moment: TalkMoment, turn: Turn, waiting: Sequence[str]) -> str:
    """What of a turn is to be kept, and neither is nor waits for a review; empty for nothing."""
    if turn.role != "user" or len(turn.text) > _LONGEST or not speech.is_said(turn.text):
        return ""
    text = " ".join(turn.text.split())
    if classify.classify_text(text).store == NONE or len(words.split_terms(text.lower())) < _FEWEST:
        return ""
    if any(_holds(one, text) for one in waiting):
        return ""
    return "" if _is_held(moment, text) else text


def _is_held(moment: TalkMoment, text: str) -> bool:
    """Whether a memory says so already."""
    options = search.SearchOptions(limit=5, min_score=0.0)
    return any(_holds(one.snippet, text) for one in search.search(moment.ws, text, options).results)


def _holds(held: str, text: str) -> bool:
    said, there = set(words.split_terms(text.lower())), set(words.split_terms(held.lower()))
    return bool(said) and len(said & there) >= _HELD * len(said)


def _propose_text(writer: TalkMoment, text: str) -> ProposedTurn:
    name = f" in session {writer.session}" if writer.session.isprintable() else ""
    said = propose.Suggestion(trigger=f"before a compaction: the user said it{name[:80]}")
    one = propose.draft(text, said)
    if one.store not in _STORES:
        one = one.replace(store="episodic")
    made = propose.propose(writer.ws, one.replace(core_worthy=False), writer.now).proposal
    return ProposedTurn(made.number, made.id, made.content)
