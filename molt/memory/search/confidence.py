"""How sure it is that a memory is about what was asked: a number that means the same everywhere."""

from __future__ import annotations

import math

from molt.index.content import signs, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.search.candidates import Candidate


class Calibration(Value):
    """The logistic function of one provider and kind of script: its base, what a cosine counts,
    what the share of those words of the query that any memory has, and what that of all of them.
    """

    base: float
    cosine: float
    share: float = 0.0
    exact: float = 0.0


_SPACED = Calibration(-4.95, 7.8, exact=4.7)
_UNSPACED = Calibration(-9.9, 8.0, share=4.0, exact=8.0)
_WORDS_ALONE = Calibration(-2.2, 0.0, share=6.0)
_EXACT = Calibration(-9.0, 0.0, exact=12.0)
"""What has nearly all words of a question, such as the one identifier that it is, is found by them
whatever its meaning."""
_NAMED = 0.6
"""What is told of an entity that the question names, or of the day."""
_TOPIC = 0.2
_KNOWN = {"static": (_SPACED, _UNSPACED)}
"""By provider, for scripts with spaces between words and without: fitted on one half of the
questions of several sets, shown on the other."""
_MEANING = 0.3
"""The cosine from which on two texts are of one topic."""


def find_calibration(provider: str, query: str) -> Calibration | None:
    """The calibration for a query with a provider; None for one that nobody has measured.

    In scripts without spaces all texts are near to each other, and in languages that a model knows
    little all are far: there the right answer is refused last, for that it is there tells more.
    """
    if provider == "none" or words.is_foreign(query):
        return _WORDS_ALONE
    return _KNOWN[provider][signs.has_unspaced(query)] if provider in _KNOWN else None


def rate_candidate(one: Candidate, calibration: Calibration | None) -> float:
    """How sure it is that a memory is about what was asked, from 0 to 1; 1 where nobody knows."""
    if calibration is None:
        return 1.0
    told = max(_rate(one, calibration), _rate(one, _EXACT))
    if calibration == _SPACED and one.vector >= _MEANING and one.share > 0:
        # What has a word of the question and is on its topic is worth a look.
        told = max(told, _TOPIC)
    return max(told, _NAMED) if one.graph >= 1 or one.dated >= 1 else told


def _rate(one: Candidate, by: Calibration) -> float:
    told = by.base + by.cosine * one.vector + by.share * one.share + by.exact * one.exact
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, told))))


def scale_least(least: float, count: int) -> float:
    """How sure an answer must be among so many pieces of memory: of a few, words and vectors tell
    too little to refuse any.
    """
    return least * min(1.0, count / _MANY)


_MANY = 60
"""Pieces from which on the frequency of a word says something."""


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
