"""What a text has to hold that a pattern is found in: words of each way to match it.

They are read from the pattern itself, so that they are never others than it asks for. To look up
the words of all patterns at once takes a tenth of the time of searching a text for each; reading
the patterns takes as long as some hundreds of texts, and so waits until there are more.
"""

from __future__ import annotations

import re

from molt.policy.orders.word_sets import WordSets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Words = frozenset[str]
    Ways = tuple[tuple[tuple[str, ...], ...], ...]

# Texts that are searched for all patterns before these are read, which takes as long.
_FEW = 256
# Beyond as many the ways to say something are no words to look for, but a language.
_MOST_WORDS, _MOST_ENDS = 600, 64
_SHORTEST = 2
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class PatternSet:
    """Patterns for texts in lower case, and which of them may be found in one."""

    def __init__(self, *patterns: re.Pattern[str]) -> None:
        self._patterns = patterns
        self._read = 0
        self._always = self._every = frozenset(map(id, patterns))
        self._owners: dict[int, int] = {}
        self._table: WordSets | None = None

    def find_likely(self, text: str) -> frozenset[int]:
        """The `id` of each pattern that may be found in a text; no other one is.

        A pattern itself is no key: Python computes its hash from all of its code each time.
        """
        self._read += 1
        if self._read < _FEW:
            return self._every
        table = self._table or self._prepare()
        return self._always.union([self._owners[id(way)] for way in table.find_held(text)])

    def _prepare(self) -> WordSets:
        needs = {id(pattern): list_needs(pattern) for pattern in self._patterns}
        self._always = frozenset(key for key, ways in needs.items() if not ways)
        self._owners = {id(way): key for key, ways in needs.items() for way in ways}
        # Last: by it another thread sees that all is there.
        self._table = WordSets([way for ways in needs.values() for way in ways])
        return self._table


def list_needs(pattern: re.Pattern[str]) -> Ways:
    """The ways to match a pattern: for each lists of words, of each of which a text holds one in
    which it is found so. Empty where nothing is known of some way.
    """
    if pattern.flags & ~re.UNICODE:
        return ()
    # A hook that reads one line with patterns has no use for it.
    from importlib import import_module

    try:
        parser: Any = import_module("re._parser")
        rows = list(parser.parse(pattern.pattern, pattern.flags))
    except (ImportError, AttributeError):
        # Python says of this reader of its own that it may change.
        return ()
    ways = [_list_words(way) for way in _split_ways(rows)]
    return tuple(tuple(map(_sort, way)) for way in ways) if all(ways) else ()


def _sort(words: Words) -> tuple[str, ...]:
    return tuple(sorted(words))


def _split_ways(rows: Sequence[Any]) -> list[list[Any]]:
    """The alternatives of a pattern, each with what stands around all of them."""
    at = next((at for at, (code, _) in enumerate(rows) if str(code) == "BRANCH"), -1)
    if at < 0:
        return [list(rows)]
    return [[*rows[:at], *way, *rows[at + 1 :]] for way in rows[at][1][1]]


def _list_words(rows: Iterable[Any]) -> list[Words]:
    """Sets of words, of each of which a text holds one in which some parts of a pattern, one
    behind the other, are found.
    """
    found: list[Words] = []
    ends = {""}
    for row in rows:
        further = _spell(row)
        joined = {end + word for end in ends for word in further} if further else ends
        if further and len(joined) <= _MOST_ENDS:
            ends = joined
            continue
        found += _keep_telling(ends)
        ends = further or {""}
        if not further:
            found += _list_inner(row)
    return [*found, *_keep_telling(ends)]


def _spell(row: Any) -> set[str]:
    """All that a part of a pattern can stand for, where that is little; empty where it is not."""
    code, said = str(row[0]), row[1]
    if code == "LITERAL":
        return {chr(said)}
    if code == "IN" and all(str(kind) == "LITERAL" for kind, _ in said):
        return {chr(letter) for _, letter in said}
    if code == "AT":
        # It stands for a place.
        return {""}
    if code == "SUBPATTERN":
        return _spell_all(said[-1]) if not (said[1] or said[2]) else set()
    if code == "BRANCH":
        ways = [_spell_all(way) for way in said[1]]
        return set().union(*ways) if all(ways) else set()
    if code in _REPEATS and said[1] == 1:
        once = _spell_all(said[2])
        return once | {""} if once and said[0] == 0 else once
    return set()


def _spell_all(rows: Iterable[Any]) -> set[str]:
    made = {""}
    for row in rows:
        further = _spell(row)
        made = {begin + end for begin in made for end in further}
        if not made or len(made) > _MOST_ENDS:
            return set()
    return made


def _keep_telling(words: set[str]) -> list[Words]:
    """The words without those that hold another, where each of them tells of something."""
    few = {word for word in words if not any(one != word and one in word for one in words)}
    return [frozenset(few)] if all(map(_is_telling, few)) else []


def _is_telling(word: str) -> bool:
    """Whether not every text holds a word: two letters, or one that stands for a word."""
    return len(word.strip()) >= _SHORTEST or not word.isascii()


def _list_inner(row: Any) -> list[Words]:
    """The same as `_list_words` of a part that has parts of its own."""
    code, said = str(row[0]), row[1]
    if code == "SUBPATTERN" and not (said[1] or said[2]):
        return _list_words(said[-1])
    if code in _REPEATS and said[0] > 0:
        return _list_words(said[2])
    if code == "ASSERT":
        return _list_words(said[1])
    if code == "ATOMIC_GROUP":
        return _list_words(said)
    if code != "BRANCH":
        return []
    ways = [_list_words(way) for way in said[1]]
    if not all(ways):
        return []
    words: Words = frozenset().union(*(max(way, key=_weigh) for way in ways))
    return [words] if len(words) <= _MOST_WORDS else []


def _weigh(words: Words) -> tuple[int, int]:
    """How much it tells that a text holds one of some words: long ones more, few ones more."""
    return min(map(len, words)), -len(words)
