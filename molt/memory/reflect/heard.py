"""What a person said in conversations that have ended, as the evidence of a reflection.

Nothing else of a transcript is: what the agent, tools, pages and sub-agents said there is nobody's
word, and a talk with others is not the owner's alone.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from molt import errors, trees
from molt.formats import bullets
from molt.formats import origin as origins
from molt.formats.episodes import Episode
from molt.formats.prose import speech
from molt.formats.reflections import plan, quotes, record
from molt.formats.reflections.quotes import TurnQuote
from molt.index.content import words
from molt.memory.decay import formula
from molt.memory.engines import classify
from molt.memory.engines.verdict import NONE
from molt.memory.proposed import open_branches
from molt.memory.reflect.material.material import HeardTurns, KnownMemory
from molt.memory.reflect.unfit import UnfitWords
from molt.memory.search import sessions
from molt.memory.talks import ended, transcripts
from molt.memory.write import propose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from molt.formats.reflections.plan import Operation
    from molt.index.content.sources import Turn
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.talks.ended import EndedSession, ReadSession
    from molt.memory.workspace import Workspace

TURNS, BYTES = 400, 64 << 20
"""What one reflection takes of what was said, and reads of transcripts for it: some twenty talks,
and the largest one that molt keeps. The rest waits for the next."""
_LONGEST = 600
"""Characters of what a person types; a longer message is pasted, or an order of many parts."""
_HELD = 0.8
"""How many words of a turn a memory must have for it to say so already."""
_NAMED = 40  # letters of a session's name, which is another program's
_MOST_PROPOSED = 12
"""Proposals of one night besides the reflection's: a person decides on each."""
AGENT = "session-end"
"""The sub-agent in whose name these are."""
_STORES = ("episodic", "semantic")
_STORED = ".sqlite"
_ROW = 160
"""Characters of a line that may be one of code; prose that mentions some is longer."""
_CODE = re.compile(
    r"^(?:\s{4}|\t|\s*(?:[@<#$>|{}\[\]\\]|//|--\s))|[;{}]\s*$|\w\(\)|\w\(\w+[,)]\S*$"
    r"|\w = \S|==|=>|::|\['|</"
)


def hear_sessions(ws: Workspace, material: ReflectionMaterial) -> ReflectionMaterial:
    """The material with what a person said in the conversations that wait for a reflection, within
    bounds, the oldest first: what is to be kept, is not in memory and waits for no review.
    """
    waiting = ended.list_ended(ws.repo)
    if not waiting:
        return material
    ears = _Ears(ws, material)
    done: list[ReadSession] = []
    for one in waiting:
        if ears.is_full:
            break
        done.append(ears.listen(one))
    left = len(waiting) - sum(one.whole for one in done)
    heard = HeardTurns(tuple(ears.turns), tuple(done), left, tuple(ears.notes))
    return put_turns(material, heard)


def put_turns(material: ReflectionMaterial, heard: HeardTurns) -> ReflectionMaterial:
    """The material with turns that were heard already, as new episodes."""
    turns = [_make_episode(one, number) for number, one in enumerate(heard.turns)]
    fresh = sorted((*material.fresh, *turns), key=lambda one: (one.date, one.stamp))
    standing = formula.Standing(origins.BASE, formula.STATES[0])
    known = {one.id: KnownMemory(one.id, one.text, standing) for one in heard.turns}
    return material.replace(
        fresh=tuple(fresh), memories={**material.memories, **known}, heard=heard
    )


def _make_episode(one: TurnQuote, number: int) -> Episode:
    fields = ((origins.FIELD, one.origin),)
    kind = classify.classify_text(one.text).type or "fact"
    # Turns stand behind the entries of their day, in their order.
    told = f"~{number:06}"
    return Episode(one.date, "", kind, fields=fields, text=one.text, told=told, named=one.id)


def quote_turns(material: ReflectionMaterial, operations: Iterable[Operation]) -> list[list[str]]:
    """What some operations rest on of what was heard, as a field of a record."""
    named = {memory for one in operations for memory in plan.list_evidence(one)}
    return quotes.render_quotes(one for one in material.heard.turns if one.id in named)


def finish_reading(
    ws: Workspace, material: ReflectionMaterial, fields: Iterable[tuple[str, object]], now: datetime
) -> None:
    """Forget the conversations that were read. Of what rules made nothing of a part is proposed for
    a review, as before a compaction: it is in no memory, and is not heard again.

    Who dies before, or cannot write that, hears them again: what rests in a record or waits for a
    review is not proposed twice.
    """
    told = dict(fields)
    quoted = quotes.read_quotes(told.items())
    rest = [one for one in material.heard.turns if one.id not in quoted]
    if told.get("engine") == "rules":
        _propose_rest(ws, rest[:_MOST_PROPOSED], now)
    with suppress(errors.MoltError):
        ended.finish_reading(ws.repo, material.heard.read)


