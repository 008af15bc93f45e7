"""What a person said in a conversation and no memory says: proposed, for somebody to decide."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import paths, proposals, speech
from molt.hosts.session import moment as moments
from molt.index.content import words
from molt.memory import transcripts
from molt.memory.engines import rules
from molt.memory.engines.verdict import NONE
from molt.memory.search import search, sessions
from molt.memory.write import propose
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.hosts.session.moment import TalkMoment, TalkState
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
    """
    if moment.ws.actor.startswith("subagent:"):
        return ()
    found: list[ProposedTurn] = []
    writer = moment.replace(ws=moment.ws.replace(named=f"subagent:{AGENT}"))
    pending = proposals.list_pending(trees.read_text(moment.ws.head(), paths.PROPOSALS))
    waiting = [one.content for one in pending]
    for turn in _read_new_turns(moment, transcript):
        if len(found) == _MOST:
            break
        if text := _read_candidate(moment, turn, waiting):
            try:
                found.append(_propose_text(writer, text))
                waiting.append(found[-1].content)
            except errors.MoltError:
                # What the policy refuses, such as a secret, is no memory.
                continue
    return tuple(found)


def _read_new_turns(moment: TalkMoment, transcript: str) -> Iterator[Turn]:
    """The turns behind those that were read before, as far as their lines are whole."""
    start = moments.read_state(moment).read
    if transcript.endswith(_STORED):
        yield from _read_stored_turns(moment, transcript, start)
        return
    if not os.path.isfile(transcript):
        # To open a pipe would wait for whoever writes into it.
        raise errors.Failed(f"{transcript}: no such file")
    try:
        with open(transcript, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            origin = transcripts.read_origin(file.readline(_MOST_BYTES))
            if origin is not None and not origin.by_user:
                return
            start = max(start if start <= size else 0, size - _MOST_BYTES)
            file.seek(start)
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise errors.Failed(f"{transcript}: {error.strerror or error}") from error
    end = start + data.rfind(b"\n") + 1

    def remember_end(before: TalkState) -> TalkState:
        return before.replace(read=end)

    moments.change_state(moment, remember_end)
    for number, row in enumerate(data.split(b"\n")[:-1], 1):
        turn = transcripts.parse_turn(row, number)
        if turn is not None:
            yield turn


def _read_stored_turns(moment: TalkMoment, transcript: str, start: int) -> list[Turn]:
    """The same from a database of OpenClaw, where events are counted and not bytes."""
    try:
        end, turns = sessions.read_stored(transcript, moment.session, start)
    except OSError as error:
        raise errors.Failed(str(error)) from error
    moments.change_state(moment, lambda before: before.replace(read=end))
    return turns


def _read_candidate(moment: TalkMoment, turn: Turn, waiting: Sequence[str]) -> str:
    """What of a turn is to be kept, and neither is nor waits for a review; empty for nothing."""
    if turn.role != "user" or len(turn.text) > _LONGEST or not speech.is_said(turn.text):
        return ""
    answer = rules.answer_text(turn.text)
    text = " ".join((answer.text or turn.text).split())
    if answer.store == NONE or any(_holds(one, text) for one in waiting):
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
