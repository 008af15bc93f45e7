"""A cheap bound on the length of a text in tokens, for texts that only have to fit."""

from __future__ import annotations

from binascii import b2a_base64

from molt import resources

# As tiktoken cuts texts for cl100k_base, in the classes that Python's patterns have.
_PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s|."
)
# The ranks are sorted by when their tokens are merged. These bytes hold the first eleven thousand;
# reading all hundred thousand would take a third of the time of a search.
_FIRST = 160_000
# A run of letters without end is no text: it counts by its bytes.
_LONGEST = 400
_ranks: dict[bytes, int] = {}
_NONE = 1 << 30


def at_most(text: str) -> int:
    """A number of tokens that a text does not exceed, by a quarter more than it has.

    `document.tokens` is exact, but loading its tables takes twice as long as a search.
    """
    import re
    from collections import Counter

    if not _ranks:
        with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
            first = file.read(_FIRST).split()[:-2:2]
        _ranks.update(zip(first, range(len(first)), strict=True))
    return sum(_most(piece) * times for piece, times in Counter(re.findall(_PIECES, text)).items())


def _most(piece: str) -> int:
    """How many tokens are left of a piece after the first merges: those that follow only lessen
    them, for merges are made in the order of their ranks.
    """
    data = piece.encode("utf-8", "replace")
    if len(data) > _LONGEST:
        return len(data)
    if _rank(data) < _NONE:
        return 1
    parts = [data[at : at + 1] for at in range(len(data))]
    pairs = [_rank(data[at : at + 2]) for at in range(len(data) - 1)]
    while pairs and (low := min(pairs)) < _NONE:
        at = pairs.index(low)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        for beside in (at - 1, at):
            if 0 <= beside < len(pairs):
                pairs[beside] = _rank(parts[beside] + parts[beside + 1])
    return len(parts)


def _rank(data: bytes) -> int:
    return _ranks.get(b2a_base64(data, newline=False), _NONE)
