"""Whether a day of a claim is that of what it says, and of nothing else that its evidence names."""

from __future__ import annotations

import re

from molt.memory.reflect.evidence import claims, dated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")


def find_other_day(text: str, said: Sequence[str], days: Sequence[str]) -> str:
    """A day of a claim that is none of those which the sentence that says most of it names; empty
    where such a sentence names none. `days` are those on which the memories were said.
    """
    wanted = claims.cut_words(dated.cut_dates(text))
    for one in dated.read_dates(text) if wanted else ():
        found = list(_list_best(wanted, said, days))
        if found and not any(known.bears(one) or not known.spans for known in found):
            return f"the evidence does not say {text[one.start : one.end].strip()!r} of it"
    return ""


def _list_best(
    wanted: frozenset[str], said: Sequence[str], days: Sequence[str]
) -> list[dated.KnownDays]:
    """The days that the sentences name which have the most of some words."""
    every = [
        (len(wanted & claims.cut_words(dated.cut_dates(sentence))), sentence, day)
        for memory, day in zip(said, days, strict=True)
        for sentence in _SENTENCES.split(memory)
    ]
    most = max((count for count, _, _ in every), default=0)
    found = []
    for count, sentence, day in every:
        if count == most > 0:
            known = dated.KnownDays()
            known.add_named(sentence, day)
            found.append(known)
    return found
