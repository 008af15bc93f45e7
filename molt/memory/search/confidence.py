"""How sure it is that a memory is about what was asked: a number that means the same everywhere."""

from __future__ import annotations

import math

from molt.index.content import signs, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.index.search.candidates import Candidate


class Calibration(Value):
    """The logistic function of one provider and kind of script: its base, what a cosine counts,
    what the share of the words of the query, what that of those that are no function words, what
    the share of the words that any memory has, and whether of more pieces more match by chance.
    """

    base: float
    cosine: float
    exact: float = 0.0
    told: float = 0.0
    known: float = 0.0
    many: bool = False


_SPACED = Calibration(-7.4, 9.5, exact=5.5, known=2.6)
_UNSPACED = Calibration(-6.2, 11.5, exact=12.0, told=6.0, many=True)
_FOREIGN = Calibration(-8.3, 11.3, exact=10.5)
_WORDS_ALONE = Calibration(-4.0, 0.0, exact=14.0)
_EXACT = Calibration(-9.0, 0.0, exact=12.0)
"""What has nearly all words of a question, such as the one identifier that it is, is found by them
whatever its meaning."""
_NAMED = 0.6
"""What is told of an entity that the question names, or of the day."""
_TITLED, _SURE = 0.3, 0.2
"""The share of the words of a question from which on a title or the name of a file is about what is
asked, and how sure that is: of a thousand foreign questions one meets such a title."""
_NEAR = 0.45
"""The cosine from which on two English texts are of one topic whatever their words: of 1,425
foreign questions seven are so near, and all of these are answered without it too."""
_KNOWN = {
    "static": (_SPACED, _UNSPACED, _FOREIGN),
    "none": (_WORDS_ALONE, _WORDS_ALONE, _WORDS_ALONE),
}
"""By provider, for English, for scripts without spaces between words, and for other languages, in
which any two texts are nearer: fitted on one half of the questions of several sets, shown on the
other."""
_MEANING = 0.3
"""The cosine from which on two texts are of one topic."""


def find_calibration(provider: str, query: str) -> Calibration | None:
    """The calibration for a query with a provider; None for one that nobody has measured."""
    if provider not in _KNOWN:
        return None
    if words.is_foreign(query):
        return _KNOWN[provider][-1]
    return _KNOWN[provider][signs.has_unspaced(query)]


_JUDGED = 20
"""Memories by which it is told whether there is an answer: the surest may stand behind ten that
have more of the words, or be part of another result."""


_TOGETHER, _APART = 10, 0.3
"""Memories that may tell of what is asked together, one by its words and another by what it means,
and how much less that says than one memory that does both. With 0.0 instead, 2 in a hundred more
foreign questions of sets are answered, and none more of those of workspaces."""


def rate_answer(found: Sequence[Candidate], calibration: Calibration | None) -> float:
    """How sure it is that the first memories found are about what was asked, any of them or some
    together; 1 for none.
    """
    surest = max((rate_candidate(one, calibration) for one in found[:_JUDGED]), default=1.0)
    if calibration is None or calibration.many or not found:
        return surest
    return max(surest, _rate_together(found[:_TOGETHER], calibration))


def _rate_together(found: Sequence[Candidate], calibration: Calibration) -> float:
    """How sure it is that memories are about what was asked, by the nearest of them and the one
    that has most of its words.
    """
    both = found[0].replace(
        vector=max(one.vector for one in found), exact=max(one.exact for one in found)
    )
    return _rate(both, calibration.replace(base=calibration.base - _APART))


def rate_candidate(one: Candidate, calibration: Calibration | None) -> float:
    """How sure it is that a memory is about what was asked, from 0 to 1; 1 where nobody knows."""
    if calibration is None:
        return 1.0
    # What has no vector so far is judged by its words.
    by = calibration if one.vector else _WORDS_ALONE
    told = max(_rate(one, by), _rate(one, _EXACT))
    near = calibration == _SPACED and one.vector >= _NEAR
    if near or min(one.titled, one.exact) >= _TITLED:
        told = max(told, _SURE)
    return max(told, _NAMED) if one.graph >= 1 or one.dated >= 1 else told


def _rate(one: Candidate, by: Calibration) -> float:
    told = by.base + by.cosine * one.vector + by.exact * one.exact + by.told * one.told
    # That a few memories lack a word says little.
    told += by.known * (1 - (1 - one.known) * min(1.0, one.among / _MANY))
    told -= _tell_chance(one.among) if by.many else 0.0
    told -= _DOCUMENT if one.store in _BESIDE_MEMORY else 0.0
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, told))))


_BESIDE_MEMORY = frozenset(("documents", "extra"))
_DOCUMENT = 0.4
"""How much less a match in a document says, which may be of whatever there is. Without, 5 more of
1,170 foreign questions of workspaces are answered, and as many of their own."""


def _tell_chance(among: int) -> float:
    """How much less a match says among so many pieces than among a hundred: of twice as many, twice
    as many match by chance, so the odds that this one does not are half as large.
    """
    return math.log(min(_MEASURED, max(among, 1)) / 100)


def scale_least(least: float, count: int, calibration: Calibration | None = None) -> float:
    """How sure an answer must be among so many pieces of memory: of a few, words and vectors tell
    too little to refuse any, and few match by chance.
    """
    # Where that is part of how sure each is, it does not count twice.
    chance = calibration is None or calibration.many
    share = 1.0 if chance else max(_SHARE, count / _ENOUGH)
    return least * min(1.0, count / _MANY, share)


_MEASURED = 300
"""Pieces up to which the odds fall: many of more say the same. With 1,000 instead, 7 in a hundred
more foreign questions are refused among 850 passages, and R@5 there is lower by 0.6."""
_MANY = 60
"""Pieces from which on the frequency of a word says something."""
_ENOUGH = 200
"""Pieces among which some match by chance what is asked of something else. With 60 instead, 11 of
217 questions of workspaces are refused for 5, with 300 one in a hundred more foreign ones is
answered."""
_SHARE = 1 / 6
"""The part of what is asked among many that is asked among more than ten in any case: none that
has no word of the question, and is on another topic, is an answer."""


def list_reasons(one: Candidate) -> tuple[str, ...]:
    """What of a memory matches: `words`, `meaning`, `title`, `entity`, `date`."""
    every = (
        ("words", one.share > 0),
        ("meaning", one.vector >= _MEANING),
        ("title", one.titled > 0),
        ("entity", one.graph > 0),
        ("date", one.dated > 0),
    )
    return tuple(name for name, holds in every if holds)
