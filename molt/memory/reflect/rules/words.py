"""The words of a sentence: one by one in a script that has spaces and capitals, and as a set by
which texts of any script are compared.
"""

from __future__ import annotations

import re
from itertools import pairwise

from molt.index.content import signs

_WORD = re.compile(r"[^\W\d_][\w'&+-]*|\d[\w'-]*")
_TITLES = ("Dr", "Mr", "Mrs", "Ms", "Prof", "St")
_OPENS = frozenset('.!?…:;"“”—–(*')


class SpokenWord:
    """A word of a sentence, whether it begins one or is an initial or title of a name, and what
    stands between it and the last one. `named` is one behind an initial.
    """

    __slots__ = ("bare", "begins", "gap", "initial", "low", "owner", "text")

    def __init__(self, text: str, gap: str, first: bool, *, named: bool = False) -> None:
        self.text = text
        self.gap = gap
        self.bare = text.removesuffix("'s").strip("'-+&") or text
        self.owner = text.endswith("'s")
        self.low = self.bare.lower()
        self.initial = (len(text) == 1 and text.isupper() and text not in "AI") or text in _TITLES
        self.begins = first or (not named and not _OPENS.isdisjoint(gap))


def split_words(text: str) -> list[SpokenWord]:
    """The words of a sentence."""
    found: list[SpokenWord] = []
    end = 0
    said = text.replace("’", "'")
    for match in _WORD.finditer(said):
        gap = said[end : match.start()]
        named = bool(found) and found[-1].initial and gap in (".", ". ")
        found.append(SpokenWord(match.group(), gap, not found, named=named))
        end = match.end()
    return found


def fold_words(text: str) -> frozenset[str]:
    """The words of a text, the same for two ways of writing it; of runs without spaces the pairs of
    signs.
    """
    plain = "".join(char if char.isalnum() else " " for char in text.casefold())
    unspaced, spaced = signs.cut_unspaced(plain)
    pairs = (one + two for one, two in pairwise(plain) if one in unspaced and two in unspaced)
    return frozenset((*spaced.split(), *pairs))
