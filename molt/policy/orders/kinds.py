"""Orders to an agent that have a kind, each with words that tell of it and an example each way.

A kind is read where one of its words stands; its gaps have bounds, so that reading takes a time
that grows with the line.
"""

from __future__ import annotations

import re

from molt.policy.orders import kinds_of_deeds, kinds_of_words, lookup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = (*kinds_of_words.KINDS, *kinds_of_deeds.KINDS)
_PATTERNS: dict[lookup.Parts, re.Pattern[str]] = {
    (tuple(kind.words.split("|")),): re.compile(kind.pattern) for kind in KINDS
}
_TABLE = lookup.WordSets(tuple(_PATTERNS))


def find_orders(text: str) -> Iterator[re.Match[str]]:
    """What a line in lower case, with single blanks, says of any kind."""
    for words in _TABLE.find_held(text):
        yield from _PATTERNS[words].finditer(text)
