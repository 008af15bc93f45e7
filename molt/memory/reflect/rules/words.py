"""The words of a sentence in a script that has spaces and capitals."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_][\w'&+-]*|\d[\w'-]*")
_OPENS = frozenset('.!?…:;"“”—–(*')


class SpokenWord:
    """A word of a sentence, whether it begins one, and what stands between it and the last one."""

    __slots__ = ("bare", "begins", "gap", "low", "owner", "text")

    def __init__(self, text: str, gap: str, first: bool) -> None:
        self.text = text
        self.gap = gap
        self.bare = text.removesuffix("'s").strip("'-+&") or text
        self.owner = text.endswith("'s")
        self.low = self.bare.lower()
        self.begins = first or not _OPENS.isdisjoint(gap)


def split_words(text: str) -> list[SpokenWord]:
    """The words of a sentence."""
    found: list[SpokenWord] = []
    end = 0
    said = text.replace("’", "'")
    for match in _WORD.finditer(said):
        found.append(SpokenWord(match.group(), said[end : match.start()], not found))
        end = match.end()
    return found