def _propose_rest(ws: Workspace, rest: list[TurnQuote], now: datetime) -> None:
    writer = ws.replace(named=f"subagent:{AGENT}")
    for one in rest:
        said = propose.Suggestion(
            trigger=f"the user said it on {one.date} in session {one.session}"
        )
        with suppress(errors.MoltError):
            # What the policy refuses, such as a secret, is no memory.
            made = propose.draft(one.text, said)
            store = made.store if made.store in _STORES else _STORES[0]
            propose.propose(writer, made.replace(store=store, core_worthy=False), now)


_OPEN = ("", ":", "：")
"""With what a turn ends whose words stand in a quotation that was left out."""


class _Ears:
    """Reads transcripts, one after the other."""

    def __init__(self, ws: Workspace, material: ReflectionMaterial) -> None:
        self.turns: list[TurnQuote] = []
        self.notes: list[str] = []
        self._size = 0
        self._marks = ended.list_marks(ws.repo)
        self._unfit = UnfitWords(material.tree)
        self._known = frozenset(_list_quoted(ws, material))
        self._held = _HeldWords(material)

    @property
    def is_full(self) -> bool:
        """Whether one reflection has read enough."""
        return len(self.turns) >= TURNS or self._size >= BYTES

    def listen(self, one: EndedSession) -> ReadSession:
        """Read a conversation from where it was read last, as far as there is room."""
        place = start = max(self._marks.get(one.session, 0), one.read)
        # To open a pipe would wait for whoever writes into it.
        told = os.path.isfile(one.transcript) and not sessions.is_shared(one.transcript)
        if not told:
            return ended.ReadSession(one, place, whole=True)
        try:
            for end, turn in _read_turns(one, start):
                self._size += max(0, end - place)
                place = end
                if turn is not None:
                    self._take(one, turn)
                if self.is_full:
                    return ended.ReadSession(one, place, whole=False)
        except OSError as error:
            said = error.strerror or str(error)
            self.notes.append(f"a session cannot be read: {one.transcript}: {said}")
        return ended.ReadSession(one, place, whole=True)

    def _take(self, one: EndedSession, turn: Turn) -> None:
        if len(turn.text) > _LONGEST or not speech.is_said(turn.text):
            return
        text = " ".join(_drop_quoted(turn.text).split())
        none = text[-1:] in _OPEN or classify.classify_text(text).store == NONE
        if none or self._unfit.search([text]):
            return
        memory = quotes.make_id(one.session, text)
        taken = memory in self._known or any(each.id == memory for each in self.turns)
        date = turn.date or one.time[:10]
        if not taken and not self._held.hold(text):
            name = "".join(filter(str.isprintable, one.session))[:_NAMED]
            self.turns.append(TurnQuote(memory, date, origins.CLASSES[0], name, text))


def _drop_quoted(text: str) -> str:
    """What somebody typed without what is quoted in it, or stands between fences."""
    rows = drop_code(text)
    return "\n".join(row for row in rows if not row.lstrip().startswith(">"))


def drop_code(text: str) -> list[str]:
    """Return the lines of a text without those between fences, and those that look like code."""
    found: list[str] = []
    fenced = False
    for row in text.split("\n"):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not (len(row) <= _ROW and _CODE.search(row)):
            found.append(row)
    return found


def _read_turns(one: EndedSession, start: int) -> Iterator[tuple[int, Turn | None]]:
    if not one.transcript.endswith(_STORED):
        yield from transcripts.read_said(one.transcript, start)
        return
    end, turns = sessions.read_stored(one.transcript, one.session, start)
    yield from ((start, turn) for turn in turns if turn.role == "user")
    yield end, None


def _list_quoted(ws: Workspace, material: ReflectionMaterial) -> Iterator[str]:
    """What rests in a record already, of a reflection that was decided or that awaits that: it was
    proposed once.
    """
    for one in material.records:
        yield from quotes.read_quotes(one.fields)
    for branch in open_branches.list_open(ws.repo):
        text = trees.read_text(ws.repo.tree(branch.tip), record.record_path(branch.id))
        yield from quotes.read_quotes(record.parse_record(text).fields)


class _HeldWords:
    """Says whether memory holds what was said: core memory, entries, and what awaits a review."""

    def __init__(self, material: ReflectionMaterial) -> None:
        core = (one.text for one in bullets.core_bullets(material.core))
        entries = (one.text for one in material.memories.values() if _is_entry(one))
        waiting = (one.content for one in material.proposals)
        self._texts: list[frozenset[str]] = []
        self._having: dict[str, list[int]] = {}
        for text in (*core, *entries, *waiting):
            self._add_text(text)

    def _add_text(self, text: str) -> None:
        terms = _cut_terms(text)
        for term in terms:
            self._having.setdefault(term, []).append(len(self._texts))
        self._texts.append(terms)

    def hold(self, text: str) -> bool:
        """Whether one text has most of the words of another one."""
        terms = _cut_terms(text)
        shared: dict[int, int] = {}
        for term in terms:
            for number in self._having.get(term, ()):
                shared[number] = shared.get(number, 0) + 1
        return not terms or max(shared.values(), default=0) >= _HELD * len(terms)


def _is_entry(one: KnownMemory) -> bool:
    return one.id.startswith("episode:")


def _cut_terms(text: str) -> frozenset[str]:
    return frozenset(words.split_terms(text.lower()))
