"""Orders to an agent that have a kind, each with words that tell of it and an example each way.

A kind is read where one of its words stands; its gaps have bounds, so that reading takes a time
that grows with the line.
"""

from __future__ import annotations

import re

from molt.policy.orders import word_sets
from molt.policy.orders.kinds import deeds, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = (*words.KINDS, *deeds.KINDS)
_PATTERNS: dict[word_sets.Parts, re.Pattern[str]] = {
    (word_sets.split_words(kind.words),): re.compile(kind.pattern) for kind in KINDS
}
_TABLE = word_sets.WordSets(tuple(_PATTERNS))


def find_orders(text: str) -> Iterator[re.Match[str]]:
    """What a line in lower case, with single blanks, says of any kind."""
    for told in _TABLE.find_held(text):
        yield from _PATTERNS[told].finditer(text)
