"""A turn of the agent: what it quotes from memory was used."""

from __future__ import annotations

from molt.formats.prose import injected
from molt.hosts.session import moment as moments
from molt.index.content import words
from molt.memory import refs, touch
from molt.memory.search import search
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.hosts.session.moment import TalkMoment
    from molt.memory.search.search import Result

_LONGEST = 20_000
"""Characters of an answer that are looked at."""
_QUERY = 1_500
"""Characters of an answer by which memories are searched."""
_LOOKED_AT = 12  # memories nearest to an answer, whose words are looked for in it
_RUN = 6
"""So many words in a row that a memory and an answer share are no chance."""
_SHORT = 3
"""A row of a memory with fewer words is in many answers by chance."""


class UsedMemories(Value):
    """The ids of the memories that count as used."""

    used: tuple[str, ...]


def note_turn(moment: TalkMoment, text: str) -> UsedMemories:
    """Note the memories that an answer cites or quotes as used. Raises Failed where that cannot be
    noted.
    """
    said = injected.strip_blocks(text)[:_LONGEST]
    found = dict.fromkeys((*_list_cited(moment, said), *_list_quoted(moment, said)))
    if not found:
        return UsedMemories(())
    done = touch.touch_memories(moment.ws, found, moment.now.timestamp())
    return UsedMemories(done.noted)


def _list_cited(moment: TalkMoment, said: str) -> Iterator[str]:
    """The memories that an answer names by their ids, and those it was told of and cites."""
    shown = frozenset(moments.read_state(moment).shown)
    parts = (part.strip("`'\"()[]{}<>,.;!?*") for part in said.split())
    yield from (part for part in parts if part in shown)
    yield from refs.list_named(moment.ws.files(), said)


def _list_quoted(moment: TalkMoment, said: str) -> Iterator[str]:
    """The memories whose words an answer has: of those that are near to it."""
    if not said.strip():
        return
    mine = _fold_words(said)
    options = search.SearchOptions(limit=_LOOKED_AT, min_score=0.0)
    line = f" {' '.join(mine)} "
    for one in search.search(moment.ws, said[:_QUERY], options).results:
        if one.source == "memory" and one.id != one.path and _is_quoted(one, line):
            yield one.id


def _is_quoted(one: Result, line: str) -> bool:
    """Whether an answer has six words in a row of a memory, or all of a short one."""
    rows = (row for row in one.snippet.split("\n") if not row.startswith("#"))
    for row in rows:
        held = _fold_words(row)
        if _SHORT <= len(held) < _RUN and f" {' '.join(held)} " in line:
            return True
        runs = (held[at : at + _RUN] for at in range(len(held) - _RUN + 1))
        if any(f" {' '.join(run)} " in line for run in runs):
            return True
    return False


def _fold_words(text: str) -> list[str]:
    """The words of a text without marks and case, runs without spaces as their short parts."""
    plain = words.index_text(text).casefold()
    return "".join(char if char.isalnum() else " " for char in plain).split()
